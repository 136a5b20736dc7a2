import { afterAll, beforeAll, expect, test } from "vitest";
import { buildServer } from "#app/server.ts";
import { listMigrations } from "#database/migrate.ts";
import { runWithin } from "#test/run-command.ts";
import { createVisitor, openTestSite, type TestSite } from "#test/site.ts";
import { followPause } from "../backups/pause.ts";
import { reopenCommand } from "./reopen.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite({ RECONCILE_DAYS: "1" });
});
afterAll(() => site.close());

const run = (words: string[]) => runWithin(site.services, reopenCommand, words, 2);
const numbersOf = async () =>
  (await site.pool.query("select number from receipts order by number")).rows.map(({ number }) => Number(number));

test("BAK-4, AUD-4: a restored site shows pages, changes nothing and works on nothing; once it is open, no receipt's number is given again", async () => {
  expect(await run(["--last-receipt", "none"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("not paused"),
  });
  await site.give(await site.visitor());
  const [issued] = await numbersOf();
  await site.pool.query("insert into restores (backup_taken_at, restored_at) values (now(), now())");
  const pause = await followPause(site.database);
  const paused = await buildServer(site.services, {
    latestMigration: listMigrations().at(-1)!,
    isPaused: pause.isPaused,
  });
  let hasBegun = false;
  await pause.whenOpen(
    async () => {
      hasBegun = true;
    },
    () => {},
  );

  const visitor = await createVisitor(paused);
  expect((await paused.inject("/readyz")).statusCode).toBe(200);
  expect((await paused.inject("/api/checkout")).statusCode).toBe(200);
  const { body, key } = await site.give(await site.visitor());
  const answer = await visitor.post("/api/payway-payment", body, key);
  expect(answer).toMatchObject({ code: "503", error: "paused" });
  expect(hasBegun).toBe(false);

  await site.simulator.installFault({ match: { provider: "braintree", op: "search" }, do: "search_500" });
  expect(await run(["--last-receipt", "R-000020"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("stays paused"),
  });
  await site.simulator.clearFaults();
  await site.pool.query(
    "update payment_attempts set state = 'failed' where id = (select id from payment_attempts limit 1)",
  );
  expect(await run(["--last-receipt", "twenty"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("npm run reopen"),
  });
  const opened = await run(["--last-receipt", "R-000020"]);
  expect(opened).toMatchObject({ code: 0, stdout: expect.stringContaining("18 receipt numbers are skipped") });
  expect(opened.stdout).toContain("1 day differs");
  await expect.poll(() => hasBegun, { timeout: 30_000 }).toBe(true);
  pause.stop();
  await paused.close();

  await site.give(await site.visitor());
  expect(await numbersOf()).toEqual([issued, 2, 21]);
  expect((await site.pool.query("select first_number, last_number from receipt_gaps")).rows).toEqual([
    { first_number: 3, last_number: 20 },
  ]);
  expect((await site.pool.query("select verb, actor, after from audit_trail")).rows).toEqual([
    { verb: "restore.open", actor: "Command on the server", after: { receiptNumbers: 18 } },
  ]);
}, 120_000);
