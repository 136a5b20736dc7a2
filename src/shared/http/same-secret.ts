import { timingSafeEqual } from "node:crypto";

/** Whether two secrets are the same; takes as long for a wrong one as for a right one of its length. */
export function isSameSecret(one: string | Buffer, other: string | Buffer): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
