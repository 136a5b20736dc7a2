import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { makeAttempt, makeDonation, makeRefund } from "#database/factories.ts";
import { createMail } from "#shared/mail/mail.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { chashma, withoutAbn } from "#test/organisation.ts";
import { findReceipt, issueReceipt, voidReceipt } from "./receipt.ts";
import type { DonationEmailJob } from "./write-emails.ts";
import { writeDonationEmail } from "./write-emails.ts";

const paidAt = new Date("2026-11-21T03:04:05.678Z");
const refundedAt = new Date("2026-11-30T22:00:00.000Z");
const config = {
  publicUrl: "https://give.chashma.example",
  secretKey: "a-secret-of-at-least-thirty-two-characters",
  linkDays: 400,
};
let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
beforeEach(() => db.pool.query("truncate mailbox_messages"));
afterAll(() => db.stop());

async function send(job: DonationEmailJob) {
  const from = "Chashma <no-reply@chashma.example>";
  const mail = createMail({ database: db.database, smtpUrl: undefined, from, publicUrl: config.publicUrl });
  const email = await writeDonationEmail(
    { database: db.database, sender: { organisation: chashma, publicUrl: config.publicUrl }, config },
    job,
  );
  if (email !== null) await mail.send(email);
  return db.database.selectFrom("mailbox_messages").selectAll().orderBy("id").execute();
}

type Given = { donation?: NonNullable<Parameters<typeof makeDonation>[1]>["donation"]; organisation?: typeof chashma };

async function give({ donation = {}, organisation = chashma }: Given = {}) {
  const donationId = await makeDonation(db.database, { donation });
  const paid = { state: "succeeded", sent_at: paidAt, settled_at: paidAt } as const;
  const provider = donation.method === "pp" ? "braintree" : "payway";
  const attemptId = await makeAttempt(db.database, donationId, { ...paid, provider });
  await issue(donationId, organisation);
  return { donationId, attemptId, first: (await findReceipt(db.database, donationId))?.data.number };
}

const issue = (donationId: string, organisation = chashma) =>
  db.database.transaction().execute((transaction) => issueReceipt(transaction, donationId, organisation, refundedAt));

const third = { "donations:zakat": 2815, "fees:admin": 141, "fees:merchant": 44 };
const whole = { "donations:zakat": 10_000, "fees:admin": 500, "fees:merchant": 158 };

async function refund(
  { donationId, attemptId }: { donationId: string; attemptId: string },
  returns: Record<string, number>,
  changes: Parameters<typeof makeRefund>[3] = {},
) {
  const made = await db.database.transaction().execute(async (transaction) => {
    const { refund } = await makeRefund(transaction, attemptId, returns, { settled_at: refundedAt, ...changes });
    await voidReceipt(transaction, donationId, refundedAt);
    return refund;
  });
  return { template: "refund", refundId: made.id } as const;
}

test("DON-21: after a partial refund the donor is told how much, when it arrives, and gets the valid receipt", async () => {
  const given = await give();
  const job = await refund(given, third);
  await issue(given.donationId);
  await send(job);
  const emails = await send(job);
  expect(emails).toHaveLength(1);
  const { number } = (await findReceipt(db.database, given.donationId))!.data;
  expect(emails[0]).toMatchObject({
    message_id: `<refund-${job.refundId}@give.chashma.example>`,
    recipient: "amina@example.com",
    subject: "We have refunded $30.00 of your donation",
    attachments: [{ filename: `receipt-${number}.pdf`, contentType: "application/pdf" }],
  });
  for (const said of [
    "Dear Amina Raza,",
    "We have refunded $30.00 of your donation, which you made on 21 November 2026.",
    "Most banks show it within five to ten business days.",
    "You paid: $106.58",
    "Refunded on 1 December 2026: −$30.00",
    "Kept: $76.58",
    `Your receipt ${given.first} is void. Please do not use it for tax.`,
    `Receipt ${number} is now your receipt, for the $76.58 that we keep. It is attached`,
    `https://give.chashma.example/receipts/${given.donationId}?key=`,
    "Call 1300 000 000",
  ]) {
    expect(emails[0]!.text_body).toContain(said);
  }
});

test("DON-21: after a full refund the donor is told that the receipt is void, and gets no PDF", async () => {
  const given = await give({ donation: { method: "pp" } });
  const [email] = await send(await refund(given, whole));
  expect(email).toMatchObject({ subject: "We have refunded your donation of $106.58", attachments: [] });
  expect(email!.text_body).toContain(`Your receipt ${given.first} is void. Please do not use it for tax.`);
  expect(email!.text_body).toContain("PayPal returns it to your original payment method.");
  expect(email!.text_body).not.toMatch(/card|is now your receipt|new receipt/);
  await db.pool.query("truncate mailbox_messages");
  const taken = await give({ donation: { is_anonymous: true, first_name: "Anonymous", last_name: "User" } });
  const [other] = await send(await refund(taken, whole, { kind: "void" }));
  expect(other!.text_body).toContain("it may disappear from your statement");
  expect(`${other!.text_body}${other!.source}`).not.toContain("Anonymous User");
});

test("DON-21: while a new receipt waits for the organisation's details, the donor is told that it follows", async () => {
  const given = await give({ organisation: withoutAbn });
  const [email] = await send(await refund(given, third));
  expect(email!.text_body).toContain("We will email you a new receipt for the $76.58 that we keep.");
  expect(email!.attachments).toEqual([]);
});

test("DON-21: a pending receipt email is not sent after a full refund, and says what is kept after a partial one", async () => {
  const [one, other] = [await give(), await give()];
  await refund(one, whole);
  expect(await send({ template: "receipt", donationId: one.donationId })).toEqual([]);
  await refund(other, third);
  await issue(other.donationId);
  const [email] = await send({ template: "receipt", donationId: other.donationId });
  for (const said of ["Refunded on 1 December 2026: −$30.00", "Total: $76.58 AUD", "Amount of the gift: $71.85."]) {
    expect(email!.text_body).toContain(said);
  }
});

test("REL-1: a donor who disputed a payment gets no email; one whose payment was reversed is told", async () => {
  expect(await send(await refund(await give(), whole, { kind: "chargeback" }))).toEqual([]);
  const given = await give({ donation: { method: "pp" } });
  const [email] = await send(await refund(given, whole, { kind: "reversal", requested_by: "provider" }));
  expect(email).toMatchObject({
    recipient: "amina@example.com",
    subject: "Your donation of $106.58 did not go through",
  });
  expect(email!.text_body).toContain("PayPal first approved your donation of 21 November 2026");
  expect(email!.text_body).toContain(`Your receipt ${given.first} is void`);
  expect(email!.text_body).not.toContain("We have refunded");
});

test("REL-1: a refund that needs checking is described to staff once for each reason, without the donor's data", async () => {
  const given = await give();
  const { refundId } = await refund(given, third);
  const job = { template: "refund-needs-check", refundId, reason: "no trace of this refund was found" } as const;
  await send(job);
  await send(job);
  const emails = await send({ ...job, reason: "The payment is too old." });
  expect(emails.map(({ recipient }) => recipient)).toEqual([chashma.donationsEmail, chashma.donationsEmail]);
  const [first, second] = emails;
  expect(first!.text_body).toContain("PayWay has no trace of this refund.");
  expect(first!.text_body).toContain("Amount: $30.00 of $106.58");
  expect(first!.text_body).toContain(`Receipt: ${given.first}`);
  expect(second!.text_body).toContain("The payment is too old.\n");
  expect(`${first!.text_body}${second!.text_body}`).not.toMatch(/Amina|amina/);
});
