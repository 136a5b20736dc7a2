import { randomUUID } from "node:crypto";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { makeRefund } from "#database/makers.ts";
import { readKey } from "#shared/http/signed-link.ts";
import { attachmentContent } from "#shared/mail/attachment-content.ts";
import { createMail } from "#shared/mail/mail.ts";
import { ticketOrderPath } from "#shared/paths.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { chashma } from "#test/organisation.ts";
import {
  cancelRows,
  insertOrder,
  insertTicketedEvent,
  insertTicketPayment,
  insertTickets,
  type TicketedRows,
} from "#test/ticket-rows.ts";
import { ticketNumber } from "../ticket-token.ts";
import type { TicketLetterJob } from "./write-letters.ts";
import { writeTicketLetter } from "./write-letters.ts";

const config = {
  publicUrl: "https://give.chashma.example",
  secretKey: "a-secret-of-at-least-thirty-two-characters",
  linkDays: 400,
  tickets: { holdMs: 900_000, cancelHours: 48 },
};
const now = new Date("2026-11-21T03:04:06Z");
let db: TestDatabase;
let event: TicketedRows;
beforeAll(async () => {
  db = await createTestDatabase();
  event = await insertTicketedEvent(db.database);
});
beforeEach(() => db.pool.query("truncate mailbox_messages"));
afterAll(() => db.stop());

/** The letter of a job as it arrives, or undefined where there is none. */
async function send(job: TicketLetterJob, at = now) {
  const from = "Chashma <no-reply@chashma.example>";
  const mail = createMail({ database: db.database, smtpUrl: undefined, from, publicUrl: config.publicUrl });
  const context = { database: db.database, organisation: () => chashma, config, now: () => at };
  const letter = await writeTicketLetter(context, job);
  if (letter !== null) await mail.send(letter);
  const messages = await db.database.selectFrom("mailbox_messages").selectAll().orderBy("id").execute();
  return letter === null ? undefined : messages.at(-1)!;
}

type Sent = NonNullable<Awaited<ReturnType<typeof send>>>;

/** What an HTML body shows, spelt as the plain one. */
function shownIn(html: string): string {
  const main = /<main[^>]*>(.*)<\/main>/s.exec(html)![1]!;
  return main
    .replace(/<a class="press" href="([^"]*)">([^<]*)<\/a>/g, "$2: $1")
    .replaceAll("</dt><dd>", ": ")
    .replace(/<[^>]+>/g, " ")
    .replaceAll("&amp;", "&")
    .replaceAll("&#39;", "'");
}

/** Both bodies say all of these, and the same altogether. */
function expectSaid({ text_body, html_body }: Sent, sentences: readonly string[]) {
  for (const sentence of sentences) expect(text_body).toContain(sentence);
  const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();
  expect(oneLine(shownIn(html_body))).toBe(oneLine(text_body.split("\n-- \n")[0]!));
}

function expectOrderLink(letter: Sent, orderId: string) {
  const link = new URL(/https:\/\/\S+\?key=\S+/.exec(letter.text_body)![0]);
  expect(link.pathname).toBe(ticketOrderPath(orderId));
  expect(readKey(config.secretKey, link.pathname, link.searchParams.get("key"))).not.toBeNull();
  expect(letter.html_body).toContain(link.href.replaceAll("&", "&amp;"));
}

async function pagesOf(pdf: Buffer): Promise<number> {
  return (await getDocument({ data: new Uint8Array(pdf), verbosity: 0 }).promise).numPages;
}

test("TIC-6: the buyer gets the tickets with what they are for, the paper, the calendar file and a signed link", async () => {
  const orderId = await insertOrder(db.database, event);
  await insertTickets(db.database, orderId);
  const letter = (await send({ letter: "tickets", orderId }))!;
  const { reference } = await db.database
    .selectFrom("ticket_orders")
    .select("reference")
    .where("id", "=", orderId)
    .executeTakeFirstOrThrow();
  expect(letter).toMatchObject({
    message_id: `<tickets-${orderId}@give.chashma.example>`,
    recipient: "amina@example.com",
    subject: "Your tickets for Charity dinner",
    attachments: [
      { filename: `tickets-${reference}.pdf`, contentType: "application/pdf" },
      { filename: `${event.slug}.ics` },
    ],
  });
  expectSaid(letter, [
    "Dear Amina Raza,",
    "These seats are paid and yours.",
    "When: Saturday 6 February 2027 8:00 PM to 11:00 PM (UTC+05)",
    "Sydney time: Sunday 7 February 2027 2:00 AM to 5:00 AM (UTC+11)",
    "Where: Online: access details come from the organiser",
    "VIP Seat × 1: $100.00",
    "Standard Seat × 2: $100.00",
    "Total: $200.00 AUD",
    "Until Thursday 4 February 2027 8:00 PM (UTC+05), in Sydney Friday 5 February 2027 2:00 AM (UTC+11), you can cancel",
    "not tax-deductible gift receipts",
    reference,
  ]);
  expect(letter.text_body).not.toMatch(/door|cancelled/);
  expectOrderLink(letter, orderId);
  expect(await pagesOf(attachmentContent(letter.source, 0)!)).toBe(3);
  const calendar = attachmentContent(letter.source, 1)!.toString();
  expect(calendar).toContain(`UID:event-${event.slug}@give.chashma.example`.slice(0, 75));
});

test("TIC-6: the letter with the tickets leaves out what was cancelled meanwhile, and is none once nothing is left", async () => {
  const orderId = await insertOrder(db.database, event, { vip: 1, standard: 1 });
  const tickets = await insertTickets(db.database, orderId);
  await cancelRows(db.database, [tickets[1]!.id]);
  const letter = (await send({ letter: "tickets", orderId }))!;
  expect(letter.subject).toBe("Your ticket for Charity dinner");
  expectSaid(letter, ["This seat is paid and yours. 1 ticket of the order has been cancelled and is left out."]);
  expectSaid(letter, ["VIP Seat × 1: $100.00", "Total: $100.00 AUD"]);
  expect(letter.text_body).not.toContain("Standard Seat");
  expect(await pagesOf(attachmentContent(letter.source, 0)!)).toBe(1);
  await cancelRows(db.database, [tickets[0]!.id]);
  expect(await send({ letter: "tickets", orderId })).toBeUndefined();
});

test("TIC-6: a letter about a place speaks of its door, and close to the day of no cancelling", async () => {
  const hall = await insertTicketedEvent(db.database, { is_online: false, place: "Community hall, Auburn" });
  const orderId = await insertOrder(db.database, hall);
  await insertTickets(db.database, orderId);
  const letter = (await send({ letter: "tickets", orderId }, new Date("2027-02-04T15:00:00Z")))!;
  expectSaid(letter, ["Where: Community hall, Auburn", "At the door, show the code of each ticket"]);
  expect(letter.text_body).not.toMatch(/online|cancel tickets one by one/i);
});

test("TIC-6: more tickets than a mailbox takes are not attached but on the order's page", async () => {
  const orderId = await insertOrder(db.database, event, { vip: 0, standard: 101 });
  await insertTickets(db.database, orderId);
  const letter = (await send({ letter: "tickets", orderId }))!;
  expect(letter.attachments).toMatchObject([{ filename: `${event.slug}.ics` }]);
  expectSaid(letter, ["Standard Seat × 101: $5,050.00", "The page of your order has your tickets, to print"]);
  expect(letter.text_body).not.toContain("are attached");
  expectOrderLink(letter, orderId);
});

test("TIC-7: whoever paid when no seats were left is told so, and that all of it goes back", async () => {
  const orderId = await insertOrder(db.database, event, { order: { state: "refunded" } });
  const attemptId = await insertTicketPayment(db.database, orderId, { state: "succeeded_late" });
  const letter = (await send({ letter: "tickets-refused", attemptId }))!;
  expect(letter).toMatchObject({
    message_id: `<tickets-refused-${attemptId}@give.chashma.example>`,
    recipient: "amina@example.com",
    subject: "No seats were left: your $200.00 goes back to you",
    attachments: [],
  });
  expectSaid(letter, [
    "Dear Amina Raza,",
    "reached us after the time for which your seats were held",
    "you have no tickets",
    "VIP Seat × 1: $100.00",
    "The whole $200.00 goes back to you, and you need do nothing. It goes back to the card that you paid with.",
    "You may choose again, as long as seats are left.",
    `https://give.chashma.example/selectTickets?event=${event.slug}`,
  ]);
  const over = (await send({ letter: "tickets-refused", attemptId }, new Date("2027-02-07T00:00:00Z")))!;
  expect(over.text_body).toContain("selectTickets");
  await db.pool.query("truncate mailbox_messages");
  const later = (await send({ letter: "tickets-refused", attemptId }, new Date("2027-02-07T00:00:00Z")))!;
  expect(later.text_body).not.toContain("selectTickets");
});

test("TIC-6: whoever paid an order twice keeps the tickets and is told that the second payment goes back", async () => {
  const orderId = await insertOrder(db.database, event);
  const tickets = await insertTickets(db.database, orderId);
  const first = await insertTicketPayment(db.database, orderId);
  // Honoured after all: the only payment bought the tickets.
  expect(await send({ letter: "tickets-refused", attemptId: first })).toBeUndefined();
  const attemptId = await insertTicketPayment(db.database, orderId, { provider: "braintree", state: "refunded" });
  const letter = (await send({ letter: "tickets-refused", attemptId }))!;
  expect(letter.subject).toBe("You paid twice: $200.00 goes back to you");
  expectSaid(letter, [
    "was paid already when another payment of $200.00 for it came through. Your tickets stay valid.",
    "The whole second payment of $200.00 goes back to you, and you need do nothing. PayPal returns it",
  ]);
  expectOrderLink(letter, orderId);
  await cancelRows(
    db.database,
    tickets.map(({ id }) => id),
  );
  await db.pool.query("update ticket_orders set state = 'cancelled' where id = $1", [orderId]);
  await db.pool.query("truncate mailbox_messages");
  const later = (await send({ letter: "tickets-refused", attemptId }))!;
  expect(later.text_body).not.toContain("stay valid");
});

test("TIC-6: nobody is told of a refusal whose payment brought no money, or whose order is not settled", async () => {
  for (const [state, attempt] of [
    ["refunded", "failed"],
    ["lapsed", "succeeded_late"],
    ["held", "processing"],
  ] as const) {
    const orderId = await insertOrder(db.database, event, { order: { state } });
    const attemptId = await insertTicketPayment(db.database, orderId, { state: attempt });
    expect(await send({ letter: "tickets-refused", attemptId }), state).toBeUndefined();
  }
});

test("TIC-6: whoever was asked to wait is told that nothing was charged, unless it was, or another payment was", async () => {
  const orderId = await insertOrder(db.database, event, { order: { state: "lapsed", paid_at: null } });
  const attemptId = await insertTicketPayment(db.database, orderId, { state: "not_found" });
  const letter = (await send({ letter: "tickets-payment-outcome", attemptId }))!;
  expect(letter).toMatchObject({
    message_id: `<tickets-payment-${attemptId}@give.chashma.example>`,
    subject: "Your payment for tickets did not go through",
  });
  expectSaid(letter, [
    "We asked you to wait while we confirmed your payment of $200.00 for Charity dinner.",
    "nothing was charged, and you have no tickets from it",
    `https://give.chashma.example/selectTickets?event=${event.slug}`,
    `please call ${chashma.phone}`,
  ]);
  await db.pool.query("update payment_attempts set state = 'succeeded_late' where id = $1", [attemptId]);
  expect(await send({ letter: "tickets-payment-outcome", attemptId })).toBeUndefined();
  const paid = await insertOrder(db.database, event);
  const failed = await insertTicketPayment(db.database, paid, { state: "failed" });
  expect(await send({ letter: "tickets-payment-outcome", attemptId: failed })).toBeUndefined();
});

/** An order with three tickets, of which the last was cancelled for its $50.00. */
async function cancelOne(changes: NonNullable<Parameters<typeof makeRefund>[3]> = {}) {
  const orderId = await insertOrder(db.database, event);
  const tickets = await insertTickets(db.database, orderId, ["Amina Raza", "عبدالستار ایدھی", "Sana Malik"]);
  const attemptId = await insertTicketPayment(db.database, orderId);
  const { refund } = await makeRefund(
    db.database,
    attemptId,
    { tickets: 5000 },
    { requested_by: "system", ...changes },
  );
  await cancelRows(db.database, [tickets[2]!.id], refund.id);
  return { orderId, attemptId, refundId: refund.id, numbers: tickets.map(({ serial }) => ticketNumber(serial)) };
}

test("TIC-6: the letter about a refund says what goes back, which tickets are cancelled and which stay valid", async () => {
  const { orderId, refundId, numbers } = await cancelOne();
  const letter = (await send({ letter: "tickets-refund", refundId }))!;
  expect(letter).toMatchObject({
    message_id: `<tickets-refund-${refundId}@give.chashma.example>`,
    subject: "We have refunded $50.00 for your tickets",
  });
  expectSaid(letter, [
    "We have given back $50.00 of the $200.00 that you paid for your order",
    "It goes back to the card that you paid with.",
    "This ticket is cancelled, and its code lets nobody in any more:",
    `Standard Seat, Sana Malik: ${numbers[2]}`,
    "These tickets stay valid:",
    `VIP Seat, Amina Raza: ${numbers[0]}`,
    `Standard Seat, عبدالستار ایدھی: ${numbers[1]}`,
  ]);
  const [cancelled, valid] = letter.text_body.split("These tickets stay valid:");
  expect(cancelled).not.toContain(numbers[0]);
  expect(valid).not.toContain(numbers[2]);
  expectOrderLink(letter, orderId);
});

test("TIC-6: a refund that is still on its way is told as one, and a failed or disputed one not at all", async () => {
  const underWay = await cancelOne({ state: "unknown", settled_at: null });
  const letter = (await send({ letter: "tickets-refund", refundId: underWay.refundId }))!;
  expect(letter.subject).toBe("$50.00 for your tickets goes back to you");
  expectSaid(letter, ["We are giving back $50.00 of the $200.00"]);
  const voided = await cancelOne({ kind: "void" });
  expectSaid((await send({ letter: "tickets-refund", refundId: voided.refundId }))!, ["disappear from your statement"]);
  for (const changes of [{ state: "failed" }, { kind: "chargeback", requested_by: "provider" }] as const) {
    const { refundId } = await cancelOne(changes);
    expect(await send({ letter: "tickets-refund", refundId })).toBeUndefined();
  }
});

test("TIC-6: a whole refund leaves no ticket, and a payment that the bank took back is told as that", async () => {
  const orderId = await insertOrder(db.database, event, { vip: 0, standard: 1 });
  const [ticket] = await insertTickets(db.database, orderId);
  const attemptId = await insertTicketPayment(db.database, orderId);
  const { refund } = await makeRefund(db.database, attemptId, { tickets: 5000 });
  await cancelRows(db.database, [ticket!.id], refund.id);
  await db.pool.query("update ticket_orders set state = 'cancelled' where id = $1", [orderId]);
  const letter = (await send({ letter: "tickets-refund", refundId: refund.id }))!;
  expect(letter.subject).toBe("We have refunded your tickets: $50.00");
  expectSaid(letter, ["No ticket of this order is left."]);
  await db.pool.query("truncate mailbox_messages");
  await db.pool.query("update refunds set kind = 'reversal', requested_by = 'provider' where id = $1", [refund.id]);
  const reversed = (await send({ letter: "tickets-refund", refundId: refund.id }))!;
  expect(reversed.subject).toBe("Your payment of $50.00 for tickets did not come through");
  expectSaid(reversed, ["The bank approved the payment for your order", "$50.00 did not reach us"]);
});

test("TIC-6: what staff give back without cancelling is told, and what goes back of a refused payment is not told twice", async () => {
  const orderId = await insertOrder(db.database, event);
  await insertTickets(db.database, orderId);
  const attemptId = await insertTicketPayment(db.database, orderId);
  const { refund } = await makeRefund(db.database, attemptId, { tickets: 2000 });
  const letter = (await send({ letter: "tickets-refund", refundId: refund.id }))!;
  expectSaid(letter, ["We have given back $20.00 of the $200.00", "These tickets stay valid:"]);
  expect(letter.text_body).not.toContain("cancelled");
  const refused = await insertOrder(db.database, event, { order: { state: "refunded" } });
  const other = await insertTicketPayment(db.database, refused);
  const whole = await makeRefund(db.database, other, { tickets: 20_000 }, { requested_by: "system" });
  expect(await send({ letter: "tickets-refund", refundId: whole.refund.id })).toBeUndefined();
});

test("TIC-6: letters of many cancelled tickets list the first forty", async () => {
  const orderId = await insertOrder(db.database, event, { vip: 0, standard: 45 });
  const tickets = await insertTickets(db.database, orderId);
  const attemptId = await insertTicketPayment(db.database, orderId);
  const { refund } = await makeRefund(db.database, attemptId, { tickets: 225_000 });
  await cancelRows(
    db.database,
    tickets.map(({ id }) => id),
    refund.id,
  );
  const letter = (await send({ letter: "tickets-refund", refundId: refund.id }))!;
  expectSaid(letter, ["and 5 tickets more: on the page of your order"]);
  expect(letter.text_body.match(/Standard Seat, /g)).toHaveLength(40);
});

test("TIC-6: a job about nothing fails, so that staff see it", async () => {
  const id = randomUUID();
  for (const job of [
    { letter: "tickets", orderId: id },
    { letter: "tickets-refused", attemptId: id },
    { letter: "tickets-payment-outcome", attemptId: id },
    { letter: "tickets-refund", refundId: id },
  ] as const) {
    await expect(send(job), job.letter).rejects.toThrow();
  }
});
