import { createHmac } from "node:crypto";
import { isSameSecret } from "#shared/http/same-secret.ts";

/** Whose code it is, and what for. */
type CodeFor = { readonly purpose: string; readonly id: number };

const hmac = (secret: string, ...parts: readonly (string | number)[]) =>
  createHmac("sha256", secret).update(parts.join("\n")).digest();

/**
 * The eight-digit code of one email. It is derived from the email's id and the site's secret, so that a retried email
 * has the same code, and no job or log contains it.
 */
export function emailedCode(secret: string, { purpose, id }: CodeFor, emailId: string): string {
  const number = hmac(secret, purpose, id, emailId).readUIntBE(0, 6) % 100_000_000;
  return String(number).padStart(8, "0");
}

/** What we store of a code. Without the secret key, its hash could be reversed by trying every code. */
export function hashEmailedCode(secret: string, { purpose, id }: CodeFor, code: string): Buffer {
  return hmac(secret, `kept ${purpose}`, id, code);
}

/** Whether `code` matches the stored hash, in constant time. */
export function isEmailedCode(secret: string, of: CodeFor, code: string, kept: Buffer): boolean {
  return isSameSecret(hashEmailedCode(secret, of, code), kept);
}
