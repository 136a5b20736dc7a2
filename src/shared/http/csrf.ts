import { createHmac, randomBytes } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError } from "#shared/errors.ts";
import { isSameSecret } from "./same-secret.ts";

export const CSRF_COOKIE = "XSRF-TOKEN";
const csrfHeader = "x-xsrf-token";

/** Calls that change nothing, as the specification posts them; and a provider's notices, which are signed instead. */
const exempt = new Set(["/api/general-pages", "/api/site-info", "/api/webhooks/braintree"]);

/**
 * API-8: any GET below /api sets a signed token as a readable cookie; every other method must send it back as a header.
 * The signature keeps a neighbouring host from planting a cookie of its own.
 */
export function guardAgainstForgery(
  app: FastifyInstance,
  { secretKey, isSecure }: { secretKey: string; isSecure: boolean },
) {
  const sign = (random: string) =>
    createHmac("sha256", secretKey).update(`csrf:${random}`).digest("base64url").slice(0, 22);
  const isOurs = (token: string | undefined): token is string => {
    const [random = "", signature = ""] = token?.split(".") ?? [];
    return random.length === 24 && isSameSecret(signature, sign(random));
  };
  const isRead = ({ method }: FastifyRequest) => method === "GET" || method === "HEAD";
  app.addHook("onRequest", async (request, response) => {
    if (!isRead(request) || isOurs(request.cookies[CSRF_COOKIE])) return;
    const random = randomBytes(18).toString("base64url");
    response.setCookie(CSRF_COOKIE, `${random}.${sign(random)}`, { path: "/", sameSite: "lax", secure: isSecure });
  });
  // Behind the parsing of the body, so that a request which nobody could answer hears that first (API-11).
  app.addHook("preHandler", async (request) => {
    if (isRead(request)) return;
    const held = request.cookies[CSRF_COOKIE];
    const sent = request.headers[csrfHeader];
    const isGuarded = !exempt.has(request.url.split("?", 1)[0] ?? "");
    if (isGuarded && !(isOurs(held) && typeof sent === "string" && isSameSecret(sent, held)))
      throw new AppError("csrf");
  });
}
