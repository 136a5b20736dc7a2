import { expect, test } from "vitest";
import { fillIn, legalFault } from "./placeholders.ts";

test("RTE-3: a table takes the place of the paragraph that the editor puts its placeholder in; words stay in theirs", () => {
  const placeholders = { retention: "<table></table>", name: "Chashma" };
  expect(fillIn("<p>{retention}</p>", placeholders)).toBe("<table></table>");
  expect(fillIn("<p>{name}</p><p>by {name}, {other}</p>", placeholders)).toBe(
    "<p>Chashma</p><p>by Chashma, {other}</p>",
  );
});

test("PAGE-9: braces around a name that every object has stay as they are written", () => {
  expect(fillIn("<p>{constructor}</p><p>by {toString}</p>", {})).toBe("<p>{constructor}</p><p>by {toString}</p>");
});

test.each([
  ["<p>{name}, {retention} and {ticketCancelHours}</p>", null],
  ["<p>{nmae}</p>", "There is no {nmae} in this page. Did you mean {name}?"],
  ["<p>{constructor}</p>", expect.stringMatching(/^There is no \{constructor\} in this page\. Use \{name\}, /)],
  ["<p>{na<b>me</b>}</p>", "Write placeholders like {name}, without spaces. Braces stand for nothing else."],
  ["<p>{ name }</p>", "Write placeholders like {name}, without spaces. Braces stand for nothing else."],
])("PAGE-9: the braces of %s are judged before a policy goes out", (html, said) => {
  expect(legalFault(html)).toEqual(said);
});
