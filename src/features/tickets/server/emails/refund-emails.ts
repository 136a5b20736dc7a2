import type { Attempt } from "#payments/attempts.ts";
import { describeArrival } from "#payments/refunds/arrival.ts";
import type { Refund } from "#payments/refunds/refund-store.ts";
import { formatDollars, plural } from "#shared/language.ts";
import type { DocumentLink } from "#shared/links/document-links.ts";
import type { Sender } from "#shared/mail/compose-email.ts";
import { declareEmail } from "#shared/mail/declared-email.ts";
import { paragraph } from "#shared/mail/email-layout.ts";
import { fillTexts } from "#shared/mail/email-texts.ts";
import type { EmailMessage } from "#shared/mail/mail.ts";
import {
  buyerPlaceholders,
  buyerTexts,
  type EmailedOrder,
  emailToBuyer,
  linkPlaceholders,
  linkTexts,
  listing,
  listValid,
  orderLink,
  validTexts,
  valuesOfOrder,
} from "./buyer-emails.ts";
import { inventedAttempt, inventedLink, inventedOrder, withCancelled } from "./invented-order.ts";

/** `detail` describes the refund's current status. */
export type RefundedTickets = {
  readonly facts: EmailedOrder;
  readonly refund: Pick<Refund, "id" | "kind" | "state" | "amount_cents">;
  readonly attempt: Pick<Attempt, "provider" | "amount_cents">;
  readonly detail: string;
  readonly link: DocumentLink;
};

const placeholders = { ...buyerPlaceholders, ...linkPlaceholders, amount: "What is refunded." } as const;

/** What becomes of the tickets. */
const ticketTexts = {
  cancelledOne: { words: "This ticket is cancelled and no longer valid:", when: "Above one cancelled ticket." },
  cancelledSeveral: {
    words: "These tickets are cancelled and no longer valid:",
    when: "Above several cancelled tickets.",
  },
  ...validTexts,
} as const;

const refundPlaceholders = {
  ...placeholders,
  paid: "What was paid.",
  detail: "Where the refund is, and when it arrives: one or more sentences.",
} as const;

const invented = (
  refund: Partial<RefundedTickets["refund"]> = {},
  facts: EmailedOrder = inventedOrder,
): RefundedTickets => ({
  refund: { id: "example", kind: "refund", state: "succeeded", amount_cents: inventedAttempt.amount_cents, ...refund },
  facts,
  attempt: inventedAttempt,
  link: inventedLink,
  detail: describeArrival({ kind: "refund", provider: "payway" }),
});

const onItsWay = declareEmail({
  name: "tickets-cancelled",
  title: "Cancelled tickets, with a refund on its way",
  when: "To the buyer, when tickets are cancelled and their refund is not paid yet. The tickets cannot be edited.",
  placeholders: refundPlaceholders,
  texts: {
    subject: "We are refunding {amount} for your tickets",
    greeting: buyerTexts.greeting,
    all: {
      words: "We are refunding the whole {amount} that you paid for your order {reference} for {event}. {detail}",
      when: "If all of it is refunded.",
    },
    part: {
      words: "We are refunding {amount} of the {paid} that you paid for your order {reference} for {event}. {detail}",
      when: "If a part of it is refunded.",
    },
    again: {
      words: "We will email you again when it is paid. You can check its status on your order page.",
      when: "Unless the refund has failed.",
    },
    ...ticketTexts,
    ...linkTexts,
    questions: buyerTexts.questions,
  },
  examples: {
    "Both of two tickets": (sender) => ticketRefundEmail(sender, invented({ state: "submitting" }, withCancelled(2))),
    "One of two tickets": (sender) =>
      ticketRefundEmail(sender, invented({ state: "submitting", amount_cents: 5_000 }, withCancelled(1))),
    "No ticket": (sender) => ticketRefundEmail(sender, invented({ state: "submitting", amount_cents: 2_000 })),
  },
});

const refunded = declareEmail({
  name: "tickets-refund",
  title: "Refund of tickets",
  when: "To the buyer, when a refund is paid. The tickets cannot be edited.",
  placeholders: refundPlaceholders,
  texts: {
    subjectAll: { words: "We have refunded your tickets: {amount}", when: "If all of it is refunded." },
    subjectPart: { words: "We have refunded {amount} for your tickets", when: "If a part of it is refunded." },
    greeting: buyerTexts.greeting,
    all: {
      words: "We have refunded the whole {amount} that you paid for your order {reference} for {event}. {detail}",
      when: "If all of it is refunded.",
    },
    part: {
      words: "We have refunded {amount} of the {paid} that you paid for your order {reference} for {event}. {detail}",
      when: "If a part of it is refunded.",
    },
    ...ticketTexts,
    ...linkTexts,
    questions: buyerTexts.questions,
  },
  examples: {
    "Both of two tickets": (sender) => ticketRefundEmail(sender, invented({}, withCancelled(2))),
    "One of two tickets": (sender) => ticketRefundEmail(sender, invented({ amount_cents: 5_000 }, withCancelled(1))),
    "No ticket": (sender) => ticketRefundEmail(sender, invented({ amount_cents: 2_000 })),
  },
});

const reversed = declareEmail({
  name: "tickets-refund.reversal",
  title: "A payment for tickets that was taken back",
  when: "To the buyer, if the bank or PayPal first approved a payment and then took it back. The tickets cannot be edited.",
  placeholders: { ...placeholders, amount: "What did not reach us." },
  texts: {
    subject: "Your payment of {amount} for tickets did not go through",
    greeting: buyerTexts.greeting,
    byCard: {
      words:
        "The bank first approved the payment for your order {reference} for {event}, then took it back: {amount} did not reach us. If your statement shows it as paid, it will be returned to you within a few business days.",
      when: "If it was paid by credit card.",
    },
    byPaypal: {
      words:
        "PayPal first approved the payment for your order {reference} for {event}, then took it back: {amount} did not reach us. If your statement shows it as paid, it will be returned to you within a few business days.",
      when: "If it was paid by PayPal.",
    },
    again: {
      words: "We will email you again once this is settled. You can check the status on your order page.",
      when: "While it is not settled.",
    },
    ...ticketTexts,
    ...linkTexts,
    questions: buyerTexts.questions,
  },
  examples: {
    "By credit card, both tickets": (sender) =>
      ticketRefundEmail(sender, invented({ kind: "reversal" }, withCancelled(2))),
    "By PayPal, one of two tickets": (sender) =>
      ticketRefundEmail(sender, {
        ...invented({ kind: "reversal", state: "submitting" }, withCancelled(1)),
        attempt: { ...inventedAttempt, provider: "braintree" },
      }),
    "No ticket": (sender) => ticketRefundEmail(sender, invented({ kind: "reversal" })),
  },
});

export const ticketRefundEmails = [onItsWay, refunded, reversed] as const;

/** What is refunded, and which tickets are cancelled or stay valid. Sent on the way, and again once paid. */
export function ticketRefundEmail(sender: Sender, given: RefundedTickets): EmailMessage {
  const { facts, refund, link } = given;
  const say = textsOf(sender, given);
  const cancelled = facts.tickets.filter(({ isCancelled, refundId }) => isCancelled && refundId === refund.id);
  const id = `tickets-${refund.state === "succeeded" ? "refund" : "cancelled"}-${refund.id}`;
  const isSettled = refund.state === "succeeded" || refund.state === "failed";
  return emailToBuyer(sender, facts, { ...say, id }, [
    paragraph(say.news),
    ...(isSettled || say.again === null ? [] : [paragraph(say.again)]),
    ...(cancelled.length === 0
      ? []
      : [
          paragraph(plural(cancelled.length, { one: say.cancelledOne, other: say.cancelledSeveral })),
          listing(cancelled),
        ]),
    ...listValid(facts, say),
    ...orderLink(sender, link, say),
  ]);
}

/** The texts of the email for this refund; `again` is null where there will be no other email. */
function textsOf(sender: Sender, { facts, refund, attempt, detail, link }: RefundedTickets) {
  const values = { ...valuesOfOrder(facts), last_day: link.lastDay, amount: formatDollars(refund.amount_cents) };
  if (refund.kind === "reversal") {
    const say = fillTexts(reversed, sender, values);
    return { ...say, news: attempt.provider === "braintree" ? say.byPaypal : say.byCard };
  }
  const isAll = refund.amount_cents === attempt.amount_cents;
  const more = { ...values, paid: formatDollars(attempt.amount_cents), detail };
  if (refund.state !== "succeeded") {
    const say = fillTexts(onItsWay, sender, more);
    return { ...say, news: isAll ? say.all : say.part };
  }
  const say = fillTexts(refunded, sender, more);
  const subject = isAll ? say.subjectAll : say.subjectPart;
  return { ...say, subject, news: isAll ? say.all : say.part, again: null };
}
