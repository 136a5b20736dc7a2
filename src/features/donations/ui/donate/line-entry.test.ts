import { expect, test } from "vitest";
import { Postcode } from "#shared/contract/postcode.ts";
import { nameCount, parseDollars } from "./line-entry.ts";

test("LANG-4, DON-8: an amount may be typed in Urdu or Arabic digits, with their separators", () => {
  expect(["۵۰", "۱۲٫۵", "۱٬۲۵۰", "١٢٣", "$۵۰"].map(parseDollars)).toEqual([5000, 1250, 125_000, 12_300, 5000]);
});

test("LANG-4, DON-6: a quantity and a post code may be typed in Urdu or Arabic digits", () => {
  const entry = { categoryId: 1, subcategoryId: undefined, amount: "", names: [] };
  expect([" ۳ ", "٣"].map((quantity) => nameCount({ ...entry, quantity }))).toEqual([3, 3]);
  expect(Postcode.parse("۲۱۴۴")).toBe("2144");
});
