import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { dayInSydney } from "#shared/language.ts";
import { runOnSite, runWithin } from "#test/run-command.ts";
import { openTestSite, type TestSite } from "#test/site.ts";
import { reconcileCommand } from "./reconcile.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite({ RECONCILE_DAYS: "1" });
});
afterEach(() => site.simulator.clearFaults());
afterAll(() => site.close());

const UNREAD = 2;
const program = join(import.meta.dirname, "reconcile.ts");

/** What it prints, on standard output or standard error. */
async function run(words: string[], how = runWithin(site.services, reconcileCommand, words, UNREAD)) {
  const { code, stdout, stderr } = await how;
  return { code, stdout: `${stdout}${stderr}` };
}

test("REL-1: npm run reconcile prints the report, and its exit code says whether the books are equal", async () => {
  const today = dayInSydney(new Date());
  await site.give(await site.visitor());
  const equal = await run([today], runOnSite(site, program, [today], { env: { RECONCILE_DAYS: "1" } }));
  expect(equal).toMatchObject({ code: 0, stdout: expect.stringContaining("All equal") });
  expect(equal.stdout).toContain("By our ledger: $106.58");
  expect(equal.stdout).not.toContain(site.config.organisation.phone);

  const [charge] = await site.simulator.listLedger();
  await site.pool.query("update payment_attempts set state = 'failed'");
  const different = await run([today]);
  expect(different.code).toBe(1);
  expect(different.stdout).toContain(`$0.00, PayWay has $106.58`);
  expect(different.stdout).toContain(`transaction ${charge!.transactionId}`);
  expect(different.stdout).toContain("2 differences");

  await site.simulator.installFault({ match: { provider: "braintree", op: "search" }, do: "search_500" });
  const unread = await run([today]);
  expect(unread.code).toBe(2);
  expect(unread.stdout).toContain("We couldn’t compare the books of Braintree (PayPal):");
  expect(await run(["yesterday"])).toMatchObject({
    code: 2,
    stdout: expect.stringContaining("yesterday is not a day"),
  });
  expect(await run(["2099-01-01"])).toMatchObject({
    code: 2,
    stdout: expect.stringContaining("is not a day, or has not begun"),
  });
});
