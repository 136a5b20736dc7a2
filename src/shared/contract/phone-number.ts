import { latinDigits } from "./latin-digits.ts";

/** A number copied from a contact or a web page as if typed: without invisible marks, with plain digits, spaces and dashes. */
export function plainPhoneNumber(text: string): string {
  return latinDigits(text)
    .replace(/\p{Cf}/gu, "")
    .replace(/[\p{Pd}\u2212]/gu, "-")
    .replace(/\s+/g, " ")
    .trim();
}
