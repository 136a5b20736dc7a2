import { expect, test } from "vitest";
import { z } from "zod";
import { CommaList, Dollars, JsonText, TrueText, YesNo } from "./fields.ts";

test.each([
  [10.5, 1050],
  ["10.50", 1050],
  ["10", 1000],
  [0.29, 29],
  [1.1, 110],
  ["0.07", 7],
  [50_000, 5_000_000],
  ["-1.00", -100],
  ["-0", 0],
])("DON-18: %s dollars are %i cents", (dollars, cents) => {
  expect(Dollars.decode(dollars)).toBe(cents);
});

test.each([
  [1.005],
  ["10.501"],
  ["1e3"],
  [1e21],
  [1e-7],
  [Number.NaN],
  [Number.POSITIVE_INFINITY],
  ["Infinity"],
  ["NaN"],
  [""],
  [" 1"],
  ["1,000"],
  ["$5"],
  ["+5"],
  [".5"],
  ["5."],
  ["0x10"],
  ["١٠"],
  [null],
  [true],
  [["1"]],
  ["9".repeat(400)],
])("DON-18: %s is not an amount of dollars", (value) => {
  expect(Dollars.safeParse(value).success).toBe(false);
});

test("DON-18: every amount of cents survives the wire unchanged", () => {
  for (let cents = 0; cents <= 20_000; cents += 1) {
    expect(Dollars.decode(Dollars.encode(cents))).toBe(cents);
    expect(Dollars.decode(Dollars.encode(cents + 4_980_000))).toBe(cents + 4_980_000);
  }
  expect(Dollars.encode(10_658)).toBe(106.58);
});

test("DON-18: JSON text carries a value both ways, and bad text or a bad value inside is a field error", () => {
  const Lines = JsonText(z.array(z.object({ amount: Dollars })));
  expect(Lines.decode('[{"amount":"1.50"}]')).toEqual([{ amount: 150 }]);
  expect(Lines.encode([{ amount: 150 }])).toBe('[{"amount":1.5}]');
  for (const text of ["", "{", "undefined", "[{}]", '[{"amount":1.005}]', "null", "7"]) {
    expect(Lines.safeDecode(text).success, text).toBe(false);
  }
  expect(Lines.safeParse(7).success).toBe(false);
});

test("DON-7: a comma-joined list drops empty parts and outer spaces, but no names", () => {
  expect(CommaList.decode(" Ali ,,آمنہ, ")).toEqual(["Ali", "آمنہ"]);
  expect(CommaList.decode("")).toEqual([]);
  expect(CommaList.encode(["Ali", "Sara"])).toBe("Ali,Sara");
});

test("DON-6: the wire's words for true and false convert both ways, and no other word passes", () => {
  expect([YesNo.decode("yes"), YesNo.decode("no"), YesNo.encode(true), YesNo.encode(false)]).toEqual([
    true,
    false,
    "yes",
    "no",
  ]);
  expect([TrueText.decode("true"), TrueText.encode(false)]).toEqual([true, "false"]);
  for (const word of ["Yes", "1", "", true]) expect(YesNo.safeParse(word).success).toBe(false);
  expect(TrueText.safeParse(true).success).toBe(false);
});
