import { type Attempt, findAttempt } from "#payments/attempts.ts";
import { roomOf } from "#payments/refunds/refund-rules.ts";
import type { Refund } from "#payments/refunds/refund-store.ts";
import { isPaid, shownAs } from "#payments/states.ts";
import type { Config } from "#shared/config/config.ts";
import { type DocumentLink, documentLink } from "#shared/links/document-links.ts";
import type { EmailContext } from "#shared/mail/compose-email.ts";
import type { Attachment, EmailMessage } from "#shared/mail/mail.ts";
import { cancelUntil } from "../../cancel-until.ts";
import { describeRefund } from "../../refunds.ts";
import { sumTakenWhenCalledOff } from "../call-off/call-off-figures.ts";
import { findCallOff } from "../call-off/call-off-requests.ts";
import { callOffKey } from "../call-off/continue-call-offs.ts";
import { orderCalendar } from "../documents/order-calendar.ts";
import { findMoveOf } from "../moves/event-moves.ts";
import { findOrderFacts, findOrderRefund, type OrderFacts, renderTickets, ticketDocumentOf } from "../order-facts.ts";
import { presentRefund } from "../present-refunds.ts";
import { listOrderRefunds, type RefundRow, ticketOrderIdOf } from "../store.ts";
import type { CallOffToApproveJob } from "./call-off-approval-email.ts";
import { type CalledOffOrder, calledOffEmail } from "./called-off-email.ts";
import { cancelledEmail } from "./cancelled-email.ts";
import type { HolderEmailJob } from "./holder-email.ts";
import { describeTimeAndPlace, movedEmail } from "./moved-email.ts";
import { noSeatsEmail, paidTwiceEmail, unpaidEmail } from "./payment-emails.ts";
import { type RefundedTickets, ticketRefundEmail } from "./refund-emails.ts";
import { ticketsEmail } from "./ticket-emails.ts";
import type { WaitingEmailJob } from "./waiting-emails.ts";

/** To the buyer of an order. */
export type TicketEmailJob =
  /** The tickets. `linkAt`: when their link is made, as an ISO time, if not when the order was paid. */
  | { readonly template: "tickets"; readonly orderId: string; readonly linkAt?: string }
  /** A payment that is refunded because no seats were left, or the order was already paid. */
  | { readonly template: "tickets-refused"; readonly attemptId: string }
  /** A failed payment whose buyer was asked to wait. */
  | { readonly template: "tickets-payment-outcome"; readonly attemptId: string }
  /** Cancelled tickets whose refund is on its way; and a refund that is paid. */
  | { readonly template: "tickets-cancelled" | "tickets-refund"; readonly refundId: string }
  /** Tickets that staff cancelled, and no provider was paid for. */
  | { readonly template: "tickets-cancelled-by-staff"; readonly orderId: string; readonly ticketIds: readonly string[] }
  /** An event that has another time or place. */
  | { readonly template: "event-moved"; readonly orderId: string; readonly emailId: string }
  /** The one email about an event that was called off. */
  | { readonly template: "event-called-off"; readonly orderId: string };

declare module "#shared/jobs/queues.ts" {
  interface EmailJobs {
    tickets: TicketEmailJob | CallOffToApproveJob | WaitingEmailJob | HolderEmailJob;
  }
}

type TicketEmailContext = EmailContext<Pick<Config, "publicUrl" | "secretKey" | "linkDays" | "tickets">> & {
  readonly now: () => Date;
};

/** Orders with more tickets get no PDF attached, because mailboxes refuse large emails; their page has it. */
const MAX_ATTACHED = 100;

/** The email as of when the job runs. Null if there is nothing left to say, or the buyer's address was erased. */
export async function writeTicketEmail(context: TicketEmailContext, job: TicketEmailJob): Promise<EmailMessage | null> {
  const email = await writeEmail(context, job);
  return email?.to.address === "" ? null : email;
}

function writeEmail(context: TicketEmailContext, job: TicketEmailJob): Promise<EmailMessage | null> {
  switch (job.template) {
    case "tickets":
      return writeTicketsEmail(context, job);
    case "tickets-refused":
      return writeRefusedEmail(context, job.attemptId);
    case "tickets-payment-outcome":
      return writeOutcomeEmail(context, job.attemptId);
    case "tickets-cancelled":
      return writeCancelledEmail(context, job.refundId);
    case "tickets-cancelled-by-staff":
      return writeCancelledByStaffEmail(context, job);
    case "tickets-refund":
      return writeRefundEmail(context, job.refundId);
    case "event-moved":
      return writeMovedEmail(context, job);
    case "event-called-off":
      return writeCalledOffEmail(context, job.orderId);
  }
}

/** `madeAt`: when the order was paid or refunded. */
function linkTo({ config }: TicketEmailContext, { order }: OrderFacts, madeAt: Date): DocumentLink {
  return documentLink(config, { kind: "ticket_order", id: order.id }, madeAt);
}

async function writeTicketsEmail(
  context: TicketEmailContext,
  { orderId, linkAt }: Extract<TicketEmailJob, { template: "tickets" }>,
): Promise<EmailMessage | null> {
  const now = context.now();
  const facts = await findOrderFacts(context.database, orderId, now);
  if (facts === null) throw new Error(`There is no ticket order ${orderId} to email.`);
  const attachments = await attach(context, facts);
  // Everything has been cancelled since: the email about the refund says so.
  if (attachments === null) return null;
  const until = cancelUntil(facts.event, context.config.tickets.cancelHours);
  const email = ticketsEmail(context.sender, facts, {
    link: linkTo(context, facts, linkAt === undefined ? facts.order.paid_at! : new Date(linkAt)),
    cancelUntil: until > now ? until : null,
    attachments,
  });
  // Each time that staff send it, it is another email.
  return linkAt === undefined
    ? email
    : { ...email, messageId: email.messageId.replace("@", `-${new Date(linkAt).getTime()}@`) };
}

/** The tickets and the calendar file; null if no valid ticket is left. */
async function attach(
  { sender: { organisation, look }, config }: TicketEmailContext,
  facts: OrderFacts,
): Promise<Attachment[] | null> {
  const document = ticketDocumentOf(facts, organisation, config.secretKey);
  if (document === null) return null;
  const calendar = {
    filename: `${facts.event.slug}.ics`,
    contentType: "text/calendar; charset=utf-8; method=PUBLISH",
    content: Buffer.from(orderCalendar(facts, organisation, config)),
  };
  if (document.tickets.length > MAX_ATTACHED) return [calendar];
  const filename = `tickets-${facts.order.reference}.pdf`;
  return [{ filename, contentType: "application/pdf", content: await renderTickets(document, look) }, calendar];
}

async function findBought(context: TicketEmailContext, attemptId: string) {
  const attempt = await findAttempt(context.database, attemptId);
  if (attempt === undefined) throw new Error(`There is no payment ${attemptId} to email about.`);
  return { attempt, facts: await findOrderOf(context, attempt) };
}

async function findOrderOf({ database, now }: TicketEmailContext, attempt: Attempt): Promise<OrderFacts> {
  return (await findOrderFacts(database, ticketOrderIdOf(attempt), now()))!;
}

async function writeRefusedEmail(context: TicketEmailContext, attemptId: string): Promise<EmailMessage | null> {
  const { attempt, facts } = await findBought(context, attemptId);
  if (!isPaid(attempt.state)) return null;
  const { state, paid_attempt_id: closedBy } = facts.order;
  if (closedBy === null) return null;
  const link = linkTo(context, facts, attempt.settled_at ?? attempt.created_at);
  if (closedBy !== attempt.id) return paidTwiceEmail(context.sender, facts, attempt, link);
  if (facts.order.called_off_at !== null) return writeCalledOffEmail(context, facts.order.id);
  return state === "refunded" ? noSeatsEmail(context.sender, facts, attempt) : null;
}

async function writeOutcomeEmail(context: TicketEmailContext, attemptId: string): Promise<EmailMessage | null> {
  const { attempt, facts } = await findBought(context, attemptId);
  // The charge may have gone through since, or another payment may have bought the tickets.
  const isUnpaid = facts.order.state === "held" || facts.order.state === "lapsed";
  return isUnpaid && shownAs[attempt.state] === "failed" ? unpaidEmail(context.sender, facts, attempt) : null;
}

/** Null if the refund is already paid: its own email lists the cancelled tickets, too. */
async function writeCancelledEmail(context: TicketEmailContext, refundId: string): Promise<EmailMessage | null> {
  const refund = await findOrderRefund(context.database, refundId);
  return refund.state === "succeeded" ? null : ticketRefundEmail(context.sender, await findRefunded(context, refund));
}

async function writeCancelledByStaffEmail(
  context: TicketEmailContext,
  { orderId, ticketIds }: Extract<TicketEmailJob, { template: "tickets-cancelled-by-staff" }>,
): Promise<EmailMessage> {
  const now = context.now();
  const facts = (await findOrderFacts(context.database, orderId, now))!;
  const tickets = facts.tickets.filter(({ id }) => ticketIds.includes(id));
  return cancelledEmail(context.sender, { facts, tickets, link: linkTo(context, facts, now) });
}

/** The bank tells those who disputed a payment. A refused payment, and an event that was called off, have one email. */
async function writeRefundEmail(context: TicketEmailContext, refundId: string): Promise<EmailMessage | null> {
  const refund = await findOrderRefund(context.database, refundId);
  if (refund.kind === "chargeback" || refund.state === "failed") return null;
  const refunded = await findRefunded(context, refund);
  const cancelsTickets = refunded.facts.tickets.some((ticket) => ticket.refundId === refundId);
  if (refund.requested_by === "system" && !cancelsTickets) return null;
  if (refund.request_key.startsWith(callOffKey(refunded.facts.order.id))) return null;
  return ticketRefundEmail(context.sender, refunded);
}

async function findRefunded(context: TicketEmailContext, refund: Refund): Promise<RefundedTickets> {
  const { attempt, facts } = await findBought(context, refund.attempt_id);
  const now = context.now();
  const row = (await listOrderRefunds(context.database, facts.order.id)).find(({ id }) => id === refund.id)!;
  const detail = describeRow(row, { isSecondPayment: attempt.id !== facts.order.paid_attempt_id, now });
  return { facts, refund, detail, attempt, link: linkTo(context, facts, refund.settled_at ?? refund.created_at) };
}

const describeRow = (row: RefundRow, shown: Parameters<typeof presentRefund>[1]) =>
  describeRefund(presentRefund(row, shown), shown.now.toISOString()).detail;

async function writeCalledOffEmail(context: TicketEmailContext, orderId: string): Promise<EmailMessage> {
  const { database, sender, now } = context;
  const facts = (await findOrderFacts(database, orderId, now()))!;
  const request = (await findCallOff(database, facts.order.event_id))!;
  const calledOffAt = facts.order.called_off_at!;
  const money = await findMoney(context, facts, calledOffAt);
  return calledOffEmail(sender, { facts, money, reason: request.reason, link: linkTo(context, facts, calledOffAt) });
}

/** Where the money is of an order whose event was called off. */
async function findMoney(
  { database, now }: TicketEmailContext,
  { order }: OrderFacts,
  calledOffAt: Date,
): Promise<CalledOffOrder["money"]> {
  const attempt = order.paid_attempt_id === null ? undefined : await findAttempt(database, order.paid_attempt_id);
  if (attempt === undefined) {
    const cents = await sumTakenWhenCalledOff(database, order.id);
    return cents > 0 ? { kind: "taken", cents } : { kind: "nothing" };
  }
  const refunds = (await listOrderRefunds(database, order.id)).filter(({ attemptId }) => attemptId === attempt.id);
  const refund = refunds.findLast(({ created_at }) => created_at >= calledOffAt);
  if (refund === undefined) return { kind: roomOf(attempt.amount_cents, refunds) === 0 ? "before" : "by hand" };
  const detail = describeRow(refund, { isSecondPayment: false, now: now() });
  return { kind: "refund", cents: refund.amount_cents, paidCents: attempt.amount_cents, detail };
}

/** Null if the order has been cancelled since, or the event is where and when it was for its buyer. */
async function writeMovedEmail(
  context: TicketEmailContext,
  { orderId, emailId }: Extract<TicketEmailJob, { template: "event-moved" }>,
): Promise<EmailMessage | null> {
  const facts = (await findOrderFacts(context.database, orderId, context.now()))!;
  const { order, event } = facts;
  const move = order.state === "paid" ? await findMoveOf(context.database, emailId, order.paid_at!) : null;
  if (move === null || describeTimeAndPlace(move.was) === describeTimeAndPlace(event)) return null;
  return movedEmail(context.sender, { facts, emailId, ...move, link: linkTo(context, facts, order.paid_at!) });
}
