import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("LAY-12: no field cuts off what is typed or pasted", () => {
  const files = globSync("src/**/*.tsx").filter((file) => !file.endsWith(".test.tsx"));
  const cutting = files.filter((file) => /\bmaxLength=/.test(readFileSync(file, "utf8")));
  expect(files.length).toBeGreaterThan(100);
  expect(cutting).toEqual([]);
});
