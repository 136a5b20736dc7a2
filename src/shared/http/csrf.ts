import { createHmac, randomBytes } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "#shared/errors.ts";
import { isSameSecret } from "./same-secret.ts";
import { noteForeignOrigin } from "./security-log.ts";

const CSRF_COOKIE = "XSRF-TOKEN";
const csrfHeader = "x-xsrf-token";

/** Signed by their sender, who has no session and no page of ours. */
const webhooks = new Set(["/api/webhooks/braintree"]);
/** Calls that change nothing but are POST in the specification. */
const harmless = new Set(["/api/general-pages", "/api/site-info"]);

const isRead = ({ method }: FastifyRequest) => method === "GET" || method === "HEAD" || method === "OPTIONS";

export type CsrfTokens = ReturnType<typeof createCsrfTokens>;

/** CSRF tokens, signed for one session's token or for none (""): no other token is valid in a session (SEC-7). */
export function createCsrfTokens({ secretKey, isSecure }: { secretKey: string; isSecure: boolean }) {
  const sign = (random: string, session: string) =>
    createHmac("sha256", secretKey).update(`csrf\n${session}\n${random}`).digest("base64url").slice(0, 22);
  return {
    isFor(token: string | undefined, session: string): token is string {
      const [random = "", signature = ""] = token?.split(".") ?? [];
      return random.length === 24 && isSameSecret(signature, sign(random, session));
    },

    /** Sets a new token, for the session that the browser has after this answer. */
    give(response: FastifyReply, session: string): void {
      const random = randomBytes(18).toString("base64url");
      const value = `${random}.${sign(random, session)}`;
      response.setCookie(CSRF_COOKIE, value, { path: "/", sameSite: "lax", secure: isSecure });
    },
  };
}

/**
 * SEC-7: refuses requests from other sites' pages, before anything else. Our own origins are that of `publicUrl` and
 * the requested host, because a site may have several. Clients other than browsers send no `Origin`.
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

/** Anybody on the network may have changed an unencrypted page. */
const isDowngrade = (origin: URL, home: URL) => home.protocol === "https:" && origin.protocol !== "https:";

/**
 * API-8: every GET below /api sets a signed token as a readable cookie; other methods must return it in a header. The
 * signature keeps a neighbouring host from planting its own cookie.
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
  // After the body is parsed, so that a malformed request is reported first (API-11).
  app.addHook("preHandler", async (request) => {
    const { url = "" } = request.routeOptions;
    if (isRead(request) || webhooks.has(url) || harmless.has(url)) return;
    const held = request.cookies[CSRF_COOKIE];
    const sent = request.headers[csrfHeader];
    if (!(csrf.isFor(held, tokenOf(request)) && typeof sent === "string" && isSameSecret(sent, held)))
      throw new AppError("csrf");
  });
}
