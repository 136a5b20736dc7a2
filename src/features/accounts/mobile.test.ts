import { expect, test } from "vitest";
import { joinMobile, splitMobile } from "./mobile.ts";

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

test("PRO-3: the field shows a stored number without its dial code", () => {
  expect(splitMobile("61", "61412345678")).toBe("412345678");
  expect(splitMobile("", "61412345678")).toBe("61412345678");
  expect(splitMobile("92", "61412345678")).toBe("61412345678");
});
