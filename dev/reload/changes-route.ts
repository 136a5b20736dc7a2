import { randomUUID } from "node:crypto";
import type { FastifyInstance } from "fastify";

/** Sends open pages the server's id: a page that gets a new one reloads. */
export function addChangesRoute(app: FastifyInstance): void {
  const server = randomUUID();
  app.get("/dev/changes", { schema: { hide: true }, logLevel: "warn" }, (_request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    reply.raw.write(`retry: 100\ndata: ${server}\n\n`);
  });
}
