import { randomBytes } from "node:crypto";
import { base32Digits, readBase32 } from "#shared/base32.ts";

/** D donation, P payment, R refund, T ticket order, V volunteer application. */
type Prefix = "D" | "P" | "R" | "T" | "V";

/** A random reference of 60 bits, such as D-7KQ2-M9XW-4TBC: unguessable, 16 ASCII characters. */
export function newReference(prefix: Prefix): string {
  const letters = [...randomBytes(12)].map((byte) => base32Digits[byte % 32]).join("");
  return `${prefix}-${letters.slice(0, 4)}-${letters.slice(4, 8)}-${letters.slice(8)}`;
}

/**
 * A typed reference as it is stored, in any case, with or without hyphens, and with O, I or L for a digit; null if it is
 * none with one of these prefixes. A word of letters alone is a name.
 */
export function readReference(typed: string, ...prefixes: readonly Prefix[]): string | null {
  const text = typed.trim().toUpperCase();
  const [prefix, ...groups] =
    /^([A-Z])-?([0-9A-Z]{4})-?([0-9A-Z]{4})-?([0-9A-Z]{4})$/.exec(text)?.slice(1).map(String) ?? [];
  if (!prefixes.some((one) => one === prefix) || !/[-\d]/.test(text)) return null;
  const digits = groups.map(readBase32);
  return digits.join("").includes("U") ? null : [prefix, ...digits].join("-");
}

/** The customer number of all payments of a day in Sydney, DAY-20261121: PayWay only lists payments by customer. */
export function customerOfDay(day: string): string {
  return `DAY-${day.replaceAll("-", "")}`;
}
