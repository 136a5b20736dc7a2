import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { startEmbeddedDatabase } from "#database/embedded.ts";
import { migrate } from "#database/migrate.ts";
import { findReceipt } from "#features/donations/server/receipt.ts";
import { openTestSite, type TestSite } from "#test/site.ts";
import { createBuyer, makeTicketedEvent } from "#test/ticket-buyer.ts";

const program = join(import.meta.dirname, "refund.ts");
let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
});
afterEach(() => site.simulator.clearFaults());
afterAll(() => site.close());

type Ended = { code: number; said: string };

/** Runs the command as a process of its own, on the site's database and simulators unless told otherwise. */
function run(words: string[], environment: Record<string, string> = {}): Promise<Ended> {
  const { config, services } = site;
  const settings = {
    PATH: process.env.PATH,
    DATA_DIR: config.dataDir,
    DATABASE_URL: services.databaseUrl,
    PAYWAY_URL: config.payway.url,
    BRAINTREE_URL: config.braintree.url,
    PROVIDER_TIMEOUT_MS: "600",
    CUSTOMER_WAIT_MS: "2000",
    ...environment,
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...words], { env: settings }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), said: `${stdout}${stderr}` });
    });
  });
}

/** $106.58 by card, given through the site: its receipt's number, its own reference, and its id. */
async function give(): Promise<{ number: string; reference: string; donationId: string }> {
  const { reference } = (await site.give(await site.visitor())).answer.data;
  const { rows } = await site.pool.query("select id from donations where reference = $1", [reference]);
  const receipt = await findReceipt(site.database, rows[0].id);
  return { number: receipt!.data.number, reference, donationId: rows[0].id };
}

const refundsOf = async (donationId: string) =>
  (
    await site.pool.query(
      `select r.state, r.amount_cents as cents, r.reason, r.requested_by as by from refunds r
         join payment_attempts a on a.id = r.attempt_id where donation_id = $1 order by r.created_at`,
      [donationId],
    )
  ).rows;
const day = 86_400_000;

test("DON-21, REL-1: a whole refund goes out at once, voids the receipt, and asked for again that day is not made again", async () => {
  const { number, donationId } = await give();
  const first = await run([number, "--reason", "given twice"]);
  expect(first).toEqual({
    code: 0,
    said: `Refunded: $106.58 of ${number}. Nothing is left of it.\nReceipt ${number} is void.\n`,
  });
  const second = await run([number]);
  expect(second.code).toBe(0);
  expect(second.said).toContain("This was asked for earlier today already, and was not done again.");
  expect(await run([number, "--again"])).toEqual({
    code: 1,
    said: "All of this payment has been refunded, or is about to be. Nothing was refunded.\n",
  });
  expect(await refundsOf(donationId)).toEqual([
    { state: "succeeded", cents: 10_658, reason: "given twice", by: "staff" },
  ]);
}, 60_000);

test("DON-21, REL-1: a part waits until the payment has settled, then goes out once for each time that is meant", async () => {
  const { number, reference, donationId } = await give();
  const early = await run([number, "--amount", "12.50"]);
  expect(early).toMatchObject({ code: 2, said: expect.stringContaining(`Not yet: $12.50 of ${number}`) });
  const other = await run([number, "--amount", "5"]);
  expect(other).toMatchObject({ code: 2, said: expect.stringContaining("is under way, so no other was begun") });
  await site.simulator.advance(day);
  const settled = await run([number, "--amount", "12.50"]);
  expect(settled.code).toBe(0);
  expect(settled.said).toMatch(
    new RegExp(
      `^Refunded: \\$12\\.50 of ${number}\\. \\$94\\.08 is kept\\.\nReceipt ${number} is void; R-\\d{6} replaces`,
    ),
  );
  const again = await run([reference, "--amount", "12.50", "--again"]);
  expect(again).toMatchObject({ code: 0, said: expect.stringContaining("$81.58 is kept.") });
  const tooMuch = await run([number, "--amount", "81.59"]);
  expect(tooMuch).toEqual({
    code: 1,
    said: "Only $81.58 of this payment can still be refunded. Nothing was refunded.\n",
  });
  expect((await refundsOf(donationId)).map(({ cents }) => cents)).toEqual([1250, 1250]);
  const { rows } = await site.pool.query(
    "select sum(e.amount_cents) as cents from ledger_entries e join payment_attempts a on a.id = e.attempt_id where donation_id = $1 and account like 'receivable:%'",
    [donationId],
  );
  expect(Number(rows[0].cents)).toBe(8158);
}, 60_000);

test("TIC-6: what tickets cost goes back by the reference of their order, and all of it cancels them", async () => {
  const { slug } = await makeTicketedEvent(site.database);
  const buyer = createBuyer(site, await site.visitor());
  const { order } = await buyer.book(slug, [{ type: "vip", quantity: 2 }]);
  expect(await run([order.reference])).toEqual({
    code: 0,
    said: `Refunded: $200.00 of ${order.reference}. Nothing is left of it.\nTickets have no receipt; all of an order back cancels them.\n`,
  });
  expect((await buyer.find(order)).data).toMatchObject({ state: "cancelled", refunded: 200 });
  expect((await run(["T-0000-0000-0000"])).said).toBe(
    "There is no paid order T-0000-0000-0000. Nothing was refunded.\n",
  );
});

test("REL-1: a lost answer ends with 'not known', and the site finds out afterwards", async () => {
  const { number, donationId } = await give();
  await site.simulator.advance(day);
  await site.simulator.installFault({ match: { op: "refund" }, do: "hang_after" });
  const lost = await run([number, "--amount", "6.58"], { CUSTOMER_WAIT_MS: "300" });
  expect(lost).toMatchObject({ code: 2, said: expect.stringContaining("Do not ask for it once more.") });
  expect((await refundsOf(donationId))[0].state).toBe("unknown");
  await site.simulator.clearFaults();
  site.clock.advance(60_000);
  await site.services.payments.tick(site.clock.now());
  expect(await refundsOf(donationId)).toEqual([expect.objectContaining({ state: "succeeded", cents: 658 })]);
  const paid = (await site.simulator.listLedger()).filter(
    ({ type, amountCents }) => type === "refund" && amountCents === 658,
  );
  expect(paid).toHaveLength(1);
}, 60_000);

test("REL-1: bad input is refused with a sentence, and tells nothing of who gave", async () => {
  const { number } = await give();
  const cases: [string[], RegExp][] = [
    [[], /npm run refund -- R-000123/],
    [["R-12x"], /'R-12x' is no receipt such as R-000123/],
    [[number, "--amount", "0"], /Write the amount in dollars/],
    [[number, "--amount", "1.234"], /Write the amount in dollars/],
    [[number, "--whole"], /Unknown option '--whole'/],
    [[number, number], /npm run refund -- R-000123/],
    [["R-999999"], /There is no paid donation R-999999\. Nothing was refunded\./],
    [["D-0000-0000-0000"], /There is no paid donation/],
  ];
  const ended = await Promise.all(cases.map(([words]) => run(words)));
  ended.forEach(({ code, said }, index) => {
    expect(said).toMatch(cases[index]![1]);
    expect(said).not.toMatch(/Amina|example\.com|\n\s+at /);
    expect(code).toBe(1);
  });
}, 60_000);

test("REL-3: the command joins the embedded database of a running site, and leaves it running", async () => {
  const folder = mkdtempSync(join(tmpdir(), "almoner-refund-"));
  const { url, stop } = await startEmbeddedDatabase({ dataDir: folder });
  try {
    const embedded = { DATA_DIR: folder, DATABASE_URL: "" };
    const stale = await run(["R-000001"], embedded);
    expect(stale).toMatchObject({ code: 1, said: expect.stringContaining("Start the site") });
    await migrate(url);
    expect(await run(["R-000001"], embedded)).toEqual({
      code: 1,
      said: "There is no paid donation R-000001. Nothing was refunded.\n",
    });
    expect(await migrate(url)).toEqual([]);
  } finally {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  }
}, 120_000);
