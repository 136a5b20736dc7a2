import type { Attempt } from "#payments/attempts.ts";
import { describeArrival } from "#payments/refunds/arrival.ts";
import { formatDollars } from "#shared/language.ts";
import type { DocumentLink } from "#shared/links/document-links.ts";
import type { Sender } from "#shared/mail/compose-email.ts";
import { declareEmail } from "#shared/mail/declared-email.ts";
import { type Block, paragraph, remark } from "#shared/mail/email-layout.ts";
import { fillTexts, joinWords, type Words } from "#shared/mail/email-texts.ts";
import type { EmailMessage } from "#shared/mail/mail.ts";
import { ticketPath } from "#shared/paths.ts";
import { validTickets } from "../order-facts.ts";
import {
  buyerPlaceholders,
  buyerTexts,
  discountRows,
  type EmailedOrder,
  emailToBuyer,
  linkPlaceholders,
  linkTexts,
  orderLink,
  valuesOfOrder,
} from "./buyer-emails.ts";
import { inventedAttempt, inventedLink, inventedOrder } from "./invented-order.ts";

type PaidAttempt = Pick<Attempt, "id" | "provider" | "amount_cents">;

const arrivalAbout = "Where the refund goes, and when it arrives: one or two sentences.";
const arrivalOf = ({ provider }: PaidAttempt) => describeArrival({ kind: null, provider });

const againTexts = {
  again: { words: "You can choose again while seats are left.", when: "Unless the event is over or called off." },
} as const;

function chooseAgain(
  { publicUrl }: Sender,
  { event: { slug, isOver, calledOffAt }, access }: Pick<EmailedOrder, "event" | "access">,
  { again }: Readonly<Record<keyof typeof againTexts, Words>>,
): Block[] {
  if (isOver || calledOffAt !== null) return [];
  return [
    paragraph(again),
    { kind: "link", label: "Choose tickets", url: `${publicUrl}${ticketPath("selectTickets", slug, access)}` },
  ];
}

const noSeats = declareEmail({
  name: "tickets-refused",
  title: "No seats were left",
  when: "To a buyer whose payment arrived when the seats were gone: all of it is refunded. The order cannot be edited.",
  placeholders: { ...buyerPlaceholders, amount: "What was paid and is refunded.", arrival: arrivalAbout },
  texts: {
    subject: "No seats were left: we are refunding your {amount}",
    greeting: buyerTexts.greeting,
    news: "Your payment of {amount} for {event} reached us after the hold on your seats had ended. By then not enough seats were left for your order, so you have no tickets. We are sorry.",
    refund: "We are refunding the whole {amount}. You do not need to do anything. {arrival}",
    ...againTexts,
    questions: buyerTexts.questions,
  },
  examples: { "Two tickets": (sender) => noSeatsEmail(sender, inventedOrder, inventedAttempt) },
});

/** To a buyer whose payment arrived when the seats were gone: all of it is refunded. */
export function noSeatsEmail(sender: Sender, facts: EmailedOrder, attempt: PaidAttempt): EmailMessage {
  const { order, lines, discountCents } = facts;
  const amount = formatDollars(attempt.amount_cents);
  const say = fillTexts(noSeats, sender, { ...valuesOfOrder(facts), amount, arrival: arrivalOf(attempt) });
  return emailToBuyer(sender, facts, { ...say, id: `tickets-refused-${attempt.id}` }, [
    paragraph(say.news),
    {
      kind: "rows",
      rows: [
        ...lines.map(
          ({ title, quantity, priceCents }) =>
            [`${title} × ${quantity}`, formatDollars(priceCents * quantity)] as const,
        ),
        ...discountRows(order.discount_code, discountCents),
      ],
      total: `${formatDollars(order.total_cents)} ${order.currency}`,
    },
    paragraph(say.refund),
    ...chooseAgain(sender, facts, say),
  ]);
}

const paidTwice = declareEmail({
  name: "tickets-refused.twice",
  title: "Tickets paid twice",
  when: "To a buyer who paid for an order twice: the second payment is refunded.",
  placeholders: {
    ...buyerPlaceholders,
    ...linkPlaceholders,
    amount: "The second payment, which is refunded.",
    arrival: arrivalAbout,
  },
  texts: {
    subject: "You paid twice: we are refunding {amount}",
    greeting: buyerTexts.greeting,
    news: "Your order {reference} for {event} was already paid when we received another payment of {amount} for it.",
    keeps: { words: "Your tickets stay valid.", when: "If tickets of the order are valid." },
    refund: "We are refunding the whole second payment of {amount}. You do not need to do anything. {arrival}",
    ...linkTexts,
    questions: buyerTexts.questions,
  },
  examples: { "Two tickets": (sender) => paidTwiceEmail(sender, inventedOrder, inventedAttempt, inventedLink) },
});

/** To a buyer who paid for an order twice: the second payment is refunded. */
export function paidTwiceEmail(
  sender: Sender,
  facts: EmailedOrder,
  attempt: PaidAttempt,
  link: DocumentLink,
): EmailMessage {
  const amount = formatDollars(attempt.amount_cents);
  const say = fillTexts(paidTwice, sender, {
    ...valuesOfOrder(facts),
    amount,
    arrival: arrivalOf(attempt),
    last_day: link.lastDay,
  });
  return emailToBuyer(sender, facts, { ...say, id: `tickets-refused-${attempt.id}` }, [
    paragraph(joinWords(say.news, ...(validTickets(facts).length > 0 ? [say.keeps] : []))),
    paragraph(say.refund),
    ...orderLink(sender, link, say),
  ]);
}

const unpaid = declareEmail({
  name: "tickets-payment-outcome",
  title: "A payment for tickets that did not go through",
  when: "To a buyer whom we asked to wait while a payment was confirmed, if nothing was charged in the end.",
  placeholders: { ...buyerPlaceholders, amount: "What would have been paid." },
  texts: {
    subject: "Your payment for tickets did not go through",
    greeting: buyerTexts.greeting,
    news: "We asked you to wait while we confirmed your payment of {amount} for {event}. It did not go through, nothing was charged, and you have no tickets from it. We are sorry for the wait.",
    ...againTexts,
    charged:
      "If you do see a charge from us on your statement, please call {phone} or email {email}, and we will fix it.",
    questions: buyerTexts.questions,
  },
  examples: { "Two tickets": (sender) => unpaidEmail(sender, inventedOrder, inventedAttempt) },
});

/** To a buyer who was asked to wait: the payment did not go through. */
export function unpaidEmail(sender: Sender, facts: EmailedOrder, attempt: PaidAttempt): EmailMessage {
  const say = fillTexts(unpaid, sender, { ...valuesOfOrder(facts), amount: formatDollars(attempt.amount_cents) });
  return emailToBuyer(sender, facts, { ...say, id: `tickets-payment-${attempt.id}` }, [
    paragraph(say.news),
    ...chooseAgain(sender, facts, say),
    remark(say.charged),
  ]);
}

export const ticketPaymentEmails = [noSeats, paidTwice, unpaid] as const;
