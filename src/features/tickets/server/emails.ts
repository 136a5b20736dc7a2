import type { Attempt } from "#payments/attempts.ts";
import { describeArrival } from "#payments/refunds/arrival.ts";
import type { Refund } from "#payments/refunds/refund-store.ts";
import { type EventDetails, formatPlace } from "#shared/events/event.ts";
import { formatInSydney } from "#shared/events/event-clock.ts";
import { formatEventMoment, formatTimes } from "#shared/events/event-times.ts";
import { formatDollars, plural } from "#shared/language.ts";
import type { DocumentLink } from "#shared/links/document-links.ts";
import { composeEmail, type Sender } from "#shared/mail/compose-email.ts";
import { type Block, paragraph, remark } from "#shared/mail/email-layout.ts";
import type { Attachment, EmailMessage } from "#shared/mail/mail.ts";
import { ticketPath } from "#shared/paths.ts";
import { ticketNumber } from "../ticket-token.ts";
import { type OrderFacts, type OrderTicket, validTickets } from "./order-facts.ts";

/** Tickets listed one by one in an email; the order's page lists all. */
const MOST_LISTED = 40;

/** The email with the tickets. `link` opens the order's page; `cancelUntil` is null once nothing can be cancelled. */
export function ticketsEmail(
  sender: Sender,
  facts: OrderFacts,
  {
    link,
    cancelUntil,
    attachments,
  }: { link: DocumentLink; cancelUntil: Date | null; attachments: readonly Attachment[] },
): EmailMessage {
  const { order, event } = facts;
  const valid = validTickets(facts);
  const wording = plural(valid.length, { one: oneTicket, other: severalTickets });
  const isAttached = attachments.some(({ contentType }) => contentType === "application/pdf");
  const email = emailToBuyer(sender, facts, { id: `tickets-${order.id}`, title: wording.title(event.title) }, [
    paragraph(wording.thanks + leftOut(facts, valid)),
    { kind: "rows", rows: eventRows(event) },
    { kind: "rows", rows: typeRows(valid), total: `${formatDollars(sumOf(valid))} ${order.currency}` },
    paragraph(isAttached ? wording.attached : notAttached),
    { kind: "link", label: wording.link, url: `${sender.publicUrl}${link.path}` },
    ...(event.isOnline && event.place === "" ? [] : [paragraph(atTheDoor)]),
    ...(cancelUntil === null ? [] : [paragraph(cancelling(event, cancelUntil))]),
    remark(
      `The link works without logging in until ${link.lastDay}. Anyone with the link can see, rename and cancel your tickets, so please keep it to yourself.`,
    ),
    remark("This email and the tickets are not tax-deductible gift receipts."),
  ]);
  return { ...email, attachments };
}

const onThePage = "You can also change the name on a ticket there.";
const oneTicket = {
  title: (event: string) => `Your ticket for ${event}`,
  thanks: "Thank you. Your seat is paid for.",
  attached: `Your ticket and a calendar entry are attached. You will also find both on your order page. ${onThePage}`,
  link: "See your order and ticket",
  cancelled: "This ticket is cancelled and no longer valid:",
  staysValid: "This ticket stays valid:",
};
const severalTickets: typeof oneTicket = {
  title: (event) => `Your tickets for ${event}`,
  thanks: "Thank you. Your seats are paid for.",
  attached: `Your tickets (one page each) and a calendar entry are attached. You will also find them on your order page. ${onThePage}`,
  link: "See your order and tickets",
  cancelled: "These tickets are cancelled and no longer valid:",
  staysValid: "These tickets stay valid:",
};
const notAttached = `Your tickets are on your order page, to print or to show on your phone. ${onThePage} A calendar entry is attached.`;
const atTheDoor =
  "At the door, show the code on each ticket, on paper or on your phone. Each code admits one person, once.";

function leftOut({ tickets }: OrderFacts, valid: readonly OrderTicket[]): string {
  const gone = tickets.length - valid.length;
  if (gone === 0) return "";
  return plural(gone, {
    one: " 1 ticket of this order is cancelled and is not included.",
    other: ` ${gone} tickets of this order are cancelled and are not included.`,
  });
}

function cancelling(event: EventDetails, until: Date): string {
  const inSydney = formatInSydney({ ...event, startsAt: until, endsAt: until });
  const last = formatEventMoment(until, event.timeZone);
  return (
    `Can someone not make it? Until ${inSydney === null ? last : `${last}, in Sydney ${inSydney},`} you can cancel single ` +
    "tickets on your order page and get a refund for them."
  );
}

/** To a buyer whose payment arrived when the seats were gone: all of it is refunded. */
export function noSeatsEmail(sender: Sender, facts: OrderFacts, attempt: Attempt): EmailMessage {
  const { order, event, lines } = facts;
  const amount = formatDollars(attempt.amount_cents);
  const title = `No seats were left: we are refunding your ${amount}`;
  return emailToBuyer(sender, facts, { id: `tickets-refused-${attempt.id}`, title }, [
    paragraph(
      `Your payment of ${amount} for ${event.title} reached us after the hold on your seats had ended. By then not ` +
        "enough seats were left for your order, so you have no tickets. We are sorry.",
    ),
    {
      kind: "rows",
      rows: lines.map(({ title, quantity, priceCents }) => [
        `${title} × ${quantity}`,
        formatDollars(priceCents * quantity),
      ]),
      total: `${formatDollars(order.total_cents)} ${order.currency}`,
    },
    paragraph(
      `We are refunding the whole ${amount}. You do not need to do anything. ${describeArrival({ kind: null, provider: attempt.provider })}`,
    ),
    ...chooseAgain(sender, event),
  ]);
}

/** To a buyer who paid for an order twice: the second payment is refunded. */
export function paidTwiceEmail(sender: Sender, facts: OrderFacts, attempt: Attempt, link: DocumentLink): EmailMessage {
  const { order, event } = facts;
  const amount = formatDollars(attempt.amount_cents);
  const title = `You paid twice: we are refunding ${amount}`;
  const keeps = validTickets(facts).length > 0 ? " Your tickets stay valid." : "";
  return emailToBuyer(sender, facts, { id: `tickets-refused-${attempt.id}`, title }, [
    paragraph(
      `Your order ${order.reference} for ${event.title} was already paid when we received another payment of ${amount} ` +
        `for it.${keeps}`,
    ),
    paragraph(
      `We are refunding the whole second payment of ${amount}. You do not need to do anything. ${describeArrival({ kind: null, provider: attempt.provider })}`,
    ),
    ...orderLink(sender, link),
  ]);
}

/** To a buyer who was asked to wait: the payment did not go through. */
export function unpaidEmail(sender: Sender, facts: OrderFacts, attempt: Attempt): EmailMessage {
  const { event } = facts;
  const { phone, email } = sender.organisation;
  const amount = formatDollars(attempt.amount_cents);
  const title = "Your payment for tickets did not go through";
  return emailToBuyer(sender, facts, { id: `tickets-payment-${attempt.id}`, title }, [
    paragraph(
      `We asked you to wait while we confirmed your payment of ${amount} for ${event.title}. It did not go through, ` +
        "nothing was charged, and you have no tickets from it. We are sorry for the wait.",
    ),
    ...chooseAgain(sender, event),
    remark(
      `If you do see a charge from us on your statement, please call ${phone} or email ${email}, and we will fix it.`,
    ),
  ]);
}

/** `detail` describes the refund's current status. */
export type RefundedTickets = {
  readonly facts: OrderFacts;
  readonly refund: Refund;
  readonly attempt: Attempt;
  readonly detail: string;
  readonly link: DocumentLink;
};

/** What is refunded, and which tickets are cancelled or stay valid. Sent on the way, and again once paid. */
export function ticketRefundEmail(sender: Sender, refunded: RefundedTickets): EmailMessage {
  const { facts, refund, attempt, link } = refunded;
  const cancelled = facts.tickets.filter(({ isCancelled, refundId }) => isCancelled && refundId === refund.id);
  const valid = validTickets(facts);
  const id = `tickets-${refund.state === "succeeded" ? "refund" : "cancelled"}-${refund.id}`;
  return emailToBuyer(sender, facts, { id, title: refundTitle(refund, attempt) }, [
    paragraph(refundSentence(refunded)),
    ...(refund.state === "succeeded" || refund.state === "failed"
      ? []
      : [paragraph("We will email you again when it is paid. You can check its status on your order page.")]),
    ...(cancelled.length === 0
      ? []
      : [paragraph(plural(cancelled.length, { one: oneTicket, other: severalTickets }).cancelled), listing(cancelled)]),
    ...(valid.length === 0
      ? [paragraph("This order has no valid tickets left.")]
      : [paragraph(plural(valid.length, { one: oneTicket, other: severalTickets }).staysValid), listing(valid)]),
    ...orderLink(sender, link),
  ]);
}

function orderLink({ publicUrl }: Sender, { path, lastDay }: DocumentLink): Block[] {
  return [
    { kind: "link", label: "See your order", url: `${publicUrl}${path}` },
    remark(`The link works without logging in until ${lastDay}.`),
  ];
}

function refundTitle({ kind, state, amount_cents }: Refund, attempt: Attempt): string {
  const amount = formatDollars(amount_cents);
  if (kind === "reversal") return `Your payment of ${amount} for tickets did not go through`;
  const isAll = amount_cents === attempt.amount_cents;
  if (state !== "succeeded") return `We are refunding ${amount} for your tickets`;
  return isAll ? `We have refunded your tickets: ${amount}` : `We have refunded ${amount} for your tickets`;
}

function refundSentence({ facts: { order, event }, refund, attempt, detail }: RefundedTickets): string {
  const amount = formatDollars(refund.amount_cents);
  const tickets = `order ${order.reference} for ${event.title}`;
  if (refund.kind === "reversal") {
    const takenBack = {
      braintree: `PayPal first approved the payment for your ${tickets}, then took it back: ${amount} did not reach us.`,
      payway: `The bank first approved the payment for your ${tickets}, then took it back: ${amount} did not reach us.`,
    };
    const returned = "If your statement shows it as paid, it will be returned to you within a few business days.";
    return `${takenBack[attempt.provider]} ${returned}`;
  }
  const paid = formatDollars(attempt.amount_cents);
  const isDone = refund.state === "succeeded";
  if (refund.amount_cents === attempt.amount_cents) {
    return isDone
      ? `We have refunded the whole ${amount} that you paid for your ${tickets}. ${detail}`
      : `We are refunding the whole ${amount} that you paid for your ${tickets}. ${detail}`;
  }
  return isDone
    ? `We have refunded ${amount} of the ${paid} that you paid for your ${tickets}. ${detail}`
    : `We are refunding ${amount} of the ${paid} that you paid for your ${tickets}. ${detail}`;
}

function emailToBuyer(
  sender: Sender,
  { order }: OrderFacts,
  { id, title }: { id: string; title: string },
  blocks: readonly Block[],
): EmailMessage {
  const { phone, email } = sender.organisation;
  const name = [order.first_name, order.last_name].filter(Boolean).join(" ");
  return composeEmail(sender, {
    id,
    subject: title,
    to: { name, address: order.email ?? "" },
    replyTo: email,
    blocks: [
      paragraph(name === "" ? "Dear friend," : `Dear ${name},`),
      ...blocks,
      remark(`Our reference: ${order.reference}. Questions? Call ${phone} or email ${email}.`),
    ],
  });
}

function eventRows(event: EventDetails): (readonly [string, string])[] {
  const inSydney = formatInSydney(event);
  return [
    ["Event", event.title],
    ["When", formatTimes(event)],
    ...(inSydney === null ? [] : [["Sydney time", inSydney] as const]),
    ["Where", formatPlace(event)],
  ];
}

/** A row for each type: 'VIP Seat × 2', '$200.00'. */
function typeRows(tickets: readonly OrderTicket[]): (readonly [string, string])[] {
  return [...new Set(tickets.map(({ typeId }) => typeId))].map((type) => {
    const ofType = tickets.filter(({ typeId }) => typeId === type);
    return [`${ofType[0]?.title} × ${ofType.length}`, formatDollars(sumOf(ofType))];
  });
}

const sumOf = (tickets: readonly OrderTicket[]) => tickets.reduce((sum, { priceCents }) => sum + priceCents, 0);

/** A row for each ticket: 'VIP Seat, Amina Raza', 'K7Q2-M9XW'. */
function listing(tickets: readonly OrderTicket[]): Block {
  const more = tickets.length - MOST_LISTED;
  return {
    kind: "rows",
    rows: [
      ...tickets
        .slice(0, MOST_LISTED)
        .map(({ title, holder, serial }) => [`${title}, ${holder}`, ticketNumber(serial)] as const),
      ...(more > 0
        ? [[plural(more, { one: "1 more ticket", other: `${more} more tickets` }), "on your order page"] as const]
        : []),
    ],
  };
}

function chooseAgain({ publicUrl }: Sender, { slug, isOver }: EventDetails): Block[] {
  if (isOver) return [];
  return [
    paragraph("You can choose again while seats are left."),
    { kind: "link", label: "Choose tickets", url: `${publicUrl}${ticketPath("selectTickets", slug)}` },
  ];
}
