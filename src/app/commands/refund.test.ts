import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { createServices } from "#app/services.ts";
import { findReceipt } from "#features/donations/server/receipt.ts";
import { runOnSite, runWithin } from "#test/run-command.ts";
import { openTestSite, type TestSite } from "#test/site.ts";
import { createBuyer, makeTicketedEvent } from "#test/ticket-buyer.ts";
import { refundCommand } from "./refund.ts";

const REFUSED = 1;
const program = join(import.meta.dirname, "refund.ts");
let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
});
afterEach(() => site.simulator.clearFaults());
afterAll(() => site.close());

/** What it prints, on standard output or standard error. */
async function run(words: string[], how = runWithin(site.services, refundCommand, words, REFUSED)) {
  const { code, stdout, stderr } = await how;
  return { code, stdout: `${stdout}${stderr}` };
}

/** As a separate process on the site's database and simulators. */
const runAsProcess = (words: string[]) => run(words, runOnSite(site, program, words));

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

test("DON-21, REL-1: a full refund is made immediately, voids the receipt, and is not repeated if requested again that day", async () => {
  const { number, donationId } = await give();
  const first = await runAsProcess([number, "--reason", "given twice"]);
  expect(first).toEqual({
    code: 0,
    stdout: `Refunded: $106.58 of ${number}. Nothing is left of it.\nReceipt ${number} is void.\n`,
  });
  const second = await run([number]);
  expect(second.code).toBe(0);
  expect(second.stdout).toContain("This refund was already requested today and was not repeated.");
  expect(await run([number, "--again"])).toEqual({
    code: 1,
    stdout: "All of this payment has been refunded, or is about to be. Nothing was refunded.\n",
  });
  expect(await refundsOf(donationId)).toEqual([
    { state: "succeeded", cents: 10_658, reason: "given twice", by: "staff" },
  ]);
});

test("AUD-4: the audit trail has each refund that the command made, once", async () => {
  const { number, donationId } = await give();
  for (const words of [[number, "--reason", "given twice"], [number], [number, "--again"]]) await run(words);
  const { slug } = await makeTicketedEvent(site.database);
  const { order } = await createBuyer(site, await site.visitor()).book(slug, [{ type: "vip", quantity: 2 }]);
  await run([order.reference]);
  const { rows } = await site.pool.query(
    `select verb, actor, subject, after ->> 'amountCents' as cents, reason from audit_trail
      where subject_id in ($1, $2) order by id`,
    [donationId, order.id],
  );
  const made = { verb: "refund.make", actor: "Command on the server" };
  expect(rows).toEqual([
    { ...made, subject: "donation", cents: "10658", reason: "given twice" },
    { ...made, subject: "ticket_order", cents: "20000", reason: "" },
  ]);
});

test("DON-21, REL-1: a partial refund waits until the payment has settled, and is then made once per intended request", async () => {
  const { number, reference, donationId } = await give();
  const early = await run([number, "--amount", "12.50"]);
  expect(early).toMatchObject({ code: 2, stdout: expect.stringContaining(`Not yet: $12.50 of ${number}`) });
  const other = await run([number, "--amount", "5"]);
  expect(other).toMatchObject({ code: 2, stdout: expect.stringContaining("is under way, so no other was started") });
  await site.simulator.advance(day);
  const settled = await run([number, "--amount", "12.50"]);
  expect(settled.code).toBe(0);
  expect(settled.stdout).toMatch(
    new RegExp(
      `^Refunded: \\$12\\.50 of ${number}\\. \\$94\\.08 is kept\\.\nReceipt ${number} is void; R-\\d{6} replaces`,
    ),
  );
  const again = await run([reference, "--amount", "12.50", "--again"]);
  expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining("$81.58 is kept.") });
  const tooMuch = await run([number, "--amount", "81.59"]);
  expect(tooMuch).toEqual({
    code: 1,
    stdout: "Only $81.58 of this payment can still be refunded. Nothing was refunded.\n",
  });
  expect((await refundsOf(donationId)).map(({ cents }) => cents)).toEqual([1250, 1250]);
  const { rows } = await site.pool.query(
    "select sum(e.amount_cents) as cents from ledger_entries e join payment_attempts a on a.id = e.attempt_id where donation_id = $1 and account like 'receivable:%'",
    [donationId],
  );
  expect(Number(rows[0].cents)).toBe(8158);
});

test("TIC-6: tickets are refunded by the reference of their order, and a full refund cancels them", async () => {
  const { slug } = await makeTicketedEvent(site.database);
  const buyer = createBuyer(site, await site.visitor());
  const { order } = await buyer.book(slug, [{ type: "vip", quantity: 2 }]);
  expect(await run([order.reference])).toEqual({
    code: 0,
    stdout: `Refunded: $200.00 of ${order.reference}. Nothing is left of it.\nTickets have no receipt; refunding the whole order cancels them.\n`,
  });
  expect((await buyer.find(order)).data).toMatchObject({ state: "cancelled", refunded: 200 });
  expect((await run(["T-0000-0000-0000"])).stdout).toBe(
    "There is no paid order T-0000-0000-0000. Nothing was refunded.\n",
  );
});

test("REL-1: a lost answer ends with 'not known', and the site finds out afterwards", async () => {
  const { number, donationId } = await give();
  await site.simulator.advance(day);
  await site.simulator.installFault({ match: { op: "refund" }, do: "reset_after" });
  const { config, databaseUrl, log, now } = site.services;
  const hasty = { ...config, payments: { ...config.payments, customerWaitMs: 0 } };
  const services = await createServices({ config: hasty, databaseUrl, log, now });
  const words = [number, "--amount", "6.58"];
  const lost = await run(words, runWithin(services, refundCommand, words, REFUSED));
  await services.payments.finish();
  await services.jobs.stop();
  await services.database.destroy();
  expect(lost).toMatchObject({ code: 2, stdout: expect.stringContaining("Do not request this refund again.") });
  expect((await refundsOf(donationId))[0].state).toBe("unknown");
  await site.simulator.clearFaults();
  site.clock.advance(60_000);
  await site.services.payments.tick(site.clock.now());
  expect(await refundsOf(donationId)).toEqual([expect.objectContaining({ state: "succeeded", cents: 658 })]);
  const paid = (await site.simulator.listLedger()).filter(
    ({ type, amountCents }) => type === "refund" && amountCents === 658,
  );
  expect(paid).toHaveLength(1);
});

test("REL-8: a refund whose command is killed is taken over, and paid back once", async () => {
  const { number, donationId } = await give();
  await site.simulator.advance(day);
  await site.simulator.installFault({ match: { op: "refund" }, do: "hang_after" });
  const listPaid = async () => (await site.simulator.listLedger()).filter(({ amountCents }) => amountCents === 777);
  const killing = new AbortController();
  const ended = runOnSite(site, program, [number, "--amount", "7.77"], { killed: killing.signal });
  await vi.waitFor(async () => expect(await listPaid()).toHaveLength(1), { timeout: 60_000 });
  killing.abort();
  await ended;
  await site.simulator.clearFaults();
  expect(await refundsOf(donationId)).toMatchObject([{ state: "submitting", cents: 777 }]);
  await vi.waitFor(
    async () => {
      await site.services.payments.tick(site.clock.now());
      expect(await refundsOf(donationId)).toMatchObject([{ state: "succeeded", cents: 777 }]);
    },
    { timeout: 60_000 },
  );
  expect(await listPaid()).toHaveLength(1);
});

test("REL-1: bad input is refused with a message that reveals nothing about donors", async () => {
  const { number } = await give();
  const cases: [string[], RegExp][] = [
    [[], /npm run refund -- R-000123/],
    [["R-12x"], /'R-12x' is neither a receipt number such as R-000123/],
    [[number, "--amount", "0"], /Write the amount in dollars/],
    [[number, "--amount", "1.234"], /Write the amount in dollars/],
    [[number, "--whole"], /Unknown option '--whole'/],
    [[number, number], /npm run refund -- R-000123/],
    [["R-999999"], /There is no paid donation R-999999\. Nothing was refunded\./],
    [["D-0000-0000-0000"], /There is no paid donation/],
  ];
  for (const [words, says] of cases) {
    const { code, stdout } = await run(words);
    expect(stdout).toMatch(says);
    expect(stdout).not.toMatch(/Amina|example\.com|\n\s+at /);
    expect(code).toBe(1);
  }
});
