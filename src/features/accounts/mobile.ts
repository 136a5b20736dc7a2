import { plainPhoneNumber } from "#shared/contract/phone-number.ts";
import { tidyMobile } from "./person.ts";

/**
 * '61' and '0412 345 678' give '61412345678' (LOG-18): digits only, dial code first, without the trunk 0. A number
 * typed with its dial code (+61 …, 0061 …) doesn't get a second one.
 */
export function joinMobile(dialCode: string, typed: string): string {
  const digits = tidyMobile(typed);
  const isInternational = plainPhoneNumber(typed).startsWith("+") || digits.startsWith("00");
  const own = isInternational ? splitMobile(dialCode, digits.replace(/^00/, "")) : digits;
  return dialCode + own.replace(/^0/, "");
}

/** A stored number without its dial code. */
export function splitMobile(dialCode: string, mobile: string): string {
  return dialCode !== "" && mobile.startsWith(dialCode) ? mobile.slice(dialCode.length) : mobile;
}
