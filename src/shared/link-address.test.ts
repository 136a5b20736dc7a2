import { expect, test } from "vitest";
import { linkAddress } from "./link-address.ts";

test.each([
  ["/donation", true],
  ["/donation?cause=hunger#amount", true],
  ["/caf\u00e9", true],
  ["https://register.example.org/a?b=c", true],
  ["", true],
  ["//evil.example", false],
  ["/\\evil.example", false],
  ["/a\\b", false],
  ["/a b", false],
  ["/a\r\nSet-Cookie: x=y", false],
  ["/a\u0000", false],
  ["javascript:alert(1)", false],
  ["JavaScript:alert(1)", false],
  ["data:text/html,x", false],
  ["http://insecure.example", false],
  ["https:evil.example", false],
  ["https:///evil.example", false],
  ["https://user:pass@evil.example", false],
  ["https://localhost", false],
  ["https://", false],
  ["donation", false],
  [`/${"a".repeat(500)}`, false],
])("BAN-2: a link may lead to %j: %s", (address, can) => {
  expect(linkAddress.safeParse(address).success).toBe(can);
});
