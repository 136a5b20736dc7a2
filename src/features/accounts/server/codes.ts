import { createHmac } from "node:crypto";
import { isSameSecret } from "#shared/http/same-secret.ts";

const DAY_MS = 86_400_000;
const LINK_DAYS = 7;

const hmac = (secret: string, ...parts: readonly (string | number)[]) =>
  createHmac("sha256", secret).update(parts.join("\n")).digest();

/**
 * The code of one reset letter, eight digits: follows from the letter's id and the site's secret, so that a letter that has
 * to be sent twice says the same both times, and no job or log holds it.
 */
export function resetCode(secret: string, userId: number, letterId: string): string {
  const number = hmac(secret, "reset code", userId, letterId).readUIntBE(0, 6) % 100_000_000;
  return String(number).padStart(8, "0");
}

/** What is kept of a code: without the site's secret all the codes there are could be tried on it. */
export function hashCode(secret: string, userId: number, code: string): Buffer {
  return hmac(secret, "kept reset code", userId, code);
}

export function isCode(secret: string, userId: number, code: string, kept: Buffer): boolean {
  return isSameSecret(hashCode(secret, userId, code), kept);
}

type Person = { readonly id: number; readonly email: string };

/** The key of a link that shows that letters to the address reach this person; good for a week. */
export function addressKey(secret: string, person: Person, now: Date): string {
  const until = Math.floor((now.getTime() + LINK_DAYS * DAY_MS) / 1000);
  return `${until}.${signAddress(secret, person, until)}`;
}

export function isAddressKey(secret: string, person: Person, key: string, now: Date): boolean {
  const [until = "", signature = ""] = key.split(".");
  if (!/^\d{1,12}$/.test(until) || Number(until) * 1000 <= now.getTime()) return false;
  return isSameSecret(signature, signAddress(secret, person, Number(until)));
}

function signAddress(secret: string, { id, email }: Person, until: number): string {
  return hmac(secret, "address of a person", id, email.toLowerCase(), until).toString("base64url");
}
