import type { FastifyRequest } from "fastify";

/** Tells whoever watches the site that somebody reached for what is another's: no names, no addresses (API-9). */
export function noteTrespass(request: FastifyRequest, userId: number | null): void {
  const route = request.routeOptions.url;
  request.log.warn({ security: "not_own", userId, route }, "somebody asked for what is another's");
}
