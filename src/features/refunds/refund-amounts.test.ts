import { expect, test } from "vitest";
import { needsSecondPerson, readAmount, writeAmount } from "./refund-amounts.ts";

test.each([
  ["1,209.63", 120_963],
  ["$50", 5000],
  [" 12.5 ", 1250],
  ["0.01", 1],
  ["1000000", 100_000_000],
])("RFD-4: '%s' is %i cents", (text, cents) => {
  expect(readAmount(text)).toEqual({ cents });
});

test.each([
  ["", "Please enter an amount."],
  ["ten", "Write the amount in dollars, such as 12.50."],
  ["1e3", "Write the amount in dollars, such as 12.50."],
  ["1.2.3", "Write the amount in dollars, such as 12.50."],
  ["1,2", "Write the amount in dollars, such as 12.50."],
  ["1234567890", "Write the amount in dollars, such as 12.50."],
  ["12.505", "Write at most two digits after the point, such as 12.50."],
  ["0", "The amount must be more than $0.00."],
  ["0.00", "The amount must be more than $0.00."],
  ["-5", "The amount must be more than $0.00."],
])("RFD-4: '%s' is refused: %s", (text, fault) => {
  expect(readAmount(text)).toEqual({ fault });
});

test("RFD-4: an amount in a field reads back as the same cents", () => {
  for (const cents of [1, 10, 99, 100, 101, 120_963]) expect(readAmount(writeAmount(cents))).toEqual({ cents });
});

test("RFD-2: up to the limit of a day one person is enough; above it, and always with a limit of 0, two are needed", () => {
  const needs = (cents: number, aloneCents: number, limitCents = 50_000) =>
    needsSecondPerson(cents, { aloneCents, limitCents });
  expect([needs(50_000, 0), needs(50_001, 0), needs(20_000, 30_000), needs(20_001, 30_000)]).toEqual([
    false,
    true,
    false,
    true,
  ]);
  expect(needs(1, 0, 0)).toBe(true);
});
