import { expect, test } from "vitest";
import { hasCardNumber } from "./card-number.ts";

test("ADM-13: card numbers are recognised in text, however they are grouped, and with what stands beside them", () => {
  for (const text of [
    "4111111111111111",
    "Paid with 4111 1111 1111 1111 12/26",
    "4111-1111-1111-1111 123",
    "Card:5555\u00a05555\u00a05555\u00a04444.",
    "0412 345 678 3782 822463 10005",
    "4222222222222",
  ]) {
    expect(hasCardNumber(text), text).toBe(true);
  }
});

test("ADM-13: other numbers are no card numbers", () => {
  for (const text of [
    "4111111111111112",
    "0412 345 678, 03 9876 5432",
    "2026-11-22 2026-11-24",
    "ABN 51 824 753 556",
    "D-4K7M-9P2X-C3TD",
    "41111111111111111111111",
    "4111 1111\n1111 1111",
  ]) {
    expect(hasCardNumber(text), text).toBe(false);
  }
});
