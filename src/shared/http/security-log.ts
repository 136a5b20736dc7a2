import type { FastifyRequest } from "fastify";
import { AppError } from "#shared/errors.ts";

/** Logs that somebody requested what belongs to someone else, without names or addresses (API-9). */
export function noteForbiddenAccess(request: FastifyRequest, userId: number | null): void {
  const route = request.routeOptions.url;
  request.log.warn({ security: "not_own", userId, route }, "a member requested what belongs to someone else");
}

/** Logs forbidden access. The refusal is the same whether the thing is another person's or does not exist (API-9). */
export function refuseAccess(request: FastifyRequest, userId: number): AppError {
  noteForbiddenAccess(request, userId);
  return new AppError("not_allowed");
}

/** Logs a request from another site's page. If nothing works for anybody, PUBLIC_URL is not the address in use. */
export function noteForeignOrigin(request: FastifyRequest): void {
  request.log.warn(
    { security: "foreign_origin", route: request.routeOptions.url },
    "a page of another site sent a request; if it was ours, check PUBLIC_URL",
  );
}

/** Logs a message with a forged signature, without its content. */
export function noteForgery(request: FastifyRequest): void {
  request.log.warn(
    { security: "bad_signature", route: request.routeOptions.url },
    "a message was not signed by its sender",
  );
}
