import { expect, test } from "vitest";
import { fillIn } from "./placeholders.ts";

test("RTE-3: a table takes the place of the paragraph that the editor puts its placeholder in; words stay in theirs", () => {
  const placeholders = { retention: "<table></table>", name: "Chashma" };
  expect(fillIn("<p>{retention}</p>", placeholders)).toBe("<table></table>");
  expect(fillIn("<p>{name}</p><p>by {name}, {other}</p>", placeholders)).toBe(
    "<p>Chashma</p><p>by Chashma, {other}</p>",
  );
});
