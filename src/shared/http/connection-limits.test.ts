import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import Fastify from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { limitPipelining } from "./connection-limits.ts";

const app = Fastify({ connectionTimeout: 500 });
/** Four of them are more than the kernel keeps for a client that reads nothing. */
const page = "x".repeat(4_000_000);
let worked = 0;
let port: number;
beforeAll(async () => {
  limitPipelining(app);
  app.get("/", async () => {
    worked += 1;
    return page;
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  port = (app.server.address() as AddressInfo).port;
});
afterAll(() => app.close());

const open = async (requests: number) => {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.on("error", () => undefined);
  socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".repeat(requests));
  return socket;
};

test("SEC-6: a connection that pipelines too many requests is closed, and they are not processed", async () => {
  const socket = await open(60);
  await once(socket.resume(), "close");
  expect(worked).toBeLessThanOrEqual(4);
});

test("SEC-6: a few pipelined requests are answered, and any number in sequence", async () => {
  const answers = async (requests: number) => {
    const socket = await open(requests);
    let bytes = 0;
    socket.on("data", (chunk) => {
      bytes += chunk.length;
    });
    await expect.poll(() => bytes).toBeGreaterThan(requests * page.length);
    return socket;
  };
  const socket = await answers(4);
  for (let time = 0; time < 3; time += 1) {
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    await once(socket, "data");
  }
  socket.destroy();
});

test("SEC-6: a connection that never reads its answer is closed", async () => {
  const socket = await open(4);
  socket.pause();
  const [server] = await new Promise<number[]>((resolve) => app.server.getConnections((_, count) => resolve([count])));
  expect(server).toBeGreaterThan(0);
  await expect.poll(() => new Promise((resolve) => app.server.getConnections((_, count) => resolve(count)))).toBe(0);
  socket.destroy();
});
