import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/** Browsers and proxies send the next request when they have the answer. */
const MOST_PIPELINED = 4;

/**
 * Closes a connection that asks on without reading its answers: each of them would keep its request and its answer in
 * memory, and all of them would be worked on before anybody else's next request.
 */
export function limitPipelining(app: FastifyInstance): void {
  const underWay = new WeakMap<Socket, number>();
  app.addHook("onRequest", (request, reply, done) => {
    const { socket } = request;
    const count = (underWay.get(socket) ?? 0) + 1;
    underWay.set(socket, count);
    reply.raw.once("close", () => underWay.set(socket, underWay.get(socket)! - 1));
    if (count > MOST_PIPELINED || socket.destroyed) {
      reply.hijack();
      socket.destroy();
    }
    done();
  });
}
