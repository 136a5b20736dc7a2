import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { testCards } from "#simulators/control.ts";
import { formType } from "../application-form.ts";
import { openWholeSite, type WholeSite } from "./whole-site.ts";

let site: WholeSite;
beforeAll(async () => {
  site = await openWholeSite();
  await site.app.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(() => site.close());

const alarms = () => site.lines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50);
const countErrors = async () => Number(/^http_errors_total (\d+)/m.exec((await site.app.inject("/metrics")).body)![1]);
const countConnections = () =>
  new Promise<number>((resolve) => site.app.server.getConnections((_, count) => resolve(count)));

/** Starts a request whose body never ends; returns once the server has its headers. */
async function begin(head: string, body: string): Promise<Socket> {
  const socket = connect((site.app.server.address() as AddressInfo).port, "127.0.0.1");
  const seen = once(site.app.server, "request");
  socket.write(`POST ${head}\r\nhost: 127.0.0.1\r\n${body}`);
  await seen;
  return socket;
}

async function breakOff(socket: Socket) {
  const before = await countConnections();
  socket.destroy();
  await expect.poll(countConnections).toBe(before - 1);
}

test("REL-4: client mistakes, interrupted requests and declined cards raise no alarm", async () => {
  const visitor = await site.visitor();
  const { cookie, "x-xsrf-token": token } = visitor.identity;
  const own = `cookie: ${cookie}\r\nx-xsrf-token: ${token}\r\n`;
  const json = `content-type: application/json\r\ncontent-length: 1000\r\n${own}\r\n{"name":`;
  const form = `content-type: ${formType}\r\ncontent-length: 22000000\r\n${own}\r\n--x`;
  await breakOff(await begin("/api/contact HTTP/1.1", json));
  await breakOff(await begin("/contact HTTP/1.1", json));
  const read = await begin("/api/volunteer/create HTTP/1.1", form);
  // One form at a time is read from an address, so this one waits.
  await breakOff(await begin("/api/volunteer/create HTTP/1.1", form));
  await breakOff(read);
  for (const request of [
    { method: "POST", url: "/api/contact", payload: "{", headers: { "content-type": "application/json" } },
    { method: "POST", url: "/contact", payload: "x".repeat(100_000), headers: { "content-type": "text/plain" } },
    { method: "GET", url: "/favicon.ico", headers: { range: "bytes=90-99" } },
    { method: "GET", url: "/%00" },
  ]) {
    expect((await visitor.ask(request)).statusCode).toBeLessThan(500);
  }
  const { answer } = await site.give(visitor, { card: testCards.declined });
  expect(answer.code).toBe("402");
  expect(alarms()).toEqual([]);
  expect(await countErrors()).toBe(0);
});

test("REL-4: a failure of ours counts once, and is in the log with its incident number", async () => {
  vi.spyOn(site.services.sessions, "require").mockRejectedValueOnce(new Error("planted"));
  const { statusCode, body } = await site.app.inject("/api/sessions");
  expect(statusCode).toBe(500);
  expect(alarms()).toMatchObject([{ msg: "request failed" }]);
  expect(body).toContain(alarms()[0].incident);
  expect(await countErrors()).toBe(1);
});
