import { pino } from "pino";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { makeAttempt, makeDonation, makeRefund } from "#database/factories.ts";
import { createJobs, type Jobs } from "#shared/jobs/jobs.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { chashma, withoutAbn } from "#test/organisation.ts";
import { formatReceiptNumber } from "../receipt-number.ts";
import { findDonationRecord, shareRefunds } from "./donation-record.ts";
import { deductibleCents, keptCents } from "./donation-sums.ts";
import { findReceipt, issueReceipt, issueWaitingReceipts } from "./receipt.ts";
import { donationSubject } from "./settlement.ts";
import { findPaidDonation } from "./store.ts";

const paidAt = new Date("2026-11-21T03:04:05.678Z");
const refundedAt = new Date("2026-11-30T22:00:00.000Z");
let db: TestDatabase;
let jobs: Jobs;
let organisation = chashma;
beforeAll(async () => {
  db = await createTestDatabase();
  jobs = await createJobs({ pool: db.pool, log: pino({ level: "silent" }) });
});
afterEach(async () => {
  organisation = chashma;
  await db.pool.query("update donations set awaits_receipt = false; delete from pgboss.job");
});
afterAll(async () => {
  await jobs.stop();
  await db.stop();
});

const subject = () =>
  donationSubject({
    database: db.database,
    jobs,
    organisation: () => organisation,
    config: { secretKey: "secret", linkDays: 400 },
  });

/** $100 of Zakat, $106.58 with its fees, paid and receipted. */
async function give(): Promise<{ donationId: string; attemptId: string; number: number | null }> {
  const donationId = await makeDonation(db.database);
  const paid = { state: "succeeded", sent_at: paidAt, settled_at: paidAt } as const;
  const attemptId = await makeAttempt(db.database, donationId, paid);
  const number = await db.database
    .transaction()
    .execute((transaction) => issueReceipt(transaction, donationId, organisation, paidAt));
  return { donationId, attemptId, number };
}

/** Settles a refund as the payments module does: its row and ledger, then what donations add, in one transaction. */
function refund(
  attemptId: string,
  returns: Record<string, number>,
  changes: Parameters<typeof makeRefund>[3] = {},
): Promise<string> {
  return db.database.transaction().execute(async (transaction) => {
    const made = await makeRefund(transaction, attemptId, returns, { settled_at: refundedAt, ...changes });
    await subject().onRefunded(transaction, made.attempt, made.refund, refundedAt);
    return made.refund.id;
  });
}

const third = { "donations:zakat": 2815, "fees:admin": 141, "fees:merchant": 44 };
const rest = { "donations:zakat": 7185, "fees:admin": 359, "fees:merchant": 114 };
const receiptsOf = async (donationId: string) =>
  (
    await db.pool.query(
      "select number, is_latest, voided_at, replaces, data from receipts where donation_id = $1 order by number",
      [donationId],
    )
  ).rows;
const lastNumber = async () => (await db.pool.query("select last_number from receipt_counter")).rows[0].last_number;
const emails = async () =>
  (
    await db.pool.query("select data from pgboss.job where name = 'emails' order by created_on, data->>'template'")
  ).rows.map(({ data }) => data);

test("DON-21: a partial refund voids the receipt, and the next number replaces it with what is kept", async () => {
  const { donationId, attemptId, number } = await give();
  const before = await receiptsOf(donationId);
  await refund(attemptId, third);
  const [old, latest] = await receiptsOf(donationId);
  expect(old).toEqual({ ...before[0], is_latest: false, voided_at: refundedAt });
  expect(latest).toMatchObject({ number: number! + 1, is_latest: true, voided_at: null, replaces: number });
  const receipt = (await findReceipt(db.database, donationId))!;
  expect(receipt).toEqual({
    voided: null,
    data: {
      ...old.data,
      number: formatReceiptNumber(number! + 1),
      replaces: formatReceiptNumber(number!),
      issuedAt: refundedAt.toISOString(),
      lines: [{ ...old.data.lines[0], refundedCents: 2815 }],
      refundedCents: 3000,
      refunds: [{ on: "2026-12-01", cents: 3000 }],
    },
  });
  expect({ gift: deductibleCents(receipt.data), kept: keptCents(receipt.data) }).toEqual({ gift: 7185, kept: 7658 });
  expect(await findReceipt(db.database, donationId, number!)).toEqual({
    data: old.data,
    voided: { on: "2026-12-01", replacedBy: formatReceiptNumber(number! + 1) },
  });
  expect(await findReceipt(db.database, (await give()).donationId, number!)).toBeUndefined();
});

test("DON-21: when the rest is refunded too, the last receipt is void and no number is used", async () => {
  const { donationId, attemptId } = await give();
  await refund(attemptId, third);
  const number = await lastNumber();
  await refund(attemptId, rest, { sent_at: new Date("2026-12-24T13:30:00Z") });
  expect(await lastNumber()).toBe(number);
  const rows = await receiptsOf(donationId);
  expect(rows.map(({ is_latest, voided_at }) => [is_latest, voided_at])).toEqual([
    [false, refundedAt],
    [true, refundedAt],
  ]);
  expect((await findReceipt(db.database, donationId))?.voided).toEqual({ on: "2026-12-01", replacedBy: null });
  const record = (await findDonationRecord(db.database, donationId))!;
  expect(keptCents(record)).toBe(0);
  expect(record.lines.map(({ lineCents, refundedCents }) => lineCents - refundedCents)).toEqual([0]);
  expect(record.refunds).toEqual([
    { on: "2026-12-01", cents: 3000 },
    { on: "2026-12-25", cents: 7658 },
  ]);
  expect(await findPaidDonation(db.database, donationId)).toEqual({
    reference: record.reference,
    receiptIssuedAt: refundedAt,
    refundedCents: 10_658,
  });
});

test("DON-21: simultaneous refunds of many donations leave no gaps in the numbers, and each receipt has one successor", async () => {
  const given = await Promise.all(Array.from({ length: 8 }, give));
  const before = await lastNumber();
  await Promise.all(given.map(({ attemptId }) => refund(attemptId, third)));
  expect(await lastNumber()).toBe(before + 8);
  const { rows } = await db.pool.query("select max(number) - count(*) as missing from receipts");
  expect(rows[0].missing).toBe(0);
});

test("DON-21: a donation fully refunded before its receipt was issued never gets one; after a partial refund, the later receipt says so", async () => {
  organisation = withoutAbn;
  const [whole, part] = [await give(), await give()];
  await refund(whole.attemptId, { "donations:zakat": 10_000, "fees:admin": 500, "fees:merchant": 158 });
  await refund(part.attemptId, third);
  const waiting = await db.pool.query("select id from donations where awaits_receipt");
  expect(waiting.rows).toEqual([{ id: part.donationId }]);
  expect(await issueWaitingReceipts({ database: db.database, jobs, now: refundedAt, organisation: chashma })).toBe(1);
  expect(await findReceipt(db.database, whole.donationId)).toBeUndefined();
  const receipt = await findReceipt(db.database, part.donationId);
  expect(receipt).toMatchObject({ voided: null, data: { replaces: null, refundedCents: 3000 } });
});

test("DON-21: while details are missing the replacement waits; once they are there it takes the void receipt's place", async () => {
  const { donationId, attemptId, number } = await give();
  organisation = withoutAbn;
  await refund(attemptId, third);
  expect((await findReceipt(db.database, donationId))?.voided).toEqual({ on: "2026-12-01", replacedBy: null });
  const issue = { database: db.database, jobs, now: refundedAt };
  expect(await issueWaitingReceipts({ ...issue, organisation: chashma })).toBe(1);
  const { data, voided } = (await findReceipt(db.database, donationId))!;
  expect({ voided, replaces: data.replaces }).toEqual({ voided: null, replaces: formatReceiptNumber(number!) });
  expect(await receiptsOf(donationId)).toHaveLength(2);
});

test("REL-1: one refund is one email however often it is settled, and staff are told what the bank took back", async () => {
  const { attemptId } = await give();
  const refundId = await refund(attemptId, third);
  const found = await db.database
    .selectFrom("refunds")
    .selectAll()
    .where("id", "=", refundId)
    .executeTakeFirstOrThrow();
  const attempt = await db.database
    .selectFrom("payment_attempts")
    .selectAll()
    .where("id", "=", attemptId)
    .executeTakeFirstOrThrow();
  await db.database
    .transaction()
    .execute((transaction) => subject().onRefunded(transaction, attempt, found, refundedAt));
  expect(await emails()).toEqual([{ template: "refund", refundId }]);
  await subject().onRefundAlert(db.database, found, "it was refused");
  await subject().onRefundAlert(db.database, found, "it was refused");
  expect((await emails()).slice(1)).toEqual([{ template: "refund-needs-check", refundId, reason: "it was refused" }]);
  const lost = await refund(attemptId, rest, { kind: "chargeback", requested_by: "provider" });
  expect((await emails()).slice(2)).toEqual([
    { template: "refund", refundId: lost },
    {
      template: "refund-needs-check",
      refundId: lost,
      reason: "the payer’s bank took this payment back after a dispute",
    },
  ]);
});

test("DON-21: a fund's refund is shared over its lines, to the cent and never above a line's amount", () => {
  const lines = [
    { fund: "zakat", line_cents: 1050 },
    { fund: "qurban", line_cents: 19_000 },
    { fund: "zakat", line_cents: 1050 },
    { fund: "zakat", line_cents: 1 },
  ];
  const returns = [
    { account: "donations:zakat", cents: 1051 },
    { account: "fees:admin", cents: 99 },
    { account: "receivable:payway", cents: -1150 },
  ];
  expect(shareRefunds(lines, returns)).toEqual([525, 0, 525, 1]);
  for (let cents = 0; cents <= 2101; cents += 1) {
    const shares = shareRefunds(lines, [{ account: "donations:zakat", cents }]);
    expect(shares.reduce((sum, share) => sum + share, 0)).toBe(cents);
    expect(shares.every((share, index) => share >= 0 && share <= lines[index]!.line_cents)).toBe(true);
  }
  expect(shareRefunds(lines, [])).toEqual([0, 0, 0, 0]);
});
