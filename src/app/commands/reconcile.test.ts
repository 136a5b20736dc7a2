import { execFile } from "node:child_process";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { dayInSydney } from "#shared/sydney.ts";
import { openTestSite, type TestSite } from "#test/site.ts";

const program = join(import.meta.dirname, "reconcile.ts");
let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
});
afterEach(() => site.simulator.clearFaults());
afterAll(() => site.close());

/** Runs the command as a process of its own, on the site's database and simulators. */
function run(words: string[]): Promise<{ code: number; said: string }> {
  const { config, services } = site;
  const env = {
    PATH: process.env.PATH,
    DATA_DIR: config.dataDir,
    DATABASE_URL: services.databaseUrl,
    PAYWAY_URL: config.payway.url,
    BRAINTREE_URL: config.braintree.url,
    RECONCILE_DAYS: "1",
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...words], { env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), said: `${stdout}${stderr}` });
    });
  });
}

test("REL-1: npm run reconcile prints the report, and its exit code says whether the books are equal", async () => {
  const today = dayInSydney(new Date());
  await site.give(await site.visitor());
  const equal = await run([today]);
  expect(equal).toMatchObject({ code: 0, said: expect.stringContaining("All equal") });
  expect(equal.said).toContain("By our ledger: $106.58");
  expect(equal.said).not.toContain(site.config.organisation.phone);

  const [charge] = await site.simulator.listLedger();
  await site.pool.query("update payment_attempts set state = 'failed'");
  const different = await run([today]);
  expect(different.code).toBe(1);
  expect(different.said).toContain(`$0.00, PayWay $106.58`);
  expect(different.said).toContain(`transaction ${charge!.transactionId}`);
  expect(different.said).toContain("2 differences");

  await site.simulator.installFault({ match: { provider: "braintree", op: "search" }, do: "search_500" });
  const unread = await run([today]);
  expect(unread.code).toBe(2);
  expect(unread.said).toContain("The books of Braintree (PayPal) could not be compared:");
  expect(await run(["yesterday"])).toMatchObject({ code: 2, said: expect.stringContaining("yesterday is not a day") });
  expect(await run(["2099-01-01"])).toMatchObject({
    code: 2,
    said: expect.stringContaining("is not a day that has begun"),
  });
}, 120_000);
