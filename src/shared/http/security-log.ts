import type { FastifyRequest } from "fastify";
import { AppError } from "#shared/errors.ts";

/** Tells whoever watches the site that somebody reached for what is another's: no names, no addresses (API-9). */
export function noteForbiddenAccess(request: FastifyRequest, userId: number | null): void {
  const route = request.routeOptions.url;
  request.log.warn({ security: "not_own", userId, route }, "somebody asked for what is another's");
}

/** Notes forbidden access, and is the refusal: the same for another person's and for nobody's (API-9). */
export function refuseAccess(request: FastifyRequest, userId: number): AppError {
  noteForbiddenAccess(request, userId);
  return new AppError("not_allowed");
}

/** Tells it of a request from another site's page. If nothing works for anybody, PUBLIC_URL is not the address that people use. */
export function noteForeignOrigin(request: FastifyRequest): void {
  request.log.warn(
    { security: "foreign_origin", route: request.routeOptions.url },
    "a page of another site sent a request; if it was ours, check PUBLIC_URL",
  );
}

/** Tells the same of a message that claims to come from a provider and is not signed by it: nothing of what it says. */
export function noteForgery(request: FastifyRequest): void {
  request.log.warn(
    { security: "bad_signature", route: request.routeOptions.url },
    "a message was not signed by its sender",
  );
}
