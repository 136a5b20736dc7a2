import { request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { setImmediate as turn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import Fastify, { type FastifyInstance } from "fastify";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Answered, createReadyAnswers } from "./ready-answers.ts";

let app: FastifyInstance;
let isCurrent: boolean;
/** How often the framework answered. */
let built: number;
let noted: (Answered & { id: string })[];
let headers: Record<string, string>;
let body: Buffer | undefined;

beforeEach(async () => {
  [isCurrent, built, noted, headers] = [true, 0, [], { "cache-control": "public, max-age=0", vary: "accept-encoding" }];
  body = undefined;
  app = Fastify();
  const ready = createReadyAnswers(app, (answered, id) => void noted.push({ ...answered, id }));
  app.get("/page", async (request, reply) => {
    built += 1;
    ready.keep(request, () => isCurrent);
    reply.headers({ etag: '"1"', "x-frame-options": "DENY", ...headers });
    if (request.headers["if-none-match"] === '"1"') return reply.code(304).send();
    return reply.type("text/html").send(body ?? Buffer.from(`page ${built}`));
  });
  app.get("/file", async (request, reply) => {
    built += 1;
    ready.keep(request, () => true);
    return reply.headers(headers).send(Readable.from([Buffer.from("a file")]));
  });
  app.get("/unmarked", async (_, reply) => {
    built += 1;
    return reply.headers(headers).send(Buffer.from(`unmarked ${built}`));
  });
  ready.store();
  await app.listen({ port: 0, host: "127.0.0.1" });
});
afterEach(() => app.close());

async function get(path: string, sent: Record<string, string> = {}, method = "GET") {
  const { port } = app.server.address() as AddressInfo;
  return new Promise<{ status?: number | undefined; headers: object; body: string }>((resolve, reject) => {
    send({ port, path, method, headers: sent }, async (response) => {
      const { date: _, ...others } = response.headers;
      resolve({ status: response.statusCode, headers: others, body: String(await buffer(response)) });
    })
      .once("error", reject)
      .end();
  });
}

test("PERF-3: a public answer is repeated with the same status, headers and bytes, and noted", async () => {
  const first = await get("/page");
  const second = await get("/page");
  expect(first).toMatchObject({ status: 200, body: "page 1", headers: { "x-frame-options": "DENY", etag: '"1"' } });
  expect(second).toEqual(first);
  expect(built).toBe(1);
  expect(noted).toMatchObject([{ method: "GET", route: "/page", status: 200, isRoutine: false }]);
  expect(noted[0]!.id).not.toBe("");
});

test("PERF-3: a file's stream is read once", async () => {
  const first = await get("/file");
  expect(await get("/file")).toMatchObject({ ...first, headers: { "content-length": "6" }, body: "a file" });
  expect(built).toBe(1);
});

test("PERF-3: an unchanged page is 304 without a body, as before", async () => {
  const first = await get("/page", { "if-none-match": '"1"' });
  expect(first).toMatchObject({ status: 304, body: "" });
  expect(await get("/page", { "if-none-match": '"1"' })).toEqual(first);
  expect(built).toBe(1);
  expect((await get("/page", { "if-none-match": '"0"' })).status).toBe(200);
});

test("PERF-3: content that has changed is not repeated", async () => {
  await get("/page");
  isCurrent = false;
  expect((await get("/page")).body).toBe("page 2");
});

test.each([
  ["another encoding", "/page", { "accept-encoding": "br" }, "GET"],
  ["another query", "/page?x=1", {}, "GET"],
  ["a part", "/page", { range: "bytes=0-1" }, "GET"],
  ["an authorisation", "/page", { authorization: "Bearer x" }, "GET"],
  ["a body", "/page", { "content-length": "0" }, "GET"],
  ["a head", "/page", {}, "HEAD"],
])("PERF-3: %s is asked of the framework", async (_, path, sent, method) => {
  await get("/page");
  await get(path, sent, method);
  expect(built).toBe(2);
});

test.each([
  { "cache-control": "private, max-age=0" },
  { "cache-control": "no-store" },
  { vary: "cookie, accept-encoding" },
  { "set-cookie": "a=1" },
])("PERF-3: what is not for everybody is never repeated: %o", async (own) => {
  Object.assign(headers, own);
  await get("/page");
  await get("/page");
  expect(built).toBe(2);
});

test("PERF-3: only what its route has marked is repeated", async () => {
  await get("/unmarked");
  expect((await get("/unmarked")).body).toBe("unmarked 2");
});

test("PERF-3: a repeated answer has every byte, and leaves in one piece with its headers", async () => {
  const bytes = Uint8Array.from({ length: 5000 }, (_, index) => index % 256);
  let pieces = 0;
  app.server.on("connection", (socket) => {
    const { _writev } = socket;
    socket._writev = (...args) => {
      pieces += 1;
      _writev!.apply(socket, args);
    };
  });
  body = Buffer.from(bytes);
  const { port } = app.server.address() as AddressInfo;
  const read = async () => (await fetch(`http://127.0.0.1:${port}/page`)).bytes();
  expect(await read()).toEqual(bytes);
  expect(pieces).toBe(1);
  expect(await read()).toEqual(bytes);
  expect(pieces).toBe(1);
  expect(built).toBe(1);
});

test("PERF-15: the last repeated response stays in memory, and no other", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const responses: WeakRef<object>[] = [];
  app.server.prependListener("request", (_, response) => void responses.push(new WeakRef(response)));
  for (let time = 0; time < 3; time += 1) await get("/page");
  await turn();
  collect();
  expect(responses.map((response) => response.deref() !== undefined)).toEqual([false, false, true]);
});
