import { afterAll, beforeAll, expect, test } from "vitest";
import { buildSiteWhenStale } from "#app/build.ts";
import { residentMegabytes } from "../../bench/processes.ts";
import { findFault } from "./fuzz.ts";
import { expectToSurvive } from "./hostile-requests.ts";
import { openTarget, type Target } from "./open-target.ts";

let target: Target;
beforeAll(async () => {
  await buildSiteWhenStale(() => undefined);
  target = await openTarget();
});
afterAll(() => target.close());

test("SEC-12: 600 hostile requests get no 5xx, crash nothing, reveal no internals and leave the books right", () =>
  expectToSurvive(target, 600));

test("REL-12: the memory they used is released within a minute", async () => {
  const { site } = target;
  // 190 to 230 MB after a start, and 450 to 520 MB after the requests above.
  await expect.poll(() => residentMegabytes(site.pid()), { timeout: 60_000, interval: 1000 }).toBeLessThan(280);
});

test("SEC-12: the check of answers finds every planted fault", () => {
  const request = { label: "", bytes: Buffer.alloc(0), methods: ["GET"], isLast: false };
  const reply = (status: number, body = "") => ({ replies: [{ status, head: "", body }], end: "answered" as const });
  expect(findFault(request, reply(200))).toBeUndefined();
  expect(findFault(request, reply(500))).toMatch("500");
  expect(findFault(request, reply(404, "Error\n    at read (/site/server.ts:12:4)"))).toMatch("innards");
  expect(findFault(request, { replies: [], end: "silent" })).toBe("no answer");
  expect(findFault(request, { replies: [], end: "closed" })).toBe("closed without an answer");
  expect(findFault({ ...request, methods: [], isLast: true }, { replies: [], end: "closed" })).toBeUndefined();
});
