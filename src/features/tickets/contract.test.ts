import { expect, test } from "vitest";
import { Buyer } from "./contract.ts";

test("TIC-4, LOG-13: an optional phone number may be copied, with invisible marks, other dashes or dots", () => {
  const phones = ["\u202a+61\u00a0412\u2011345\u2013678\u202c", "02.9000.1111", "(02) 9000 1111", " "];
  expect(phones.map((phone) => Buyer.shape.phone.parse(phone))).toEqual([
    "+61 412-345-678",
    "02.9000.1111",
    "(02) 9000 1111",
    "",
  ]);
  expect(Buyer.shape.phone.safeParse("call me").success).toBe(false);
});
