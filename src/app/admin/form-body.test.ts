import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import Fastify from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toAppError } from "#shared/http/answer-errors.ts";
import { limitUploads } from "#shared/http/uploads.ts";
import { parseForms } from "./form-body.ts";

const app = Fastify({ trustProxy: true });
let port: number;
beforeAll(async () => {
  limitUploads(app, { waitMs: 300 });
  parseForms(app);
  app.setErrorHandler((error, _, reply) => reply.code(toAppError(error).status).send());
  app.post("/", async ({ body }) => Object.keys(body as object));
  await app.listen({ port: 0, host: "127.0.0.1" });
  port = (app.server.address() as AddressInfo).port;
});
afterAll(() => app.close());

const LONG = 2_000_000;

/** Begins a long form and leaves it there. */
async function begin(length: string) {
  const socket = connect(port, "127.0.0.1").on("error", () => undefined);
  await once(socket, "connect");
  const type = "Content-Type: application/x-www-form-urlencoded";
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 203.0.113.9\r\n${type}\r\n${length}\r\n\r\n`);
  return socket;
}

async function send(text: string, from: string) {
  const headers = { "content-type": "application/x-www-form-urlencoded", "x-forwarded-for": from };
  const response = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", headers, body: text });
  return response.status;
}

test.each([`Content-Length: ${LONG}`, "Transfer-Encoding: chunked"])(
  "SEC-6: long forms from one network address wait for each other (%s), short ones and those of others do not",
  async (length) => {
    const long = `text=${"x".repeat(LONG - 5)}`;
    const begun = await Promise.all(Array.from({ length: 8 }, () => begin(length)));
    await expect.poll(() => send(long, "203.0.113.9")).toBe(503);
    expect(await send("text=x", "203.0.113.9")).toBe(200);
    expect(await send(long, "198.51.100.7")).toBe(200);
    for (const socket of begun) socket.destroy();
    await expect.poll(() => send(long, "203.0.113.9")).toBe(200);
    // Each gives its share back once it is answered.
    for (let sent = 0; sent < 10; sent++) expect(await send(long, "203.0.113.9")).toBe(200);
  },
);
