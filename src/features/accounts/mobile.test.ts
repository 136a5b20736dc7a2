import { expect, test } from "vitest";
import { Postcode } from "#shared/contract/postcode.ts";
import { joinMobile, splitMobile } from "./mobile.ts";
import { MobileNumber } from "./person.ts";

test("LOG-18: the dial code and the number are joined as digits, without the trunk zero", () => {
  expect(joinMobile("61", "0412 345 678")).toBe("61412345678");
  expect(joinMobile("61", "(0412) 345-678")).toBe("61412345678");
  expect(joinMobile("61", "412345678")).toBe("61412345678");
  expect(joinMobile("92", "300.1234567")).toBe("923001234567");
});

test("LOG-13: a number typed with the country's dial code does not get a second one", () => {
  expect(joinMobile("61", "+61 412 345 678")).toBe("61412345678");
  expect(joinMobile("61", "+61 (0) 412 345 678")).toBe("61412345678");
  expect(joinMobile("61", "0061 412 345 678")).toBe("61412345678");
  expect(joinMobile("92", "+92 300 1234567")).toBe("923001234567");
});

test("LOG-13: a number copied with invisible marks, other dashes or fixed spaces is the number that people see", () => {
  for (const copied of [
    "\u202a+61 412 345 678\u202c",
    "+61\u00a0412\u2011345\u2013678",
    "\u2060+61 412\u2212345\u2010678\u200e",
  ]) {
    expect(MobileNumber.safeParse(copied).data, JSON.stringify(copied)).toBe("61412345678");
    expect(joinMobile("61", copied)).toBe("61412345678");
  }
  expect(MobileNumber.safeParse("0412\u2044345").success).toBe(false);
});

test("LANG-4, LOG-12, LOG-13: a mobile number and a post code may be typed in Urdu or Arabic digits", () => {
  for (const typed of ["۰۴۱۲ ۳۴۵ ۶۷۸", "٠٤١٢ ٣٤٥ ٦٧٨", "+۶۱ ۴۱۲ ۳۴۵ ۶۷۸"]) {
    expect(MobileNumber.safeParse(typed).success).toBe(true);
    expect(joinMobile("61", typed)).toBe("61412345678");
  }
  expect(Postcode.parse("۲۱۴۴")).toBe("2144");
});

test("PRO-3: the field shows a stored number without its dial code", () => {
  expect(splitMobile("61", "61412345678")).toBe("412345678");
  expect(splitMobile("", "61412345678")).toBe("61412345678");
  expect(splitMobile("92", "61412345678")).toBe("61412345678");
});
