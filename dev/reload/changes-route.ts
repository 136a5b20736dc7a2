import { randomUUID } from "node:crypto";
import type { FastifyInstance } from "fastify";

/** Sends the server's id to open pages; a page that gets a new id reloads. */
export function addChangesRoute(app: FastifyInstance): void {
  const server = randomUUID();
  app.get("/dev/changes", { schema: { hide: true }, logLevel: "warn" }, (_request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    reply.raw.write(`retry: 100\ndata: ${server}\n\n`);
  });
}
