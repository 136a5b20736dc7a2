import { formatDollars, plural } from "#shared/language.ts";
import type { DocumentLink } from "#shared/links/document-links.ts";
import type { Sender } from "#shared/mail/compose-email.ts";
import { declareEmail } from "#shared/mail/declared-email.ts";
import { paragraph } from "#shared/mail/email-layout.ts";
import { fillTexts } from "#shared/mail/email-texts.ts";
import type { EmailMessage } from "#shared/mail/mail.ts";
import type { OrderTicket } from "../order-facts.ts";
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
import { freeOrder, inventedLink, orderPaidInPerson } from "./invented-order.ts";

export type CancelledTickets = {
  readonly facts: EmailedOrder;
  /** Those that this email is about; others of the order may have been cancelled before. */
  readonly tickets: readonly OrderTicket[];
  readonly link: DocumentLink;
};

/** The first tickets of an invented order, cancelled. */
function invented(order: EmailedOrder, count: number): CancelledTickets {
  const tickets = order.tickets.map((ticket, index) => ({ ...ticket, isCancelled: index < count }));
  return { facts: { ...order, tickets }, tickets: tickets.slice(0, count), link: inventedLink };
}

const cancelled = declareEmail({
  name: "tickets-cancelled-by-staff",
  title: "Cancelled tickets that were not paid for online",
  when: "To the buyer, when staff cancel tickets that cost nothing or were paid for in person. The tickets cannot be edited.",
  placeholders: {
    ...buyerPlaceholders,
    ...linkPlaceholders,
    count: { about: "How many tickets are cancelled.", isLocal: true },
    amount: { about: "What was paid in person for the cancelled tickets.", isLocal: true },
  },
  texts: {
    subjectOne: { words: "1 ticket for {event} is cancelled", when: "With one ticket." },
    subjectSeveral: { words: "{count} tickets for {event} are cancelled", when: "With several tickets." },
    greeting: buyerTexts.greeting,
    newsOne: {
      words: "We have cancelled this ticket of your order {reference} for {event}. It is no longer valid:",
      when: "Above one cancelled ticket.",
    },
    newsSeveral: {
      words: "We have cancelled these tickets of your order {reference} for {event}. They are no longer valid:",
      when: "Above several cancelled tickets.",
    },
    taken: {
      words: "You paid us {amount} in person for this. If you have not had it back yet, reply to this email.",
      when: "If staff took money for them at the door.",
    },
    free: { words: "Nothing was paid for this, so there is nothing to refund.", when: "If they cost nothing." },
    ...validTexts,
    unexpected: "If you did not ask us to cancel, reply to this email.",
    ...linkTexts,
    questions: buyerTexts.questions,
  },
  examples: {
    "One of two tickets that cost nothing": (sender) => cancelledEmail(sender, invented(freeOrder(2), 1)),
    "One of three tickets that cost nothing": (sender) => cancelledEmail(sender, invented(freeOrder(3), 1)),
    "Both of two tickets that were paid in person": (sender) => cancelledEmail(sender, invented(orderPaidInPerson, 2)),
  },
});

export const cancelledEmails = [cancelled] as const;

/** Which tickets staff cancelled, which stay valid, and whether money is to be given back. */
export function cancelledEmail(sender: Sender, { facts, tickets, link }: CancelledTickets): EmailMessage {
  const takenCents = tickets.reduce((sum, ticket) => sum + ticket.takenCents, 0);
  const say = fillTexts(cancelled, sender, {
    ...valuesOfOrder(facts),
    last_day: link.lastDay,
    count: String(tickets.length),
    amount: formatDollars(takenCents),
  });
  const words = plural(tickets.length, {
    one: { subject: say.subjectOne, news: say.newsOne },
    other: { subject: say.subjectSeveral, news: say.newsSeveral },
  });
  // A ticket is cancelled once.
  const id = `cancelled-${tickets[0]!.id}`;
  return emailToBuyer(sender, facts, { ...say, id, subject: words.subject }, [
    paragraph(words.news),
    listing(tickets),
    paragraph(takenCents > 0 ? say.taken : say.free),
    ...listValid(facts, say),
    paragraph(say.unexpected),
    ...orderLink(sender, link, say),
  ]);
}
