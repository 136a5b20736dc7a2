import type { Attempt } from "#payments/attempts.ts";
import { sayArrival } from "#payments/refunds/arrival.ts";
import type { Refund } from "#payments/refunds/refund-store.ts";
import type { EventDetails } from "#shared/events/event.ts";
import { sayInSydney } from "#shared/events/event-clock.ts";
import { sayPlace } from "#shared/events/event-place.ts";
import { sayMoment, sayTimes } from "#shared/events/event-times.ts";
import type { DocumentLink } from "#shared/links/document-links.ts";
import { idAndSubject, type Sender } from "#shared/mail/letter-heading.ts";
import { type Block, layOutLetter, remark, said } from "#shared/mail/letter-layout.ts";
import type { Attachment, Letter } from "#shared/mail/mail.ts";
import { formatDollars } from "#shared/money.ts";
import { ticketPath } from "#shared/paths.ts";
import { sayCount } from "../order.ts";
import { ticketNumber } from "../ticket-token.ts";
import { type IssuedTicket, type OrderFacts, validTickets } from "./letter-facts.ts";

/** Tickets that a letter lists one by one; the order's page has all of them. */
const MOST_LISTED = 40;

/**
 * Brings the tickets. `link` leads to the order's page; `cancelUntil` is null once nothing can be cancelled, `attachments`
 * go with it.
 */
export function ticketsLetter(
  sender: Sender,
  facts: OrderFacts,
  {
    link,
    cancelUntil,
    attachments,
  }: { link: DocumentLink; cancelUntil: Date | null; attachments: readonly Attachment[] },
): Letter {
  const { order, event } = facts;
  const valid = validTickets(facts);
  const isOne = valid.length === 1;
  const title = `Your ${isOne ? "ticket" : "tickets"} for ${event.title}`;
  const isAttached = attachments.some(({ contentType }) => contentType === "application/pdf");
  const letter = letterToBuyer(sender, facts, { word: `tickets-${order.id}`, title }, [
    said(`Thank you. ${isOne ? "This seat is" : "These seats are"} paid and yours.${leftOut(facts, valid)}`),
    { kind: "rows", rows: eventRows(event) },
    { kind: "rows", rows: typeRows(valid), total: `${formatDollars(sumOf(valid))} ${order.currency}` },
    said(isAttached ? (isOne ? oneAttached : manyAttached) : notAttached),
    {
      kind: "link",
      label: `See your order and ${isOne ? "ticket" : "tickets"}`,
      url: `${sender.publicUrl}${link.path}`,
    },
    ...(event.isOnline && event.place === "" ? [] : [said(atTheDoor)]),
    ...(cancelUntil === null ? [] : [said(cancelling(event, cancelUntil))]),
    remark(
      `The link works without logging in until ${link.lastDay}. Whoever has it can see, rename and cancel your tickets: please keep it to yourself.`,
    ),
    remark("This letter and the tickets are not tax-deductible gift receipts."),
  ]);
  return { ...letter, attachments };
}

const onThePage = "There you can put another name on a ticket, too.";
const oneAttached = `Your ticket is attached, with the event for your calendar. The page of your order has both as well. ${onThePage}`;
const manyAttached = `Your tickets are attached, a page for each, with the event for your calendar. The page of your order has them as well. ${onThePage}`;
const notAttached = `The page of your order has your tickets, to print or to show on your phone. ${onThePage} The event for your calendar is attached.`;
const atTheDoor = "At the door, show the code of each ticket, on paper or on your phone. It lets one person in, once.";

function leftOut({ tickets }: OrderFacts, valid: readonly IssuedTicket[]): string {
  const gone = tickets.length - valid.length;
  if (gone === 0) return "";
  return ` ${sayCount(gone)} of the order ${gone === 1 ? "has been cancelled and is" : "have been cancelled and are"} left out.`;
}

function cancelling(event: EventDetails, until: Date): string {
  const inSydney = sayInSydney({ ...event, startsAt: until, endsAt: until });
  const there = inSydney === null ? "" : `, in Sydney ${inSydney},`;
  return (
    `Can somebody not come? Until ${sayMoment(until, event.timeZone)}${there} you can cancel tickets one by one on the page of ` +
    "your order, and get back what you paid for them."
  );
}

/** Tells a buyer that a payment came when the seats were gone, and that all of it goes back. */
export function noSeatsLetter(sender: Sender, facts: OrderFacts, attempt: Attempt): Letter {
  const { order, event, lines } = facts;
  const amount = formatDollars(attempt.amount_cents);
  const title = `No seats were left: your ${amount} goes back to you`;
  return letterToBuyer(sender, facts, { word: `tickets-refused-${attempt.id}`, title }, [
    said(
      `Your payment of ${amount} for ${event.title} reached us after the time for which your seats were held. By then ` +
        "not enough were left for your order, so you have no tickets. We are sorry.",
    ),
    {
      kind: "rows",
      rows: lines.map(({ title, quantity, priceCents }) => [
        `${title} × ${quantity}`,
        formatDollars(priceCents * quantity),
      ]),
      total: `${formatDollars(order.total_cents)} ${order.currency}`,
    },
    said(
      `The whole ${amount} goes back to you, and you need do nothing. ${sayArrival({ kind: null, provider: attempt.provider })}`,
    ),
    ...chooseAgain(sender, event),
  ]);
}

/** Tells a buyer that an order was paid twice, and that the second payment goes back. `link` as for `ticketsLetter`. */
export function paidTwiceLetter(sender: Sender, facts: OrderFacts, attempt: Attempt, link: DocumentLink): Letter {
  const { order, event } = facts;
  const amount = formatDollars(attempt.amount_cents);
  const title = `You paid twice: ${amount} goes back to you`;
  const keeps = validTickets(facts).length > 0 ? " Your tickets stay valid." : "";
  return letterToBuyer(sender, facts, { word: `tickets-refused-${attempt.id}`, title }, [
    said(
      `Your order ${order.reference} for ${event.title} was paid already when another payment of ${amount} for it came ` +
        `through.${keeps}`,
    ),
    said(
      `The whole second payment of ${amount} goes back to you, and you need do nothing. ${sayArrival({ kind: null, provider: attempt.provider })}`,
    ),
    ...orderLink(sender, link),
  ]);
}

/** Tells a buyer who was asked to wait that the payment did not go through. */
export function unpaidLetter(sender: Sender, facts: OrderFacts, attempt: Attempt): Letter {
  const { event } = facts;
  const { phone, email } = sender.organisation;
  const amount = formatDollars(attempt.amount_cents);
  const title = "Your payment for tickets did not go through";
  return letterToBuyer(sender, facts, { word: `tickets-payment-${attempt.id}`, title }, [
    said(
      `We asked you to wait while we confirmed your payment of ${amount} for ${event.title}. It did not go through, ` +
        "nothing was charged, and you have no tickets from it. We are sorry for the wait.",
    ),
    ...chooseAgain(sender, event),
    remark(
      `Should you find a charge from us on your statement all the same, please call ${phone} or write to ${email}, ` +
        "and we will put it right.",
    ),
  ]);
}

/** `detail` is what there is to know of a refund as it stands; `link` as for `ticketsLetter`. */
export type RefundedTickets = {
  readonly facts: OrderFacts;
  readonly refund: Refund;
  readonly attempt: Attempt;
  readonly detail: string;
  readonly link: DocumentLink;
};

/**
 * Tells a buyer what goes back or has gone back, which tickets are cancelled and which stay. One while the refund is on
 * its way, and one when it is paid.
 */
export function ticketRefundLetter(sender: Sender, refunded: RefundedTickets): Letter {
  const { facts, refund, attempt, link } = refunded;
  const cancelled = facts.tickets.filter(({ isCancelled, refundId }) => isCancelled && refundId === refund.id);
  const valid = validTickets(facts);
  const word = `tickets-${refund.state === "succeeded" ? "refund" : "cancelled"}-${refund.id}`;
  return letterToBuyer(sender, facts, { word, title: refundTitle(refund, attempt) }, [
    said(refundSentence(refunded)),
    ...(refund.state === "succeeded" || refund.state === "failed"
      ? []
      : [said("We will email you again when it is paid. The page of your order shows how it stands.")]),
    ...(cancelled.length === 0
      ? []
      : [
          said(
            cancelled.length === 1
              ? "This ticket is cancelled, and its code lets nobody in any more:"
              : "These tickets are cancelled, and their codes let nobody in any more:",
          ),
          listing(cancelled),
        ]),
    ...(valid.length === 0
      ? [said("No ticket of this order is left.")]
      : [said(valid.length === 1 ? "This ticket stays valid:" : "These tickets stay valid:"), listing(valid)]),
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
  if (kind === "reversal") return `Your payment of ${amount} for tickets did not come through`;
  const isAll = amount_cents === attempt.amount_cents;
  if (state !== "succeeded") return `${amount} for your tickets goes back to you`;
  return isAll ? `We have refunded your tickets: ${amount}` : `We have refunded ${amount} for your tickets`;
}

function refundSentence({ facts: { order, event }, refund, attempt, detail }: RefundedTickets): string {
  const amount = formatDollars(refund.amount_cents);
  const of = `your order ${order.reference} for ${event.title}`;
  if (refund.kind === "reversal") {
    const payer = attempt.provider === "braintree" ? "PayPal" : "The bank";
    return (
      `${payer} approved the payment for ${of} at first, and then took it back: ${amount} did not reach us. ` +
      "Should your statement show it as paid, it is returned to you within a few business days."
    );
  }
  const isAll = refund.amount_cents === attempt.amount_cents;
  const what = isAll ? `the whole ${amount}` : `${amount} of the ${formatDollars(attempt.amount_cents)}`;
  const done = refund.state === "succeeded" ? "We have given back" : "We are giving back";
  return `${done} ${what} that you paid for ${of}. ${detail}`;
}

function letterToBuyer(
  { organisation, publicUrl }: Sender,
  { order }: OrderFacts,
  { word, title }: { word: string; title: string },
  blocks: readonly Block[],
): Letter {
  const { phone, email } = organisation;
  const name = [order.first_name, order.last_name].filter(Boolean).join(" ");
  return {
    ...idAndSubject(publicUrl, word, title),
    to: { name, address: order.email ?? "" },
    replyTo: email,
    ...layOutLetter(organisation, {
      title,
      blocks: [
        said(name === "" ? "Dear friend," : `Dear ${name},`),
        ...blocks,
        remark(`Our reference: ${order.reference}. Questions? Call ${phone} or write to ${email}.`),
      ],
    }),
    attachments: [],
  };
}

function eventRows(event: EventDetails): (readonly [string, string])[] {
  const inSydney = sayInSydney(event);
  return [
    ["Event", event.title],
    ["When", sayTimes(event)],
    ...(inSydney === null ? [] : [["Sydney time", inSydney] as const]),
    ["Where", sayPlace(event)],
  ];
}

/** A row for each type: 'VIP Seat × 2', '$200.00'. */
function typeRows(tickets: readonly IssuedTicket[]): (readonly [string, string])[] {
  return [...new Set(tickets.map(({ typeId }) => typeId))].map((type) => {
    const ofType = tickets.filter(({ typeId }) => typeId === type);
    return [`${ofType[0]?.title} × ${ofType.length}`, formatDollars(sumOf(ofType))];
  });
}

const sumOf = (tickets: readonly IssuedTicket[]) => tickets.reduce((sum, { priceCents }) => sum + priceCents, 0);

/** A row for each ticket: 'VIP Seat, Amina Raza', 'K7Q2-M9XW'. */
function listing(tickets: readonly IssuedTicket[]): Block {
  const more = tickets.length - MOST_LISTED;
  return {
    kind: "rows",
    rows: [
      ...tickets
        .slice(0, MOST_LISTED)
        .map(({ title, holder, serial }) => [`${title}, ${holder}`, ticketNumber(serial)] as const),
      ...(more > 0 ? [[`and ${sayCount(more)} more`, "on the page of your order"] as const] : []),
    ],
  };
}

function chooseAgain({ publicUrl }: Sender, { slug, isOver }: EventDetails): Block[] {
  if (isOver) return [];
  return [
    said("You may choose again, as long as seats are left."),
    { kind: "link", label: "Choose tickets", url: `${publicUrl}${ticketPath("selectTickets", slug)}` },
  ];
}
