import { randomBytes } from "node:crypto";

// Crockford's base 32: no I, L, O or U, so that a reference read out on the telephone arrives whole.
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/**
 * A random reference of 60 bits, such as D-7KQ2-M9XW-4TBC: unguessable, 16 ASCII characters. D donation, P payment, R refund,
 * T ticket order,
 * V application to volunteer.
 */
export function newReference(prefix: "D" | "P" | "R" | "T" | "V"): string {
  const letters = [...randomBytes(12)].map((byte) => alphabet[byte % 32]).join("");
  return `${prefix}-${letters.slice(0, 4)}-${letters.slice(4, 8)}-${letters.slice(8)}`;
}

/**
 * The customer number that all payments of one day in Sydney go under at a provider which lists by customer alone, such as
 * PayWay: DAY-20261121.
 */
export function customerOfDay(day: string): string {
  return `DAY-${day.replaceAll("-", "")}`;
}
