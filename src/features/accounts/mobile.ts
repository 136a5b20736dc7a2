import { tidyMobile } from "./person.ts";

/**
 * '61' and '0412 345 678' are '61412345678' (LOG-18): digits alone, the dial code first, without the zero that stands
 * for it inside the country. A number typed with the country's dial code (+61 …, 0061 …) does not get a second one.
 */
export function joinMobile(dialCode: string, typed: string): string {
  const digits = tidyMobile(typed);
  const isInternational = typed.trim().startsWith("+") || digits.startsWith("00");
  const own = isInternational ? splitMobile(dialCode, digits.replace(/^00/, "")) : digits;
  return dialCode + own.replace(/^0/, "");
}

/** The part behind the dial code of a number as it is kept. */
export function splitMobile(dialCode: string, mobile: string): string {
  return dialCode !== "" && mobile.startsWith(dialCode) ? mobile.slice(dialCode.length) : mobile;
}
