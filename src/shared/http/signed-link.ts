import { createHmac } from "node:crypto";
import { isSameSecret } from "./same-secret.ts";

// Keeps a link's key from meaning anything in whatever else the secret signs.
const domain = "almoner signed path 2\n";

/** When a link was made, by which it can be revoked, and from when on it opens nothing. */
export type LinkTimes = { readonly madeAt: Date; readonly until: Date };

/** The path with the key that opens it without logging in: whoever holds the link may read what it leads to (API-9). */
export function signPath(secret: string, path: string, times: LinkTimes): string {
  return `${path}?key=${keyOf(secret, path, times)}`;
}

/** The key that opens a path; the same for paths that are opened together. It carries its times, and they are signed. */
export function keyOf(secret: string, path: string, { madeAt, until }: LinkTimes): string {
  const times = `${madeAt.getTime().toString(36)}.${until.getTime().toString(36)}`;
  return `${times}.${createHmac("sha256", secret).update(`${domain}${times}\n${path}`).digest("base64url")}`;
}

/** The times of a key that was made for this path, over or not; null for any other. */
export function readKey(secret: string, path: string, key: unknown): LinkTimes | null {
  const [, made, until] = (typeof key === "string" && /^([\da-z]{8})\.([\da-z]{8})\./.exec(key)) || [];
  if (made === undefined || until === undefined) return null;
  const times = { madeAt: new Date(Number.parseInt(made, 36)), until: new Date(Number.parseInt(until, 36)) };
  return isSameSecret(key as string, keyOf(secret, path, times)) ? times : null;
}

/** Whether a key opens this path now, as far as its times tell. */
export function opensPath(secret: string, path: string, key: unknown, now: Date): boolean {
  const times = readKey(secret, path, key);
  return times !== null && now < times.until;
}
