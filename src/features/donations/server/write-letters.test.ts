import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { makeAttempt, makeDonation } from "#database/makers.ts";
import { readKey } from "#shared/http/signed-link.ts";
import { createMail } from "#shared/mail/mail.ts";
import type { Organisation } from "#shared/organisation.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { chashma, withoutAbn } from "#test/organisation.ts";
import { receiptLetter } from "./letters.ts";
import { findReceipt, issueReceipt } from "./receipt.ts";
import type { DonationLetterJob } from "./write-letters.ts";
import { writeDonationLetter } from "./write-letters.ts";

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

async function send(job: DonationLetterJob, organisation: Organisation = chashma) {
  const from = "Chashma <no-reply@chashma.example>";
  const mail = createMail({ database: db.database, smtpUrl: undefined, from, publicUrl: config.publicUrl });
  const letter = await writeDonationLetter({ database: db.database, organisation: () => organisation, config }, job);
  if (letter !== null) await mail.send(letter);
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

test("DON-21: the donor gets the receipt with what was given, the paper, and a signed link to it", async () => {
  const donationId = await give();
  const [letter] = await send({ letter: "receipt", donationId });
  const { number, reference } = (await findReceipt(db.database, donationId))!.data;
  expect(letter).toMatchObject({
    message_id: `<receipt-${number}@give.chashma.example>`,
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
    expect(letter!.text_body).toContain(said);
  }
  const link = new URL(/https:\/\/\S+\?key=\S+/.exec(letter!.text_body)![0]);
  expect(link.pathname).toBe(`/receipts/${donationId}`);
  expect(readKey(config.secretKey, link.pathname, link.searchParams.get("key"))).not.toBeNull();
  expect(letter!.html_body).toContain(link.href);
});

test("R6: the same job twice is one letter", async () => {
  const donationId = await give();
  await send({ letter: "receipt", donationId });
  expect(await send({ letter: "receipt", donationId })).toHaveLength(1);
});

test("DON-21: an anonymous donor is written to without a name", async () => {
  const names = { is_anonymous: true, first_name: "Anonymous", last_name: "User" };
  const [letter] = await send({ letter: "receipt", donationId: await give({ donation: names }) });
  expect(letter!.text_body).toContain("Dear friend,");
  expect(`${letter!.text_body}${letter!.source}`).not.toContain("Anonymous User");
});

test("DON-21: while details are missing staff are told which, and the donor is not bothered", async () => {
  const donationId = await give({ organisation: withoutAbn });
  const letters = await send({ letter: "receipt", donationId }, withoutAbn);
  expect(letters.map(({ recipient }) => recipient)).toEqual([chashma.donationsEmail]);
  expect(letters[0]!.text_body).toContain("its ABN");
});

test("the organisation hears of each donation once", async () => {
  const donationId = await give();
  await send({ letter: "new-donation", donationId });
  const letters = await send({ letter: "new-donation", donationId });
  expect(letters).toHaveLength(1);
  expect(letters[0]).toMatchObject({ recipient: "donations@chashma.example" });
  expect(letters[0]!.text_body).toContain("Amina Raza gave $106.58 by credit card on 21 November 2026.");
});

test("DON-16: a donor who was asked to wait is told that nothing was charged, unless a charge has turned up since", async () => {
  const donationId = await makeDonation(db.database);
  const attemptId = await makeAttempt(db.database, donationId, {
    state: "failed",
    was_uncertain: true,
    settled_at: now,
  });
  const [letter] = await send({ letter: "payment-outcome", attemptId });
  expect(letter).toMatchObject({ recipient: "amina@example.com", subject: "Your donation of $106.58 was not charged" });
  expect(letter!.text_body).toContain("nothing was charged");
  await db.pool.query("truncate mailbox_messages");
  const late = await makeAttempt(db.database, await makeDonation(db.database), {
    state: "succeeded_late",
    settled_at: now,
  });
  expect(await send({ letter: "payment-outcome", attemptId: late })).toEqual([]);
});

test("a payment that needs a look is described without the donor's data", async () => {
  const attemptId = await makeAttempt(db.database, await makeDonation(db.database), { state: "unknown" });
  const reason = "the provider holds a charge of another amount";
  const [letter] = await send({ letter: "payment-needs-look", attemptId, reason });
  expect(letter).toMatchObject({ recipient: "donations@chashma.example" });
  expect(letter!.text_body).toContain(reason);
  expect(letter!.text_body).not.toMatch(/Amina|amina/);
});

test("REL-2: a job whose row is missing fails, so that staff see it", async () => {
  await expect(send({ letter: "receipt", donationId: randomUUID() })).rejects.toThrow();
});

test("S4: names and titles are text in both bodies, and no subject is longer than 78 letters", async () => {
  const evil = '"><script>alert(1)</script>\r\nBcc: x@y.z';
  const donationId = await give({ donation: { first_name: evil }, line: { category_title: evil } });
  const receipt = (await findReceipt(db.database, donationId))!.data;
  const letter = receiptLetter(
    { organisation: { ...chashma, name: "Foundation ".repeat(18).trim() }, publicUrl: config.publicUrl },
    {
      receipt,
      pdf: Buffer.alloc(1),
      link: { path: "/receipts/x?key=y", lastDay: "1 January 2028" },
      address: "a@example.com",
    },
  );
  expect(letter.html).not.toContain("<script>");
  expect([...letter.subject].length).toBeLessThanOrEqual(78);
  const [sent] = await send({ letter: "receipt", donationId });
  expect(sent!.source.toString("latin1").split("\r\n\r\n")[0]).not.toMatch(/^bcc:/im);
});
