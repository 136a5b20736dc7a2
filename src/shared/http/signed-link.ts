import { createHmac } from "node:crypto";
import { isSameSecret } from "./same-secret.ts";

// Keeps a link's key from meaning anything in whatever else the secret signs.
const domain = "almoner signed path 1\n";

/** The path with the key that opens it without logging in: whoever holds the link may read what it leads to (API-9). */
export function signPath(secret: string, path: string): string {
  return `${path}?key=${keyOf(secret, path)}`;
}

/** Whether `key` is the one that `signPath` put on this path; takes as long for a wrong key as for a right one. */
export function isSigned(secret: string, path: string, key: unknown): boolean {
  return typeof key === "string" && isSameSecret(key, keyOf(secret, path));
}

/** Like `signPath`, but the link opens nothing from `until` on. */
export function signPathUntil(secret: string, path: string, until: Date): string {
  const whole = withEnd(path, String(Math.floor(until.getTime() / 1000)));
  return `${whole}&key=${keyOf(secret, whole)}`;
}

/** Whether what stands behind the `?` opens this path now: a key for good, or one whose time is not over. */
export function opensPath(
  secret: string,
  path: string,
  { key, until }: { readonly key?: unknown; readonly until?: unknown },
  now: Date,
): boolean {
  if (until === undefined) return isSigned(secret, path, key);
  if (typeof until !== "string" || !/^\d{1,12}$/.test(until)) return false;
  return now.getTime() < Number(until) * 1000 && isSigned(secret, withEnd(path, until), key);
}

const withEnd = (path: string, until: string) => `${path}?until=${until}`;

/** The key that opens a path for good; the same for paths that are opened together. */
export function keyOf(secret: string, path: string): string {
  return createHmac("sha256", secret).update(domain).update(path).digest("base64url");
}
