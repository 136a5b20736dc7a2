import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { makeAttempt, makeDonation } from "#database/factories.ts";
import { readKey } from "#shared/http/signed-link.ts";
import { createMail } from "#shared/mail/mail.ts";
import type { Organisation } from "#shared/organisation.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { chashma, withoutAbn } from "#test/organisation.ts";
import { receiptEmail } from "./emails.ts";
import { findReceipt, issueReceipt, voidReceipt } from "./receipt.ts";
import type { DonationEmailJob } from "./write-emails.ts";
import { writeDonationEmail } from "./write-emails.ts";

const now = new Date("2026-11-21T03:04:05.678Z");
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

async function send(job: DonationEmailJob, organisation: Organisation = chashma) {
  const from = "Chashma <no-reply@chashma.example>";
  const mail = createMail({ database: db.database, smtpUrl: undefined, from, publicUrl: config.publicUrl });
  const email = await writeDonationEmail(
    { database: db.database, sender: { organisation: organisation, publicUrl: config.publicUrl }, config },
    job,
  );
  if (email !== null) await mail.send(email);
  return db.database.selectFrom("mailbox_messages").selectAll().orderBy("id").execute();
}

async function give({
  organisation = chashma,
  ...changes
}: Parameters<typeof makeDonation>[1] & { organisation?: Organisation } = {}): Promise<string> {
  const donationId = await makeDonation(db.database, changes);
  await makeAttempt(db.database, donationId, { state: "succeeded", sent_at: now, settled_at: now });
  await db.database.transaction().execute((transaction) => issueReceipt(transaction, donationId, organisation, now));
  return donationId;
}

test("DON-21: the donor gets the receipt with what was given, the PDF, and a signed link to it", async () => {
  const donationId = await give();
  const [email] = await send({ template: "receipt", donationId });
  const { number, reference } = (await findReceipt(db.database, donationId))!.data;
  expect(email).toMatchObject({
    message_id: `<receipt-${donationId}@give.chashma.example>`,
    recipient: "amina@example.com",
    subject: `Your receipt ${number} from Chashma Foundation Australia`,
    attachments: [{ filename: `receipt-${number}.pdf`, contentType: "application/pdf" }],
  });
  for (const said of [
    "Dear Amina Raza,",
    "Zakat: $100.00",
    "Admin fee: $5.00",
    "Total: $106.58 AUD",
    reference,
    "ABN 99 000 000 000",
  ]) {
    expect(email!.text_body).toContain(said);
  }
  const link = new URL(/https:\/\/\S+\?key=\S+/.exec(email!.text_body)![0]);
  expect(link.pathname).toBe(`/receipts/${donationId}`);
  expect(readKey(config.secretKey, link.pathname, link.searchParams.get("key"))).not.toBeNull();
  expect(email!.html_body).toContain(link.href);
});

test("DON-21: the email names what is no tax-deductible gift", async () => {
  const donationId = await give({ line: { category_title: "Qurban: Goat", receipt_kind: "not_deductible" } });
  const [email] = await send({ template: "receipt", donationId });
  expect(email!.text_body).toContain("Not a tax-deductible gift: Qurban: Goat.");
  expect(email!.text_body).not.toContain("This receipt is for a gift");
});

test("R6: one email with the receipt, even if a refund replaces the receipt before its job runs again", async () => {
  const donationId = await give();
  const [first] = await send({ template: "receipt", donationId });
  await db.database.transaction().execute(async (transaction) => {
    await voidReceipt(transaction, donationId, now);
    await issueReceipt(transaction, donationId, chashma, now);
  });
  const emails = await send({ template: "receipt", donationId });
  expect(emails.map(({ subject }) => subject)).toEqual([first!.subject]);
});

test("R6: the same job twice is one email", async () => {
  const donationId = await give();
  await send({ template: "receipt", donationId });
  expect(await send({ template: "receipt", donationId })).toHaveLength(1);
});

test("DON-21: an anonymous donor is written to without a name", async () => {
  const names = { is_anonymous: true, first_name: "Anonymous", last_name: "User" };
  const [email] = await send({ template: "receipt", donationId: await give({ donation: names }) });
  expect(email!.text_body).toContain("Dear friend,");
  expect(`${email!.text_body}${email!.source}`).not.toContain("Anonymous User");
});

test("DON-21: while details are missing, staff are told which, and the donor gets no email", async () => {
  const donationId = await give({ organisation: withoutAbn });
  const emails = await send({ template: "receipt", donationId }, withoutAbn);
  expect(emails.map(({ recipient }) => recipient)).toEqual([chashma.donationsEmail]);
  expect(emails[0]!.text_body).toContain("its ABN");
  expect(emails[0]!.text_body).toContain("/admin/settings/organisation/identity");
});

test("DON-21: staff get one email for each donation, which leads to it", async () => {
  const donationId = await give();
  await send({ template: "new-donation", donationId });
  const emails = await send({ template: "new-donation", donationId });
  expect(emails).toHaveLength(1);
  expect(emails[0]).toMatchObject({ recipient: "donations@chashma.example" });
  expect(emails[0]!.text_body).toContain("Amina Raza gave $106.58 by credit card on 21 November 2026.");
  expect(emails[0]!.text_body).toContain(`/admin/donations/${donationId}`);
});

test("DON-16: a donor who was asked to wait is told that nothing was charged, unless a charge has turned up since", async () => {
  const donationId = await makeDonation(db.database);
  const attemptId = await makeAttempt(db.database, donationId, {
    state: "failed",
    was_uncertain: true,
    settled_at: now,
  });
  const [email] = await send({ template: "payment-outcome", attemptId });
  expect(email).toMatchObject({ recipient: "amina@example.com", subject: "Your donation of $106.58 was not charged" });
  expect(email!.text_body).toContain("nothing was charged");
  expect(email!.text_body).toMatch(/Our reference: \S+\. If your statement/);
  await db.pool.query("truncate mailbox_messages");
  const late = await makeAttempt(db.database, await makeDonation(db.database), {
    state: "succeeded_late",
    settled_at: now,
  });
  expect(await send({ template: "payment-outcome", attemptId: late })).toEqual([]);
});

test("REL-2: a payment that needs checking is described in words and Sydney's time, without the donor's data, and leads to its donation", async () => {
  const donationId = await makeDonation(db.database);
  const attemptId = await makeAttempt(db.database, donationId, { state: "unknown" });
  const reason = "the provider holds a charge of another amount";
  const [email] = await send({ template: "payment-needs-check", attemptId, reason });
  expect(email).toMatchObject({ recipient: "donations@chashma.example" });
  expect(email!.text_body).toContain(reason);
  expect(email!.text_body).not.toMatch(/Amina|amina/);
  for (const said of [
    "Provider: PayWay",
    "Status in our records: No answer",
    "Sydney time",
    `/admin/donations/${donationId}`,
  ]) {
    expect(email!.text_body).toContain(said);
  }
});

test("REL-2: a job whose row is missing fails, so that staff see it", async () => {
  await expect(send({ template: "receipt", donationId: randomUUID() })).rejects.toThrow();
});

test("S4: names and titles are text in both bodies, and no subject is longer than 78 characters", async () => {
  const evil = '"><script>alert(1)</script>\r\nBcc: x@y.z';
  const donationId = await give({ donation: { first_name: evil }, line: { category_title: evil } });
  const receipt = (await findReceipt(db.database, donationId))!.data;
  const email = receiptEmail(
    { organisation: { ...chashma, name: "Foundation ".repeat(18).trim() }, publicUrl: config.publicUrl },
    {
      donationId,
      receipt,
      pdf: Buffer.alloc(1),
      link: { path: "/receipts/x?key=y", lastDay: "1 January 2028" },
      address: "a@example.com",
    },
  );
  expect(email.html).not.toContain("<script>");
  expect([...email.subject].length).toBeLessThanOrEqual(78);
  const [sent] = await send({ template: "receipt", donationId });
  expect(sent!.source.toString("latin1").split("\r\n\r\n")[0]).not.toMatch(/^bcc:/im);
});
