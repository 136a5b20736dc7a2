import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { dayInSydney } from "#shared/language.ts";
import { runOnSite, runWithin } from "#test/run-command.ts";
import { openTestSite, type TestSite } from "#test/site.ts";
import { reconcileCommand } from "./reconcile.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite({ RECONCILE_DAYS: "1" });
});
afterAll(() => site.close());

const UNREAD = 2;

test("REL-16: a site that takes no payments has nothing to compare", async () => {
  const config = { ...site.services.config, paymentMode: "off" } as const;
  const off = await runWithin({ ...site.services, config }, reconcileCommand, [], UNREAD);
  expect(off).toMatchObject({ code: 0, stdout: expect.stringContaining("Payments are off") });
});

test("REC-39: a comparison whose command is killed is started again at once", async () => {
  const day = dayInSydney(new Date());
  await site.give(await site.visitor());
  await site.simulator.installFault({ match: { op: "search" }, do: "hang_before" });
  const killing = new AbortController();
  const program = join(import.meta.dirname, "reconcile.ts");
  const ended = runOnSite(site, program, [day], { env: { RECONCILE_DAYS: "1" }, killed: killing.signal });
  const readStates = async () => (await site.pool.query("select state from reconciliation_runs")).rows;
  await vi.waitFor(async () => expect(await readStates()).toEqual([{ state: "running" }]), { timeout: 60_000 });
  killing.abort();
  await ended;
  await site.simulator.clearFaults();
  expect(await readStates()).toEqual([{ state: "running" }]);
  // PostgreSQL may take a moment to notice.
  await vi.waitFor(
    async () => {
      const { code, stdout } = await runWithin(site.services, reconcileCommand, [day], UNREAD);
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("All equal") });
    },
    { timeout: 60_000 },
  );
});
