import { expect, test } from "vitest";
import { readMeanings } from "./search-words.ts";

test("DESK-1: an amount is found with its cents, with one decimal as spreadsheets write it, or by its whole dollars", () => {
  const centsOf = (q: string) => readMeanings(q).cents;
  expect(centsOf("$1,234.50")).toEqual({ from: 123_450, to: 123_450 });
  expect(centsOf("51.5")).toEqual({ from: 5150, to: 5150 });
  expect(centsOf("51")).toEqual({ from: 5100, to: 5199 });
  expect(centsOf("51.505")).toBeNull();
});
