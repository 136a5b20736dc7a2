import { pino } from "pino";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { makeAttempt, makeDonation } from "#database/factories.ts";
import { countJobs } from "#shared/jobs/failed-jobs.ts";
import { createJobs, type Jobs } from "#shared/jobs/jobs.ts";
import { dayInSydney } from "#shared/language.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { chashma, withoutAbn } from "#test/organisation.ts";
import { DonationRecord } from "./donation-record.ts";
import { findReceipt, issueReceipt, issueWaitingReceipts } from "./receipt.ts";

const now = new Date("2026-11-21T03:04:05.678Z");
let db: TestDatabase;
let jobs: Jobs;
beforeAll(async () => {
  db = await createTestDatabase();
  jobs = await createJobs({ pool: db.pool, log: pino({ level: "silent" }) });
});
afterEach(() => db.pool.query("update donations set awaits_receipt = false; delete from pgboss.job"));
afterAll(async () => {
  await jobs.stop();
  await db.stop();
});

async function givePaid(changes: Parameters<typeof makeDonation>[1] = {}, sentAt = now): Promise<string> {
  const donationId = await makeDonation(db.database, changes);
  await makeAttempt(db.database, donationId, { state: "succeeded", sent_at: sentAt, settled_at: now });
  return donationId;
}

const issue = (donationId: string, organisation = chashma) =>
  db.database.transaction().execute((transaction) => issueReceipt(transaction, donationId, organisation, now));
const lastNumber = async () => (await db.pool.query("select last_number from receipt_counter")).rows[0].last_number;

test("DON-21: a receipt holds what the tax office asks, as it was on the day", async () => {
  const donationId = await givePaid();
  const number = await issue(donationId);
  const receipt = await findReceipt(db.database, donationId);
  expect(receipt?.voided).toBeNull();
  expect(receipt?.data).toEqual({
    number: `R-${String(number).padStart(6, "0")}`,
    issuedAt: "2026-11-21T03:04:05.678Z",
    organisation: {
      name: chashma.name,
      abn: chashma.abn,
      address: chashma.address,
      phone: chashma.phone,
      email: chashma.email,
      ...chashma.receipt,
    },
    donorName: "Amina Raza",
    lines: [
      {
        title: "Zakat",
        kind: "gift",
        quantity: 1,
        unitCents: 10_000,
        lineCents: 10_000,
        refundedCents: 0,
        onBehalfOf: [],
      },
    ],
    subtotalCents: 10_000,
    adminFeeCents: 500,
    merchantFeeCents: 158,
    totalCents: 10_658,
    currency: "AUD",
    method: "cc",
    paidOn: "2026-11-21",
    reference: expect.any(String),
    replaces: null,
    refundedCents: 0,
    refunds: [],
  });
});

test("DON-21: the payment's day is Sydney's, in summer and in winter time", async () => {
  expect(dayInSydney(new Date("2026-06-30T13:59:59Z"))).toBe("2026-06-30");
  expect(dayInSydney(new Date("2026-06-30T14:00:00Z"))).toBe("2026-07-01");
  expect(dayInSydney(new Date("2026-12-31T12:59:59Z"))).toBe("2026-12-31");
  expect(dayInSydney(new Date("2026-12-31T13:00:00Z"))).toBe("2027-01-01");
});

test("DON-21: an anonymous donor's receipt carries no name", async () => {
  const donationId = await givePaid({ donation: { is_anonymous: true, first_name: "Anonymous", last_name: "User" } });
  await issue(donationId);
  expect((await findReceipt(db.database, donationId))?.data.donorName).toBeNull();
});

test("DON-21: a donation has one receipt, however many processes issue it", async () => {
  const donationId = await givePaid();
  const before = await lastNumber();
  const numbers = await Promise.all(Array.from({ length: 12 }, () => issue(donationId)));
  expect(new Set(numbers)).toEqual(new Set([before + 1]));
  expect(await lastNumber()).toBe(before + 1);
});

test("DON-21: receipt numbers have no gaps, even if a transaction fails after taking one", async () => {
  const before = await lastNumber();
  const donationIds = await Promise.all(Array.from({ length: 16 }, () => givePaid()));
  const attempts = donationIds.map((donationId, index) =>
    db.database.transaction().execute(async (transaction) => {
      const number = await issueReceipt(transaction, donationId, chashma, now);
      if (index % 4 === 0) throw new Error("the transaction fails");
      return number!;
    }),
  );
  const results = await Promise.allSettled(attempts);
  const issued = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  expect(issued.sort((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, index) => before + 1 + index));
});

test("DON-21: while the organisation's details are missing the receipt waits; once they are there it is issued and sent", async () => {
  const before = await lastNumber();
  const [first, second] = [await givePaid(), await givePaid()];
  expect(await issue(first, withoutAbn)).toBeNull();
  expect(await issue(second, withoutAbn)).toBeNull();
  expect(await lastNumber()).toBe(before);
  expect(await findReceipt(db.database, first)).toBeUndefined();
  const wait = { database: db.database, jobs, now };
  expect(await issueWaitingReceipts({ ...wait, organisation: withoutAbn })).toBe(0);
  const counts = await Promise.all(
    Array.from({ length: 3 }, () => issueWaitingReceipts({ ...wait, organisation: chashma })),
  );
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(2);
  expect(await lastNumber()).toBe(before + 2);
  expect((await findReceipt(db.database, second))?.data.donorName).toBe("Amina Raza");
  expect((await countJobs(db.database)).waiting).toBe(2);
  expect((await db.pool.query("select 1 from donations where awaits_receipt")).rowCount).toBe(0);
});

test("DON-21: an unpaid donation gets no receipt", async () => {
  const donationId = await makeDonation(db.database);
  await makeAttempt(db.database, donationId, { state: "failed", settled_at: now });
  await expect(issue(donationId)).rejects.toThrow("has not been paid");
});

test("LANG-5: an old receipt that holds the title of its payment method is read with the method's key", () => {
  const { method } = DonationRecord.shape;
  expect(["Credit card", "PayPal", "cc", "pp"].map((kept) => method.parse(kept))).toEqual(["cc", "pp", "cc", "pp"]);
});
