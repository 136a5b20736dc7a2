import { createHmac, randomBytes } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "#shared/errors.ts";
import { isSameSecret } from "./same-secret.ts";
import { noteForeignOrigin } from "./security-log.ts";

export const CSRF_COOKIE = "XSRF-TOKEN";
const csrfHeader = "x-xsrf-token";

/** Signed by their sender, which has neither a session nor a page of ours. */
const webhooks = new Set(["/api/webhooks/braintree"]);
/** Calls that change nothing, as the specification posts them. */
const harmless = new Set(["/api/general-pages", "/api/site-info"]);

const isRead = ({ method }: FastifyRequest) => method === "GET" || method === "HEAD" || method === "OPTIONS";

export type CsrfTokens = ReturnType<typeof createCsrfTokens>;

/**
 * Tokens against forged requests. Each is signed for one session's token, or for none (""), so that a guest's or another
 * session's is worth nothing in a session (SEC-7).
 */
export function createCsrfTokens({ secretKey, isSecure }: { secretKey: string; isSecure: boolean }) {
  const sign = (random: string, session: string) =>
    createHmac("sha256", secretKey).update(`csrf\n${session}\n${random}`).digest("base64url").slice(0, 22);
  return {
    isFor(token: string | undefined, session: string): token is string {
      const [random = "", signature = ""] = token?.split(".") ?? [];
      return random.length === 24 && isSameSecret(signature, sign(random, session));
    },

    /** Gives the browser a fresh one, for the session that it has once this answer is there. */
    give(response: FastifyReply, session: string): void {
      const random = randomBytes(18).toString("base64url");
      const value = `${random}.${sign(random, session)}`;
      response.setCookie(CSRF_COOKIE, value, { path: "/", sameSite: "lax", secure: isSecure });
    },
  };
}

/**
 * SEC-7: refuses what a page of another site sent, before anything else of it is looked at. Ours are the origin of
 * `publicUrl` and the host that the request was sent to, since a site may answer at several. A client that is no browser
 * sends no `Origin`.
 */
export function refuseForeignOrigins(app: FastifyInstance, { publicUrl }: { publicUrl: string }): void {
  const home = new URL(publicUrl);
  const isOurs = (sent: string, host: string) => {
    const origin = URL.parse(sent);
    if (origin === null) return false;
    return origin.origin === home.origin || (origin.host === host && !isDowngrade(origin, home));
  };
  app.addHook("onRequest", async (request) => {
    if (isRead(request) || webhooks.has(request.routeOptions.url ?? "")) return;
    const { origin, "sec-fetch-site": site } = request.headers;
    if (site !== "cross-site" && (origin === undefined || isOurs(origin, request.host))) return;
    noteForeignOrigin(request);
    throw new AppError("foreign_origin");
  });
}

/** A page without encryption may be anybody's who sits on the line. */
const isDowngrade = (origin: URL, home: URL) => home.protocol === "https:" && origin.protocol !== "https:";

/**
 * API-8: any GET below /api sets a signed token as a readable cookie; every other method must send it back as a header.
 * The signature keeps a neighbouring host from planting a cookie of its own.
 */
export function guardAgainstForgery(
  app: FastifyInstance,
  csrf: CsrfTokens,
  { tokenOf }: { tokenOf: (request: FastifyRequest) => string },
) {
  app.addHook("onRequest", async (request, response) => {
    const session = tokenOf(request);
    if (isRead(request) && !csrf.isFor(request.cookies[CSRF_COOKIE], session)) csrf.give(response, session);
  });
  // Behind the parsing of the body, so that a request which nobody could answer hears that first (API-11).
  app.addHook("preHandler", async (request) => {
    const { url = "" } = request.routeOptions;
    if (isRead(request) || webhooks.has(url) || harmless.has(url)) return;
    const held = request.cookies[CSRF_COOKIE];
    const sent = request.headers[csrfHeader];
    if (!(csrf.isFor(held, tokenOf(request)) && typeof sent === "string" && isSameSecret(sent, held)))
      throw new AppError("csrf");
  });
}
