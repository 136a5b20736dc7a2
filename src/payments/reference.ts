import { randomBytes } from "node:crypto";

// Crockford's base 32: no I, L, O or U, so that a reference can be read out on the phone.
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/**
 * A random reference of 60 bits, such as D-7KQ2-M9XW-4TBC: unguessable, 16 ASCII characters. D donation, P payment, R
 * refund, T ticket order, V volunteer application.
 */
export function newReference(prefix: "D" | "P" | "R" | "T" | "V"): string {
  const letters = [...randomBytes(12)].map((byte) => alphabet[byte % 32]).join("");
  return `${prefix}-${letters.slice(0, 4)}-${letters.slice(4, 8)}-${letters.slice(8)}`;
}

/** A typed reference, in any case and with or without hyphens, as it is stored; null if it is none with this prefix. */
export function readReference(typed: string, prefix: "T" | "V"): string | null {
  const groups = /^([A-Z])-?([0-9A-Z]{4})-?([0-9A-Z]{4})-?([0-9A-Z]{4})$/.exec(typed.trim().toUpperCase())?.slice(1);
  return groups?.[0] === prefix ? groups.join("-") : null;
}

/** The customer number of all payments of a day in Sydney, DAY-20261121: PayWay only lists payments by customer. */
export function customerOfDay(day: string): string {
  return `DAY-${day.replaceAll("-", "")}`;
}
