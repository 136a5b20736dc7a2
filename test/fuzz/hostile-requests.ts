import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { compareBooks, faultsOf, noFaults } from "../books.ts";
import { fuzz } from "./fuzz.ts";
import type { Target } from "./open-target.ts";

/** Sends this many hostile requests, and checks the outcome against SEC-12. */
export async function expectToSurvive(target: Target, count: number) {
  const { site, ground, port, isAlive, prepare, pool, simulator } = target;
  const report = await fuzz(ground, {
    port,
    seed: 20_261_122,
    count,
    connections: 8,
    silentMs: 30_000,
    isAlive,
    prepare,
  });
  expect(report.faults).toEqual([]);
  expect(report.sent).toBeGreaterThan(count);
  // The requests get far enough: some succeed, and many are refused for different reasons.
  for (const status of [200, 204, 302, 400, 401, 403, 404, 405, 413, 415, 422, 431]) {
    expect(report.statuses[status] ?? 0, String(status)).toBeGreaterThan(0);
  }
  expect(
    readFileSync(site.logFile, "utf8")
      .split("\n")
      .filter((line) => /"level":[56]0/.test(line)),
  ).toEqual([]);
  expect(faultsOf(await compareBooks(pool, await simulator.listLedger()))).toEqual(noFaults);
}
