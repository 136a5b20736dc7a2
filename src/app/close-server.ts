import { Server } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";

/** How long a connection that is kept open may still bring a request, which is answered and closes it. */
const KEEP_ALIVE_MS = 750;
/** How long requests that came before may take, while no payment is under way. */
const FINISH_MS = 1500;
/** For an answer to travel once its payment is settled. */
const ANSWER_MS = 250;

/**
 * Refuses new connections at once, answers every request on those that are open, and closes each with its answer. Requests
 * that take longer than 1.5 s are cut off, unless `payments` is still waiting for a provider.
 */
export async function closeServer(app: FastifyInstance, payments: { finish(): Promise<void> }): Promise<void> {
  const { server } = app;
  server.prependListener("request", (_, response) => response.setHeader("connection", "close"));
  // The HTTP server's own close would reset idle connections on which a request may be on its way.
  const closed = new Promise<void>((resolve) => void Server.prototype.close.call(server, () => resolve()));
  const deadline = Promise.all([sleep(FINISH_MS), payments.finish()]).then(() => sleep(ANSWER_MS));
  await Promise.race([closed, sleep(KEEP_ALIVE_MS)]);
  const closeIdle = setInterval(() => server.closeIdleConnections(), 20);
  await Promise.race([closed, deadline]);
  clearInterval(closeIdle);
  server.closeAllConnections();
  await app.close();
}
