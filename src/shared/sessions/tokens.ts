import { createHash, randomBytes } from "node:crypto";
import type { FastifyRequest } from "fastify";

/** 256 random bits, as a cookie or a link carries them. */
export const makeToken = (): string => randomBytes(32).toString("base64url");

/** The token in a cookie; "" without one. */
export function tokenIn({ cookies }: FastifyRequest, cookie: string): string {
  const token = cookies[cookie] ?? "";
  return /^[\w-]{43}$/.test(token) ? token : "";
}

/** What the database keeps of a token: its SHA-256. */
export const hashToken = (token: string): Buffer => createHash("sha256").update(token).digest();

/** The browser's user agent, short and safe for a text column. */
export const userAgentOf = ({ headers }: FastifyRequest): string =>
  (headers["user-agent"] ?? "")
    .replace(/\p{Cc}/gu, "")
    .toWellFormed()
    .slice(0, 300);
