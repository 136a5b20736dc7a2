import { emailStates, latestFirst, type Move } from "#admin/moves.ts";
import { refundAuditWords } from "#admin/refund-audit-words.ts";
import {
  describeTakenBack,
  eventIcons,
  paymentEventWords,
  providerNames,
  refundEventWords,
} from "#payments/payment-words.ts";
import { formatDollars, formatList, plural } from "#shared/language.ts";
import type { HolderEmailJob } from "../../server/emails/holder-email.ts";
import type { TicketEmailJob } from "../../server/emails/write-emails.ts";
import type { OrderDetails } from "../../server/staff/order-details.ts";

/** What the events of a payment mean where the buyer is concerned. */
const buyerEventWords: Readonly<Record<string, string>> = {
  payment_created: "The buyer sent the order, and their bank was asked first.",
  challenge_required: "The buyer’s bank asked them to confirm.",
  payment_cancelled: "The buyer did not confirm it at their bank. Nothing was charged.",
  dispute_opened: "The buyer disputes the payment at their bank.",
};

type OrderEmail =
  | (TicketEmailJob | HolderEmailJob)["template"]
  | ("new-link" | "payment-needs-check" | "refund-needs-check");

/** Emails of the outbox by their template: who gets which email. */
const emailWords: Readonly<Record<OrderEmail, string>> = {
  tickets: "The tickets, for the buyer",
  "tickets-refused": "News that the payment is refunded, for the buyer",
  "tickets-payment-outcome": "News that nothing was charged, for the buyer",
  "tickets-cancelled": "News of cancelled tickets and their refund, for the buyer",
  "tickets-cancelled-by-staff": "News of cancelled tickets, for the buyer",
  "tickets-refund": "News of the refund, for the buyer",
  "event-moved": "News of another time or place, for the buyer",
  "event-called-off": "News that the event was called off, for the buyer",
  "holder-email": "What staff wrote to the ticket holders, for the buyer",
  "new-link": "A new link to the order, for the buyer",
  "payment-needs-check": "A payment to check, for us",
  "refund-needs-check": "A refund to check, for us",
};

const actWords: Readonly<Record<string, string>> = {
  "order.note": "noted:",
  "order.resend": "sent the tickets again.",
  "order.retry_refund": "asked for the refund again.",
};

/** Everything that happened to an order, latest first. */
export function listOrderMoves(details: OrderDetails): Move[] {
  return latestFirst([
    firstMove(details),
    ...paymentMoves(details),
    ...callOffMoves(details),
    ...refundMoves(details),
    ...emailMoves(details),
    ...staffMoves(details),
  ]);
}

function firstMove({ order }: OrderDetails): Move {
  const first = { key: "held", at: order.created_at } as const;
  if (order.taken_cents > 0) {
    const text = `Staff sold the tickets, and took ${formatDollars(order.taken_cents)} in person.`;
    return { ...first, icon: "user", text };
  }
  if (order.sold_by !== null) return { ...first, icon: "user", text: "Staff gave the tickets." };
  // No buyer's request made it. The entry of the waiting list is deleted after the event.
  const isOffer = order.request_hash.length === 0;
  const text = isOffer
    ? "The seats were offered to somebody on the waiting list, and held."
    : "The buyer chose seats, which were held.";
  return { ...first, icon: "clock", text };
}

function paymentMoves({ events, payments }: OrderDetails): Move[] {
  return events.flatMap(({ id, event, from_state, provider, at, attempt_id }): Move[] => {
    const name = providerNames[provider];
    const isFirst = event === "submission_started" && from_state === null;
    const text = isFirst
      ? `The buyer sent the order, and the charge went to ${name}.`
      : (buyerEventWords[event] ?? paymentEventWords[event]?.(name));
    if (text === undefined) return [];
    const icon = (eventIcons as Readonly<Record<string, Move["icon"]>>)[event] ?? "clock";
    const transaction = payments.find((payment) => payment.id === attempt_id)?.provider_transaction_id ?? null;
    const isPaid = icon === "ok" && transaction !== null && event !== "dispute_won";
    return [{ key: `payment ${id}`, at, icon, text, ...(isPaid && { detail: `Transaction ${transaction}` }) }];
  });
}

function callOffMoves({ order: { called_off_at: at } }: OrderDetails): Move[] {
  return at === null
    ? []
    : [{ key: "called off", at, icon: "alert", text: "The event was called off: the order was cancelled." }];
}

function refundMoves({ refundEvents }: OrderDetails): Move[] {
  return refundEvents.flatMap((row): Move[] => {
    const takenBack = row.event === "refund_found" ? describeTakenBack(row) : undefined;
    const text = takenBack ?? refundEventWords[row.event]?.(row);
    if (text === undefined) return [];
    const isRequest = row.event === "refund_requested" && row.reason !== "";
    return [{ key: `refund ${row.id}`, at: row.at, icon: "back", text, ...(isRequest && { quote: row.reason }) }];
  });
}

function emailMoves({ emails }: OrderDetails): Move[] {
  return emails.map(({ id, template, state, at, completedAt }) => ({
    key: `email ${id}`,
    at: completedAt ?? at,
    icon: state === "failed" ? "alert" : "mail",
    text: `Email: ${(emailWords as Readonly<Record<string, string>>)[template] ?? template}.`,
    detail: emailStates[state],
  }));
}

function staffMoves({ acts }: OrderDetails): Move[] {
  return acts.map(({ id, at, actor, verb, before, after, reason }) => ({
    key: `act ${id}`,
    at,
    who: actor,
    icon: verb === "order.note" ? "note" : "user",
    text: describeAct(verb, before, after),
    ...(reason !== "" && { quote: reason }),
  }));
}

type Values = Readonly<Record<string, unknown>>;

function describeAct(verb: string, before: Values, after: Values): string {
  if (verb === "order.correct-email") return `corrected the email address: ${before.email} is now ${after.email}.`;
  if (verb === "order.rename-holder") return `changed the name on ticket ${after.ticketPosition}.`;
  if (verb === "order.cancel-tickets") return describeCancelling(after);
  const ofRefund = (refundAuditWords as Readonly<Record<string, string>>)[verb];
  return actWords[verb] ?? `${ofRefund ?? `did “${verb}” to`} this order.`;
}

function describeCancelling({ ticketNumbers, giveBackCents }: Values): string {
  const numbers = (ticketNumbers as readonly unknown[]).map(String);
  const listed = formatList(numbers, "and");
  if (typeof giveBackCents !== "number") {
    return plural(numbers.length, { one: `cancelled ticket ${listed}.`, other: `cancelled tickets ${listed}.` });
  }
  const taken = formatDollars(giveBackCents);
  return plural(numbers.length, {
    one: `cancelled ticket ${listed}, for which ${taken} was taken at the door.`,
    other: `cancelled tickets ${listed}, for which ${taken} was taken at the door.`,
  });
}
