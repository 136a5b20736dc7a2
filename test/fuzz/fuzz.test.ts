import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildSiteWhenStale } from "#app/build.ts";
import { residentMegabytes } from "../../bench/processes.ts";
import { compareBooks, faultsOf, noFaults } from "../books.ts";
import { findFault, fuzz } from "./fuzz.ts";
import { openTarget, type Target } from "./open-target.ts";

let target: Target;
beforeAll(async () => {
  await buildSiteWhenStale(() => undefined);
  target = await openTarget();
}, 180_000);
afterAll(() => target.close());

test("SEC-12: 20,000 hostile requests get no 5xx, crash nothing, show no innards and leave the books right", async () => {
  const { site, ground, port, isAlive, prepare, pool, simulator } = target;
  const report = await fuzz(ground, {
    port,
    seed: 20_261_122,
    count: 20_000,
    connections: 8,
    silentMs: 30_000,
    isAlive,
    prepare,
  });
  expect(report.faults).toEqual([]);
  expect(report.sent).toBeGreaterThan(20_000);
  // They get past the door: something is done, much is refused for many reasons.
  for (const status of [200, 204, 302, 400, 401, 403, 404, 405, 413, 415, 422, 431]) {
    expect(report.statuses[status] ?? 0, String(status)).toBeGreaterThan(0);
  }
  expect(
    readFileSync(site.logFile, "utf8")
      .split("\n")
      .filter((line) => /"level":[56]0/.test(line)),
  ).toEqual([]);
  expect(faultsOf(await compareBooks(pool, await simulator.listLedger()))).toEqual(noFaults);
}, 600_000);

test("REL-12: what memory they took goes back within a minute", async () => {
  const { site } = target;
  // 190 to 230 MB after a start, and 450 to 520 MB behind the requests above.
  await expect.poll(() => residentMegabytes(site.pid()), { timeout: 60_000, interval: 1000 }).toBeLessThan(280);
}, 70_000);

test("SEC-12: what the look at an answer must find, it finds", () => {
  const request = { label: "", bytes: Buffer.alloc(0), methods: ["GET"], isLast: false };
  const reply = (status: number, body = "") => ({ replies: [{ status, head: "", body }], end: "answered" as const });
  expect(findFault(request, reply(200))).toBeUndefined();
  expect(findFault(request, reply(500))).toMatch("500");
  expect(findFault(request, reply(404, "Error\n    at read (/site/server.ts:12:4)"))).toMatch("innards");
  expect(findFault(request, { replies: [], end: "silent" })).toBe("no answer");
  expect(findFault(request, { replies: [], end: "closed" })).toBe("closed without an answer");
  expect(findFault({ ...request, methods: [], isLast: true }, { replies: [], end: "closed" })).toBeUndefined();
});
