import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import Fastify from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { BOUNDARY, filePart, formType, writeForm } from "#test/application-form.ts";
import { limitUploads, MAX_FILE_BYTES, takeUploads, withUpload } from "./uploads.ts";

const app = Fastify({ trustProxy: true });
let url: string;
const kept: Buffer[] = [];
const hash = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
beforeAll(async () => {
  limitUploads(app, { waitMs: 10_000, paceMs: 300 });
  await takeUploads(app);
  app.post("/", (request) =>
    withUpload(request, ["one", "two"], async ({ files }) => {
      kept.push(...Object.values(files).map(({ bytes }) => bytes));
      return Object.fromEntries(Object.entries(files).map(([name, { bytes }]) => [name, hash(bytes)]));
    }),
  );
  await app.listen({ port: 0, host: "127.0.0.1" });
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
});
afterAll(() => app.close());

/** Partial boundaries and noise, in pieces of any length. */
function tricky(length: number): Buffer {
  const pieces: Buffer[] = [];
  for (let size = 0; size < length; size += pieces.at(-1)!.length) {
    const beginning = `\r\n--${BOUNDARY}`.slice(0, (size * 7) % (BOUNDARY.length + 4));
    const noise = randomBytes(1 + ((size * 31) % 70_000));
    // The boundary's last character here would complete the part before it.
    noise[0] = 0;
    pieces.push(Buffer.concat([noise, Buffer.from(beginning)]));
  }
  return Buffer.concat(pieces).subarray(0, length);
}

test("VOL-11: files arrive byte for byte, however close they come to a boundary, and their memory is released immediately", async () => {
  for (const [first, second] of [
    [9_000_001, 70_000],
    [1, MAX_FILE_BYTES],
    [65_536, 65_535],
    [3_000_000, 5_000_000],
  ] as const) {
    const [one, two] = [tricky(first), tricky(second)];
    const body = new Uint8Array(writeForm([filePart("one", one), filePart("two", two)]));
    const response = await fetch(url, { method: "POST", headers: { "content-type": formType }, body });
    expect(await response.json()).toEqual({ one: hash(one), two: hash(two) });
  }
  expect(kept.map(({ length }) => length)).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
});

test("SEC-6: open forms that send next to nothing are cut off when another one waits, which is then accepted", async () => {
  const slow = await Promise.all(
    Array.from({ length: 6 }, async (_, index) => {
      const socket = connect((app.server.address() as AddressInfo).port, "127.0.0.1");
      await once(socket, "connect");
      socket.on("error", () => undefined);
      const head = `POST / HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 198.51.100.${index}\r\nContent-Type: ${formType}\r\nContent-Length: 20000000\r\n\r\n`;
      socket.write(head + writeForm([filePart("one", "")], { hasEnd: false }).toString("latin1"));
      return { socket, closed: once(socket, "close") };
    }),
  );
  // Two of them hold the budget, and the others are ahead of this one in the queue.
  const body = new Uint8Array(writeForm([filePart("one", tricky(9_000_000)), filePart("two", "small")]));
  const headers = { "content-type": formType, "x-forwarded-for": "203.0.113.9" };
  const response = await fetch(url, { method: "POST", headers, body });
  expect(response.status).toBe(200);
  for (const { socket, closed } of slow) {
    socket.destroy();
    await closed;
  }
});
