import { createHmac } from "node:crypto";
import { isSameSecret } from "./same-secret.ts";

// Separates these keys from everything else that is signed with the secret.
const domain = "almoner signed path 2\n";

/** When a link was made, which decides whether it was revoked, and when it expires. */
export type LinkTimes = { readonly madeAt: Date; readonly until: Date };

/** The path with a key that opens it without logging in, for anyone with the link (API-9). */
export function signPath(secret: string, path: string, times: LinkTimes): string {
  return `${path}?key=${keyOf(secret, path, times)}`;
}

/** The key of a path; paths that are opened together share one. It contains its times, which are signed. */
export function keyOf(secret: string, path: string, { madeAt, until }: LinkTimes): string {
  const times = `${madeAt.getTime().toString(36)}.${until.getTime().toString(36)}`;
  return `${times}.${createHmac("sha256", secret).update(`${domain}${times}\n${path}`).digest("base64url")}`;
}

/** The times of a key made for this path, expired or not; null for any other. */
export function readKey(secret: string, path: string, key: unknown): LinkTimes | null {
  const [, made, until] = (typeof key === "string" && /^([\da-z]{8})\.([\da-z]{8})\./.exec(key)) || [];
  if (made === undefined || until === undefined) return null;
  const times = { madeAt: new Date(Number.parseInt(made, 36)), until: new Date(Number.parseInt(until, 36)) };
  return isSameSecret(key as string, keyOf(secret, path, times)) ? times : null;
}

/** Whether a key is valid for this path now; revocations are not checked. */
export function opensPath(secret: string, path: string, key: unknown, now: Date): boolean {
  const times = readKey(secret, path, key);
  return times !== null && now < times.until;
}
