import { type Attempt, findAttempt } from "#payments/attempts.ts";
import type { Refund } from "#payments/refunds/refund-store.ts";
import { isPaid, shownAs } from "#payments/states.ts";
import type { Config } from "#shared/config.ts";
import type { Database } from "#shared/database/connect.ts";
import { type DocumentLink, documentLink } from "#shared/links/document-links.ts";
import type { Attachment, Letter } from "#shared/mail/mail.ts";
import type { Organisation } from "#shared/organisation.ts";
import { cancelUntil } from "../cancel-until.ts";
import { describeRefund } from "../refunds.ts";
import { findOrderFacts, findRefund, type OrderFacts, paperOf } from "./letter-facts.ts";
import {
  noSeatsLetter,
  paidTwiceLetter,
  type RefundedTickets,
  ticketRefundLetter,
  ticketsLetter,
  unpaidLetter,
} from "./letters.ts";
import { orderCalendar } from "./order-calendar.ts";
import { presentRefund } from "./present-refunds.ts";
import { listRefunds, ticketOrderIdOf } from "./store.ts";
import { renderTickets } from "./tickets-pdf.ts";

export type TicketLetterJob =
  /** To the buyer, like all of them: the tickets of an order. */
  | { readonly letter: "tickets"; readonly orderId: string }
  /** A payment that bought nothing, because no seats were left or the order was paid already: all of it goes back. */
  | { readonly letter: "tickets-refused"; readonly attemptId: string }
  /** A payment whose buyer was asked to wait, and which did not go through. */
  | { readonly letter: "tickets-payment-outcome"; readonly attemptId: string }
  /** Tickets that the buyer cancelled, while their refund is on its way; and a refund that is paid. */
  | { readonly letter: "tickets-cancelled" | "tickets-refund"; readonly refundId: string };

declare module "#shared/jobs/queues.ts" {
  interface LetterJobs {
    tickets: TicketLetterJob;
  }
}

export type TicketLetterContext = {
  readonly database: Database;
  readonly organisation: () => Organisation;
  readonly config: Pick<Config, "publicUrl" | "secretKey" | "linkDays" | "tickets">;
  readonly now: () => Date;
};

/** More tickets than this are not attached, because mailboxes refuse letters of many megabytes: they are on the order's page. */
const MOST_ATTACHED = 100;

/**
 * The letter of one job. It says what is true when the job runs, which carries ids alone; null when there is nothing
 * left to say, or nobody to say it to: the buyer's address has been erased.
 */
export async function writeTicketLetter(context: TicketLetterContext, job: TicketLetterJob): Promise<Letter | null> {
  const letter = await writeLetter(context, job);
  return letter?.to.address === "" ? null : letter;
}

function writeLetter(context: TicketLetterContext, job: TicketLetterJob): Promise<Letter | null> {
  switch (job.letter) {
    case "tickets":
      return writeTicketsLetter(context, job.orderId);
    case "tickets-refused":
      return writeRefusedLetter(context, job.attemptId);
    case "tickets-payment-outcome":
      return writeOutcomeLetter(context, job.attemptId);
    case "tickets-cancelled":
      return writeCancelledLetter(context, job.refundId);
    case "tickets-refund":
      return writeRefundLetter(context, job.refundId);
  }
}

const senderOf = ({ organisation, config }: TicketLetterContext) => ({
  organisation: organisation(),
  publicUrl: config.publicUrl,
});

/** `madeAt` is when what the letter is about happened. */
function linkTo({ config }: TicketLetterContext, { order }: OrderFacts, madeAt: Date): DocumentLink {
  return documentLink(config, { kind: "ticket_order", id: order.id }, madeAt);
}

async function writeTicketsLetter(context: TicketLetterContext, orderId: string): Promise<Letter | null> {
  const now = context.now();
  const facts = await findOrderFacts(context.database, orderId, now);
  if (facts === null) throw new Error(`There is no ticket order ${orderId} to send.`);
  const attachments = await attach(context, facts);
  // All of it was cancelled meanwhile: the letter about the refund says so.
  if (attachments === null) return null;
  const until = cancelUntil(facts.event, context.config.tickets.cancelHours);
  return ticketsLetter(senderOf(context), facts, {
    link: linkTo(context, facts, facts.order.paid_at!),
    cancelUntil: until > now ? until : null,
    attachments,
  });
}

/** The tickets and the calendar file; null where no ticket is left. */
async function attach({ organisation, config }: TicketLetterContext, facts: OrderFacts): Promise<Attachment[] | null> {
  const paper = paperOf(facts, organisation(), config.secretKey);
  if (paper === null) return null;
  const calendar = {
    filename: `${facts.event.slug}.ics`,
    contentType: "text/calendar; charset=utf-8; method=PUBLISH",
    content: Buffer.from(orderCalendar(facts, organisation(), config)),
  };
  if (paper.tickets.length > MOST_ATTACHED) return [calendar];
  const filename = `tickets-${facts.order.reference}.pdf`;
  return [{ filename, contentType: "application/pdf", content: await renderTickets(paper) }, calendar];
}

async function findBought(context: TicketLetterContext, attemptId: string) {
  const attempt = await findAttempt(context.database, attemptId);
  if (attempt === undefined) throw new Error(`There is no payment ${attemptId} to write about.`);
  return { attempt, facts: await findOrderOf(context, attempt) };
}

async function findOrderOf({ database, now }: TicketLetterContext, attempt: Attempt): Promise<OrderFacts> {
  return (await findOrderFacts(database, ticketOrderIdOf(attempt), now()))!;
}

async function writeRefusedLetter(context: TicketLetterContext, attemptId: string): Promise<Letter | null> {
  const { attempt, facts } = await findBought(context, attemptId);
  if (!isPaid(attempt.state)) return null;
  const { state, paid_attempt_id: closedBy } = facts.order;
  if (closedBy === null) return null;
  const link = linkTo(context, facts, attempt.settled_at ?? attempt.created_at);
  if (closedBy !== attempt.id) return paidTwiceLetter(senderOf(context), facts, attempt, link);
  return state === "refunded" ? noSeatsLetter(senderOf(context), facts, attempt) : null;
}

async function writeOutcomeLetter(context: TicketLetterContext, attemptId: string): Promise<Letter | null> {
  const { attempt, facts } = await findBought(context, attemptId);
  // A charge may have turned up since, or another payment has bought the tickets.
  const isUnpaid = facts.order.state === "held" || facts.order.state === "lapsed";
  return isUnpaid && shownAs[attempt.state] === "failed" ? unpaidLetter(senderOf(context), facts, attempt) : null;
}

/** Nothing where the refund is paid already: its own letter says which tickets were cancelled, too. */
async function writeCancelledLetter(context: TicketLetterContext, refundId: string): Promise<Letter | null> {
  const refund = await findRefund(context.database, refundId);
  return refund.state === "succeeded"
    ? null
    : ticketRefundLetter(senderOf(context), await findRefunded(context, refund));
}

/** Whoever disputed the payment with the bank has that from the bank, and a payment that was refused has its own letter. */
async function writeRefundLetter(context: TicketLetterContext, refundId: string): Promise<Letter | null> {
  const refund = await findRefund(context.database, refundId);
  if (refund.kind === "chargeback" || refund.state === "failed") return null;
  const refunded = await findRefunded(context, refund);
  const cancelsTickets = refunded.facts.tickets.some((ticket) => ticket.refundId === refundId);
  if (refund.requested_by === "system" && !cancelsTickets) return null;
  return ticketRefundLetter(senderOf(context), refunded);
}

async function findRefunded(context: TicketLetterContext, refund: Refund): Promise<RefundedTickets> {
  const { attempt, facts } = await findBought(context, refund.attempt_id);
  const now = context.now();
  const row = (await listRefunds(context.database, facts.order.id)).find(({ id }) => id === refund.id)!;
  const shown = presentRefund(row, { isSecondPayment: attempt.id !== facts.order.paid_attempt_id, now });
  const { detail } = describeRefund(shown, now.toISOString());
  return { facts, refund, detail, attempt, link: linkTo(context, facts, refund.settled_at ?? refund.created_at) };
}
