import type { FastifyReply, FastifyRequest } from "fastify";

/** Set when somebody chose to donate without an account (LOG-3). Scripts read and renew it; it authorises nothing. */
export const GUEST_COOKIE = "guest";
const A_YEAR_S = 31_536_000;

/** Whether the visitor chose to continue as a guest. Anybody can set the cookie, so it gives access to nothing. */
export function isGuest({ cookies }: FastifyRequest): boolean {
  return cookies[GUEST_COOKIE] !== undefined;
}

/** Remembers that choice for a year. */
export function keepGuest(response: FastifyReply, { isSecure }: { isSecure: boolean }): void {
  response.setCookie(GUEST_COOKIE, "true", { path: "/", sameSite: "lax", secure: isSecure, maxAge: A_YEAR_S });
}
