import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { FastifyInstance } from "fastify";

/** Makes a server, and lists every route registered on it; GET includes HEAD. */
export async function collectRoutes<Made>(make: () => Promise<Made>): Promise<{ made: Made; routes: string[] }> {
  const routes = new Set<string>();
  const listen = (message: unknown) =>
    (message as { fastify: FastifyInstance }).fastify.addHook("onRoute", ({ method, url }) => {
      for (const one of [method].flat()) if (one !== "HEAD") routes.add(`${one} ${url}`);
    });
  subscribe("fastify.initialization", listen);
  try {
    return { made: await make(), routes: [...routes].sort() };
  } finally {
    unsubscribe("fastify.initialization", listen);
  }
}
