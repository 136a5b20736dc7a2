import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { makeAttempt, makeDonation, makeRefund } from "#database/makers.ts";
import { createMail } from "#shared/mail/mail.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { chashma, withoutAbn } from "#test/organisation.ts";
import { findReceipt, issueReceipt, voidReceipt } from "./receipt.ts";
import type { DonationLetterJob } from "./write-letters.ts";
import { writeDonationLetter } from "./write-letters.ts";

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

async function send(job: DonationLetterJob) {
  const from = "Chashma <no-reply@chashma.example>";
  const mail = createMail({ database: db.database, smtpUrl: undefined, from, publicUrl: config.publicUrl });
  const letter = await writeDonationLetter({ database: db.database, organisation: () => chashma, config }, job);
  if (letter !== null) await mail.send(letter);
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
  return { letter: "refund", refundId: made.id } as const;
}

test("DON-21: of a part that went back the donor hears how much, when it arrives, and gets the receipt that counts now", async () => {
  const given = await give();
  const job = await refund(given, third);
  await issue(given.donationId);
  await send(job);
  const letters = await send(job);
  expect(letters).toHaveLength(1);
  const { number } = (await findReceipt(db.database, given.donationId))!.data;
  expect(letters[0]).toMatchObject({
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
    `Your receipt ${given.first} is void: please do not use it for tax.`,
    `Receipt ${number} counts instead, for the $76.58 that we keep. It is attached`,
    `https://give.chashma.example/receipts/${given.donationId}?key=`,
    "Call 1300 000 000",
  ]) {
    expect(letters[0]!.text_body).toContain(said);
  }
});

test("DON-21: of a whole refund the donor hears that the receipt is void, and gets no paper", async () => {
  const given = await give({ donation: { method: "pp" } });
  const [letter] = await send(await refund(given, whole));
  expect(letter).toMatchObject({ subject: "We have refunded your donation of $106.58", attachments: [] });
  expect(letter!.text_body).toContain(`Your receipt ${given.first} is void: please do not use it for tax.`);
  expect(letter!.text_body).toContain("PayPal returns it to where you paid from.");
  expect(letter!.text_body).not.toMatch(/card|counts instead|follows by email/);
  await db.pool.query("truncate mailbox_messages");
  const taken = await give({ donation: { is_anonymous: true, first_name: "Anonymous", last_name: "User" } });
  const [other] = await send(await refund(taken, whole, { kind: "void" }));
  expect(other!.text_body).toContain("it may disappear from your statement");
  expect(`${other!.text_body}${other!.source}`).not.toContain("Anonymous User");
});

test("DON-21: while a new receipt waits for the organisation's details, the donor hears that it follows", async () => {
  const given = await give({ organisation: withoutAbn });
  const [letter] = await send(await refund(given, third));
  expect(letter!.text_body).toContain("A new receipt that says what we keep, $76.58, follows by email.");
  expect(letter!.attachments).toEqual([]);
});

test("DON-21: a receipt's letter that was still to go is not sent once all went back, and says what is kept after a part", async () => {
  const [one, other] = [await give(), await give()];
  await refund(one, whole);
  expect(await send({ letter: "receipt", donationId: one.donationId })).toEqual([]);
  await refund(other, third);
  await issue(other.donationId);
  const [letter] = await send({ letter: "receipt", donationId: other.donationId });
  for (const said of ["Refunded on 1 December 2026: −$30.00", "Total: $76.58 AUD", "Amount of the gift: $71.85."]) {
    expect(letter!.text_body).toContain(said);
  }
});

test("REL-1: who disputed a payment gets no letter; whose payment the provider took back hears that it did not come through", async () => {
  expect(await send(await refund(await give(), whole, { kind: "chargeback" }))).toEqual([]);
  const given = await give({ donation: { method: "pp" } });
  const [letter] = await send(await refund(given, whole, { kind: "reversal", requested_by: "provider" }));
  expect(letter).toMatchObject({
    recipient: "amina@example.com",
    subject: "Your donation of $106.58 did not come through",
  });
  expect(letter!.text_body).toContain("PayPal approved your donation of 21 November 2026 at first");
  expect(letter!.text_body).toContain(`Your receipt ${given.first} is void`);
  expect(letter!.text_body).not.toContain("We have refunded");
});

test("REL-1: a refund that needs a look is described to staff once for each reason, without the donor's data", async () => {
  const given = await give();
  const { refundId } = await refund(given, third);
  const job = { letter: "refund-needs-look", refundId, reason: "no trace of this refund was found" } as const;
  await send(job);
  await send(job);
  const letters = await send({ ...job, reason: "The payment is too old." });
  expect(letters.map(({ recipient }) => recipient)).toEqual([chashma.donationsEmail, chashma.donationsEmail]);
  const [first, second] = letters;
  expect(first!.text_body).toContain("No trace of this refund was found.");
  expect(first!.text_body).toContain("Amount: $30.00 of $106.58");
  expect(first!.text_body).toContain(`Receipt: ${given.first}`);
  expect(second!.text_body).toContain("The payment is too old.\n");
  expect(`${first!.text_body}${second!.text_body}`).not.toMatch(/Amina|amina/);
});
