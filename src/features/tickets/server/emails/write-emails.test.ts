import { randomUUID } from "node:crypto";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { makeRefund, makeStaff } from "#database/factories.ts";
import { attachmentContent } from "#dev/mailbox/mailbox-routes.ts";
import { readKey } from "#shared/http/signed-link.ts";
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
import { ticketNumber } from "../../ticket-token.ts";
import type { TicketEmailJob } from "./write-emails.ts";
import { writeTicketEmail } from "./write-emails.ts";

const config = {
  publicUrl: "https://give.chashma.example",
  secretKey: "a-secret-of-at-least-thirty-two-characters",
  linkDays: 400,
  tickets: { holdMs: 900_000, cancelHours: 48, offerHours: 24 },
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

/** The email of a job as it arrives, or undefined if there is none. */
async function send(job: TicketEmailJob, at = now) {
  const from = "Chashma <no-reply@chashma.example>";
  const mail = createMail({ database: db.database, smtpUrl: undefined, from, publicUrl: config.publicUrl });
  const context = {
    database: db.database,
    sender: { organisation: chashma, publicUrl: config.publicUrl },
    config,
    now: () => at,
  };
  const email = await writeTicketEmail(context, job);
  if (email !== null) await mail.send(email);
  const messages = await db.database.selectFrom("mailbox_messages").selectAll().orderBy("id").execute();
  return email === null ? undefined : messages.at(-1)!;
}

type Sent = NonNullable<Awaited<ReturnType<typeof send>>>;

/** The text of an HTML body, as in the plain one. */
function shownIn(html: string): string {
  const main = /<main[^>]*>(.*)<\/main>/s.exec(html)![1]!;
  return main
    .replace(/<a class="press" href="([^"]*)">([^<]*)<\/a>/g, "$2: $1")
    .replaceAll(/<\/?bdi>/g, "")
    .replaceAll("</dt><dd>", ": ")
    .replace(/<[^>]+>/g, " ")
    .replaceAll("&amp;", "&")
    .replaceAll("&#39;", "'");
}

/** Both bodies contain all of these, and have the same text, but for what isolates names in plain text. */
function expectText({ text_body: sent, html_body }: Sent, sentences: readonly string[]) {
  const text_body = sent.replace(/[\u2068\u2069]/g, "");
  for (const sentence of sentences) expect(text_body).toContain(sentence);
  const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();
  expect(oneLine(shownIn(html_body))).toBe(oneLine(text_body.split("\n-- \n")[0]!));
}

function expectOrderLink(email: Sent, orderId: string) {
  const link = new URL(/https:\/\/\S+\?key=\S+/.exec(email.text_body)![0]);
  expect(link.pathname).toBe(ticketOrderPath(orderId));
  expect(readKey(config.secretKey, link.pathname, link.searchParams.get("key"))).not.toBeNull();
  expect(email.html_body).toContain(link.href.replaceAll("&", "&amp;"));
}

async function pagesOf(pdf: Buffer): Promise<number> {
  return (await getDocument({ data: new Uint8Array(pdf), verbosity: 0 }).promise).numPages;
}

test("TIC-6: the buyer gets the event's details, the tickets as a PDF, a calendar file and a signed link", async () => {
  const orderId = await insertOrder(db.database, event);
  await insertTickets(db.database, orderId);
  const email = (await send({ template: "tickets", orderId }))!;
  const { reference } = await db.database
    .selectFrom("ticket_orders")
    .select("reference")
    .where("id", "=", orderId)
    .executeTakeFirstOrThrow();
  expect(email).toMatchObject({
    message_id: `<tickets-${orderId}@give.chashma.example>`,
    recipient: "amina@example.com",
    subject: "Your tickets for Charity dinner",
    attachments: [
      { filename: `tickets-${reference}.pdf`, contentType: "application/pdf" },
      { filename: `${event.slug}.ics` },
    ],
  });
  expectText(email, [
    "Dear Amina Raza,",
    "Your seats are paid for.",
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
  expect(email.text_body).not.toMatch(/door|cancelled/);
  expectOrderLink(email, orderId);
  expect(await pagesOf(attachmentContent(email.source, 0)!)).toBe(3);
  const calendar = attachmentContent(email.source, 1)!.toString();
  expect(calendar).toContain(`UID:event-${event.slug}@give.chashma.example`.slice(0, 75));
});

test("TIC-6: the email with the tickets leaves out cancelled ones, and is not sent if none is left", async () => {
  const orderId = await insertOrder(db.database, event, { vip: 1, standard: 1 });
  const tickets = await insertTickets(db.database, orderId);
  await cancelRows(db.database, [tickets[1]!.id]);
  const email = (await send({ template: "tickets", orderId }))!;
  expect(email.subject).toBe("Your ticket for Charity dinner");
  expectText(email, ["Your seat is paid for. 1 ticket of this order is cancelled and is not included."]);
  expectText(email, ["VIP Seat × 1: $100.00", "Total: $100.00 AUD"]);
  expect(email.text_body).not.toContain("Standard Seat");
  expect(await pagesOf(attachmentContent(email.source, 0)!)).toBe(1);
  await cancelRows(db.database, [tickets[0]!.id]);
  expect(await send({ template: "tickets", orderId })).toBeUndefined();
});

test("EVT-16: the email with tickets that staff sold says what was paid in person, and that of free tickets says so", async () => {
  const { id: sold_by } = await makeStaff(db.database);
  const sell = async (taken_cents: number) => {
    const order = { paid_by: "staff", sold_by, taken_cents } as const;
    const orderId = await insertOrder(db.database, event, { order, isFree: true });
    await insertTickets(db.database, orderId);
    return (await send({ template: "tickets", orderId }))!;
  };
  const sold = await sell(20_000);
  expectText(sold, [
    "Your seats are paid for.",
    "VIP Seat: 1 ticket\nStandard Seat: 2 tickets\nPaid in person for this order: $200.00 AUD",
  ]);
  const given = await sell(0);
  expectText(given, ["Your seats are booked.", "VIP Seat × 1: Free\nStandard Seat × 2: Free\nTotal: Free"]);
  for (const { text_body } of [sold, given]) {
    expect(text_body).toMatch(/you can cancel single tickets on your order page\.$/m);
    expect(text_body).not.toMatch(/\$0\.00|refund/);
  }
});

test("TIC-6: an email about a place says what to do at the door, and close to the day does not offer cancelling", async () => {
  const hall = await insertTicketedEvent(db.database, { is_online: false, place: "Community hall, Auburn" });
  const orderId = await insertOrder(db.database, hall);
  await insertTickets(db.database, orderId);
  const email = (await send({ template: "tickets", orderId }, new Date("2027-02-04T15:00:00Z")))!;
  expectText(email, ["Where: Community hall, Auburn", "At the door, show the code on each ticket"]);
  expect(email.text_body).not.toMatch(/online|cancel single tickets/i);
});

test("TIC-6: tickets too large for a mailbox are not attached, but are on the order's page", async () => {
  const orderId = await insertOrder(db.database, event, { vip: 0, standard: 101 });
  await insertTickets(db.database, orderId);
  const email = (await send({ template: "tickets", orderId }))!;
  expect(email.attachments).toMatchObject([{ filename: `${event.slug}.ics` }]);
  expectText(email, ["Standard Seat × 101: $5,050.00", "Your tickets are on your order page, to print"]);
  expect(email.text_body).not.toContain("are attached");
  expectOrderLink(email, orderId);
});

test("TIC-7: a buyer who paid when no seats were left is told so, and that all of it is refunded", async () => {
  const orderId = await insertOrder(db.database, event, { order: { state: "refunded" } });
  const attemptId = await insertTicketPayment(db.database, orderId, { state: "succeeded_late" });
  const email = (await send({ template: "tickets-refused", attemptId }))!;
  expect(email).toMatchObject({
    message_id: `<tickets-refused-${attemptId}@give.chashma.example>`,
    recipient: "amina@example.com",
    subject: "No seats were left: we are refunding your $200.00",
    attachments: [],
  });
  expectText(email, [
    "Dear Amina Raza,",
    "reached us after the hold on your seats had ended",
    "you have no tickets",
    "VIP Seat × 1: $100.00",
    "We are refunding the whole $200.00. You do not need to do anything. It goes back to the card you paid with.",
    "You can choose again while seats are left.",
    `https://give.chashma.example/selectTickets?event=${event.slug}`,
  ]);
  const over = (await send({ template: "tickets-refused", attemptId }, new Date("2027-02-07T00:00:00Z")))!;
  expect(over.text_body).toContain("selectTickets");
  await db.pool.query("truncate mailbox_messages");
  const later = (await send({ template: "tickets-refused", attemptId }, new Date("2027-02-07T00:00:00Z")))!;
  expect(later.text_body).not.toContain("selectTickets");
});

test("EVT-6: emails about a payment without tickets lead to tickets that only a link shows with the link's key", async () => {
  const hidden = await insertTicketedEvent(db.database);
  const key = { visibility: "link", access_key: "opensesame" } as const;
  await db.database.updateTable("ticket_types").set(key).where("event_id", "=", hidden.id).execute();
  const choice = `https://give.chashma.example/selectTickets?event=${hidden.slug}&key=opensesame\n`;
  for (const [template, order, state] of [
    ["tickets-refused", { state: "refunded" }, "succeeded_late"],
    ["tickets-payment-outcome", { state: "lapsed", paid_at: null }, "not_found"],
  ] as const) {
    const orderId = await insertOrder(db.database, hidden, { order });
    const attemptId = await insertTicketPayment(db.database, orderId, { state });
    expectText((await send({ template, attemptId }))!, [choice]);
  }
});

test("EVT-7: the email that no seats were left shows what a discount code took off, so that the rows add up to the total", async () => {
  const order = { state: "refunded", discount_code: "SPRING" } as const;
  const orderId = await insertOrder(db.database, event, { order, vipOffCents: 2000 });
  const attemptId = await insertTicketPayment(db.database, orderId, { state: "succeeded_late" });
  expectText((await send({ template: "tickets-refused", attemptId }))!, [
    "VIP Seat × 1: $100.00\nStandard Seat × 2: $100.00\nDiscount code SPRING: -$20.00\nTotal: $180.00 AUD",
  ]);
});

test("TIC-6: a buyer who paid for an order twice keeps the tickets and is told that the second payment is refunded", async () => {
  const orderId = await insertOrder(db.database, event);
  const tickets = await insertTickets(db.database, orderId);
  const first = await insertTicketPayment(db.database, orderId);
  // The only payment was honoured after all and bought the tickets.
  expect(await send({ template: "tickets-refused", attemptId: first })).toBeUndefined();
  const attemptId = await insertTicketPayment(db.database, orderId, { provider: "braintree", state: "refunded" });
  const email = (await send({ template: "tickets-refused", attemptId }))!;
  expect(email.subject).toBe("You paid twice: we are refunding $200.00");
  expectText(email, [
    "was already paid when we received another payment of $200.00 for it. Your tickets stay valid.",
    "We are refunding the whole second payment of $200.00. You do not need to do anything. PayPal returns it",
  ]);
  expectOrderLink(email, orderId);
  await cancelRows(
    db.database,
    tickets.map(({ id }) => id),
  );
  await db.pool.query("update ticket_orders set state = 'cancelled' where id = $1", [orderId]);
  await db.pool.query("truncate mailbox_messages");
  const later = (await send({ template: "tickets-refused", attemptId }))!;
  expect(later.text_body).not.toContain("stay valid");
});

test("TIC-6: no email reports a refusal whose payment took no money, or whose order is not settled", async () => {
  for (const [state, attempt] of [
    ["refunded", "failed"],
    ["lapsed", "succeeded_late"],
    ["held", "processing"],
  ] as const) {
    const orderId = await insertOrder(db.database, event, { order: { state } });
    const attemptId = await insertTicketPayment(db.database, orderId, { state: attempt });
    expect(await send({ template: "tickets-refused", attemptId }), state).toBeUndefined();
  }
});

test("TIC-6: a buyer who was asked to wait is told that nothing was charged, unless this or another payment was charged", async () => {
  const orderId = await insertOrder(db.database, event, { order: { state: "lapsed", paid_at: null } });
  const attemptId = await insertTicketPayment(db.database, orderId, { state: "not_found" });
  const email = (await send({ template: "tickets-payment-outcome", attemptId }))!;
  expect(email).toMatchObject({
    message_id: `<tickets-payment-${attemptId}@give.chashma.example>`,
    subject: "Your payment for tickets did not go through",
  });
  expectText(email, [
    "We asked you to wait while we confirmed your payment of $200.00 for Charity dinner.",
    "nothing was charged, and you have no tickets from it",
    `https://give.chashma.example/selectTickets?event=${event.slug}`,
    `please call ${chashma.phone}`,
  ]);
  await db.pool.query("update payment_attempts set state = 'succeeded_late' where id = $1", [attemptId]);
  expect(await send({ template: "tickets-payment-outcome", attemptId })).toBeUndefined();
  const paid = await insertOrder(db.database, event);
  const failed = await insertTicketPayment(db.database, paid, { state: "failed" });
  expect(await send({ template: "tickets-payment-outcome", attemptId: failed })).toBeUndefined();
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

test("TIC-6: the email about a refund has the amount, and says which tickets are cancelled and which stay valid", async () => {
  const { orderId, refundId, numbers } = await cancelOne();
  const email = (await send({ template: "tickets-refund", refundId }))!;
  expect(email).toMatchObject({
    message_id: `<tickets-refund-${refundId}@give.chashma.example>`,
    subject: "We have refunded $50.00 for your tickets",
  });
  expectText(email, [
    "We have refunded $50.00 of the $200.00 that you paid for your order",
    "It goes back to the card you paid with.",
    "This ticket is cancelled and no longer valid:",
    `Standard Seat, Sana Malik: ${numbers[2]}`,
    "These tickets stay valid:",
    `VIP Seat, Amina Raza: ${numbers[0]}`,
    `Standard Seat, عبدالستار ایدھی: ${numbers[1]}`,
  ]);
  const [cancelled, valid] = email.text_body.split("These tickets stay valid:");
  expect(cancelled).not.toContain(numbers[0]);
  expect(valid).not.toContain(numbers[2]);
  expectOrderLink(email, orderId);
});

test("TIC-6: a refund that is still on its way is told as one, and a failed or disputed one not at all", async () => {
  const underWay = await cancelOne({ state: "unknown", settled_at: null });
  const email = (await send({ template: "tickets-refund", refundId: underWay.refundId }))!;
  expect(email.subject).toBe("We are refunding $50.00 for your tickets");
  expectText(email, ["We are refunding $50.00 of the $200.00"]);
  const voided = await cancelOne({ kind: "void" });
  expectText((await send({ template: "tickets-refund", refundId: voided.refundId }))!, [
    "disappear from your statement",
  ]);
  for (const changes of [{ state: "failed" }, { kind: "chargeback", requested_by: "provider" }] as const) {
    const { refundId } = await cancelOne(changes);
    expect(await send({ template: "tickets-refund", refundId })).toBeUndefined();
  }
});

test("TIC-6: a full refund leaves no tickets, and a payment that the bank reversed is reported as such", async () => {
  const orderId = await insertOrder(db.database, event, { vip: 0, standard: 1 });
  const [ticket] = await insertTickets(db.database, orderId);
  const attemptId = await insertTicketPayment(db.database, orderId);
  const { refund } = await makeRefund(db.database, attemptId, { tickets: 5000 });
  await cancelRows(db.database, [ticket!.id], refund.id);
  await db.pool.query("update ticket_orders set state = 'cancelled' where id = $1", [orderId]);
  const email = (await send({ template: "tickets-refund", refundId: refund.id }))!;
  expect(email.subject).toBe("We have refunded your tickets: $50.00");
  expectText(email, ["This order has no valid tickets left."]);
  await db.pool.query("truncate mailbox_messages");
  await db.pool.query("update refunds set kind = 'reversal', requested_by = 'provider' where id = $1", [refund.id]);
  const reversed = (await send({ template: "tickets-refund", refundId: refund.id }))!;
  expect(reversed.subject).toBe("Your payment of $50.00 for tickets did not go through");
  expectText(reversed, ["The bank first approved the payment for your order", "$50.00 did not reach us"]);
});

test("TIC-6: a refund by staff without cancelling has an email, and the refund of a refused payment is not reported twice", async () => {
  const orderId = await insertOrder(db.database, event);
  await insertTickets(db.database, orderId);
  const attemptId = await insertTicketPayment(db.database, orderId);
  const { refund } = await makeRefund(db.database, attemptId, { tickets: 2000 });
  const email = (await send({ template: "tickets-refund", refundId: refund.id }))!;
  expectText(email, ["We have refunded $20.00 of the $200.00", "These tickets stay valid:"]);
  expect(email.text_body).not.toContain("cancelled");
  const refused = await insertOrder(db.database, event, { order: { state: "refunded" } });
  const other = await insertTicketPayment(db.database, refused);
  const whole = await makeRefund(db.database, other, { tickets: 20_000 }, { requested_by: "system" });
  expect(await send({ template: "tickets-refund", refundId: whole.refund.id })).toBeUndefined();
});

test("TIC-6: emails of many cancelled tickets list the first forty", async () => {
  const orderId = await insertOrder(db.database, event, { vip: 0, standard: 45 });
  const tickets = await insertTickets(db.database, orderId);
  const attemptId = await insertTicketPayment(db.database, orderId);
  const { refund } = await makeRefund(db.database, attemptId, { tickets: 225_000 });
  await cancelRows(
    db.database,
    tickets.map(({ id }) => id),
    refund.id,
  );
  const email = (await send({ template: "tickets-refund", refundId: refund.id }))!;
  expectText(email, ["5 more tickets: on your order page"]);
  expect(email.text_body.match(/Standard Seat, /g)).toHaveLength(40);
});

test("TIC-6: a job without its row fails, so that staff see it", async () => {
  const id = randomUUID();
  for (const job of [
    { template: "tickets", orderId: id },
    { template: "tickets-refused", attemptId: id },
    { template: "tickets-payment-outcome", attemptId: id },
    { template: "tickets-refund", refundId: id },
  ] as const) {
    await expect(send(job), job.template).rejects.toThrow();
  }
});
