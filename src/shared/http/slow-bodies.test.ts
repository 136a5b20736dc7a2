import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import Fastify from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cutSlowBodies } from "./connection-limits.ts";

const app = Fastify();
let port: number;
beforeAll(async () => {
  cutSlowBodies(app, { bodyMs: 200, uploadMs: 600 });
  app.addContentTypeParser(
    "multipart/form-data",
    (_, payload, done) => void payload.resume().on("end", () => done(null)),
  );
  app.post("/json", async () => "taken");
  app.post("/slow", async () => sleep(400, "answered late"));
  app.post("/files", { schema: { consumes: ["multipart/form-data"] } }, async () => "taken");
  await app.listen({ port: 0, host: "127.0.0.1" });
  port = (app.server.address() as AddressInfo).port;
});
afterAll(() => app.close());

async function open(path: string, type: string, length: number, body: string): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n${body}`);
  return socket;
}

async function waitForCut(socket: Socket): Promise<number> {
  const began = performance.now();
  const drip = setInterval(() => socket.write(" "), 50);
  await new Promise((resolve) => {
    socket
      .resume()
      .on("error", () => undefined)
      .once("close", resolve);
  });
  clearInterval(drip);
  return performance.now() - began;
}

const json = "application/json";
const form = "multipart/form-data; boundary=x";

test("API-11: a trickling body is cut off after its time, and a form with files after a longer time", async () => {
  const order: string[] = [];
  const timeOf = async (name: string, opened: Promise<Socket>) => {
    const milliseconds = await waitForCut(await opened);
    order.push(name);
    return milliseconds;
  };
  const [files, body] = await Promise.all([
    timeOf("files", open("/files", form, 1000, "--x")),
    timeOf("body", open("/json", json, 1000, "{")),
    timeOf("elsewhere", open("/json", form, 1000, "--x")),
  ]);
  expect(body).toBeGreaterThan(150);
  expect(files).toBeGreaterThan(550);
  expect(order.at(-1)).toBe("files");
});

test("API-11: a sender of a whole body is not cut off, however long the answer takes", async () => {
  const socket = await open("/slow", json, 2, "{}");
  const [answer] = await once(socket, "data");
  expect(String(answer)).toContain("answered late");
  await sleep(300);
  socket.write(`POST /json HTTP/1.1\r\nHost: x\r\nContent-Type: ${json}\r\nContent-Length: 2\r\n\r\n{}`);
  expect(String((await once(socket, "data"))[0])).toContain("taken");
  socket.destroy();
});
