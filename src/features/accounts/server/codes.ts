import { createHmac } from "node:crypto";
import { DAY_MS } from "#shared/day-length.ts";
import { isSameSecret } from "#shared/http/same-secret.ts";
import { emailedCode, hashEmailedCode, isEmailedCode } from "#shared/sessions/emailed-codes.ts";

const LINK_DAYS = 7;

const hmac = (secret: string, ...parts: readonly (string | number)[]) =>
  createHmac("sha256", secret).update(parts.join("\n")).digest();

const purpose = "reset code";

/** The eight-digit code of one reset email. */
export const resetCode = (secret: string, userId: number, emailId: string): string =>
  emailedCode(secret, { purpose, id: userId }, emailId);

/** What we store of a code. */
export const hashCode = (secret: string, userId: number, code: string): Buffer =>
  hashEmailedCode(secret, { purpose, id: userId }, code);

/** Whether `code` matches the stored hash, in constant time. */
export const isCode = (secret: string, userId: number, code: string, kept: Buffer): boolean =>
  isEmailedCode(secret, { purpose, id: userId }, code, kept);

type Person = { readonly id: number; readonly email: string };

/** The key of the link that confirms this person's address; valid for a week. */
export function addressKey(secret: string, person: Person, now: Date): string {
  const until = Math.floor((now.getTime() + LINK_DAYS * DAY_MS) / 1000);
  return `${until}.${signAddress(secret, person, until)}`;
}

/** False for another person or email, and once the key has expired. */
export function isAddressKey(secret: string, person: Person, key: string, now: Date): boolean {
  const [until = "", signature = ""] = key.split(".");
  if (!/^\d{1,12}$/.test(until) || Number(until) * 1000 <= now.getTime()) return false;
  return isSameSecret(signature, signAddress(secret, person, Number(until)));
}

function signAddress(secret: string, { id, email }: Person, until: number): string {
  return hmac(secret, "address of a person", id, email.toLowerCase(), until).toString("base64url");
}
