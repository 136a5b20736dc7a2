import { afterAll, beforeAll, expect, test } from "vitest";
import { buildSiteWhenStale } from "#app/build.ts";
import { residentMegabytes } from "../../bench/processes.ts";
import { expectToSurvive } from "./hostile-requests.ts";
import { openTarget, type Target } from "./open-target.ts";

let target: Target;
beforeAll(async () => {
  await buildSiteWhenStale(() => undefined);
  target = await openTarget();
});
afterAll(() => target.close());

test(
  "SEC-12: 20,000 hostile requests get no 5xx, crash nothing, reveal no internals and leave the books right",
  () => expectToSurvive(target, 20_000),
  600_000,
);

test("REL-12: the memory they used is released within a minute", async () => {
  const { site } = target;
  // 190 to 230 MB after a start, and 450 to 520 MB after the requests above.
  await expect.poll(() => residentMegabytes(site.pid()), { timeout: 60_000, interval: 1000 }).toBeLessThan(280);
});
