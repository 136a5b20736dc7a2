import { expect, test } from "vitest";
import { fundOf, type Price, readPrice, readSuggested, statesOf } from "./catalogue.ts";

const price = (id: number, holdsFrom: string, change: Partial<Price> = {}): Price => ({
  id,
  subcategoryId: null,
  holdsFrom,
  cents: 100 * id,
  isWithdrawn: false,
  ...change,
});

test("CAT-4: of the prices whose day has come the latest holds, and of two for one day the one set later", () => {
  const prices = [
    price(1, "2026-01-01"),
    price(2, "2026-05-01"),
    price(3, "2026-05-01"),
    price(4, "2026-05-02", { isWithdrawn: true }),
    price(5, "2026-06-01"),
    price(6, "2026-02-01", { subcategoryId: 9 }),
  ];
  expect([...statesOf(prices, "2026-05-31").values()].sort()).toEqual(
    ["past", "past", "holds", "withdrawn", "to come", "holds"].sort(),
  );
  expect(statesOf(prices, "2026-05-31").get(3)).toBe("holds");
  expect(statesOf(prices, "2026-06-01").get(5)).toBe("holds");
});

test.each([
  ["190", 19_000],
  [" $1,015.50 ", 101_550],
  ["0.5", 50],
  ["0", null],
  ["", null],
  ["-5", null],
  ["1.005", null],
  ["1e3", null],
  ["1000000", null],
])("CAT-4: the price '%s' is %s cents", (text, cents) => {
  expect(readPrice(text)).toBe(cents);
});

test("CAT-1: suggested amounts are sorted, each once, six at most, and may be none", () => {
  expect(readSuggested("100, 25 50; 25")).toEqual([2500, 5000, 10_000]);
  expect(readSuggested("")).toEqual([]);
  expect(readSuggested("25, many")).toBeNull();
  expect(readSuggested("1 2 3 4 5 6 7")).toBeNull();
});

test("CAT-2: a fund’s key is made of the title’s Latin letters", () => {
  expect(["Water wells", "Al-Qur’ān classes 2026", "پانی"].map(fundOf)).toEqual([
    "water-wells",
    "al-quran-classes",
    "",
  ]);
});
