import { createHash, randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import Fastify from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { BOUNDARY, filePart, formType, writeForm } from "#test/application-form.ts";
import { LARGEST_FILE, limitUploads, takeUploads, withUpload } from "./uploads.ts";

const app = Fastify();
let url: string;
const kept: Buffer[] = [];
const hash = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
beforeAll(async () => {
  limitUploads(app, { waitMs: 1000 });
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

/** Beginnings of boundaries, and noise, in pieces of any length. */
function tricky(length: number): Buffer {
  const pieces: Buffer[] = [];
  for (let size = 0; size < length; size += pieces.at(-1)!.length) {
    const beginning = `\r\n--${BOUNDARY}`.slice(0, (size * 7) % (BOUNDARY.length + 4));
    pieces.push(Buffer.concat([randomBytes(1 + ((size * 31) % 70_000)), Buffer.from(beginning)]));
  }
  return Buffer.concat(pieces).subarray(0, length);
}

test("VOL-11: files arrive byte for byte, however close they come to a boundary, and their memory is given back at once", async () => {
  for (const [first, second] of [
    [9_000_001, 70_000],
    [1, LARGEST_FILE],
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
