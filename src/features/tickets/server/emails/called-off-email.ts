import { formatEventWhen } from "#shared/events/event-clock.ts";
import { formatDollars } from "#shared/language.ts";
import type { DocumentLink } from "#shared/links/document-links.ts";
import type { Sender } from "#shared/mail/compose-email.ts";
import { declareEmail } from "#shared/mail/declared-email.ts";
import { paragraph, typed } from "#shared/mail/email-layout.ts";
import { fillTexts } from "#shared/mail/email-texts.ts";
import type { EmailMessage } from "#shared/mail/mail.ts";
import {
  buyerPlaceholders,
  buyerTexts,
  type EmailedOrder,
  emailToBuyer,
  linkPlaceholders,
  linkTexts,
  orderLink,
  valuesOfOrder,
} from "./buyer-emails.ts";
import { freeOrder, inventedLink, inventedOrder, orderPaidInPerson } from "./invented-order.ts";

export type CalledOffOrder = {
  readonly facts: EmailedOrder;
  /** Why, in the words of staff. */
  readonly reason: string;
  /** Where the money is: `nothing` to refund, `before`: all of it went back earlier, `by hand`: staff have to act, `taken`: staff took it at the door. */
  readonly money:
    | { readonly kind: "nothing" | "before" | "by hand" }
    | { readonly kind: "taken"; readonly cents: number }
    | { readonly kind: "refund"; readonly cents: number; readonly paidCents: number; readonly detail: string };
  readonly link: DocumentLink;
};

const inventedReason = "The hall was damaged by the storm, and we could not find another one in time.";
const arrival = "It goes back to the card you paid with. Most banks show it within five to ten business days.";
const invented = (money: CalledOffOrder["money"], facts = inventedOrder): CalledOffOrder => ({
  facts,
  money,
  reason: inventedReason,
  link: inventedLink,
});
const inventedRefund = (cents: number) =>
  invented({
    kind: "refund",
    cents,
    paidCents: 10_000,
    detail: `We have asked our payment provider to pay it. ${arrival}`,
  });

const calledOff = declareEmail({
  name: "event-called-off",
  title: "An event that was called off",
  when: "To every buyer, once it is approved that the event is called off. Staff write the reason when they call it off.",
  placeholders: {
    ...buyerPlaceholders,
    ...linkPlaceholders,
    amount: { about: "What is refunded.", isLocal: true },
    paid: { about: "What was paid.", isLocal: true },
    detail: { about: "Where the refund is, and when it arrives: one or more sentences.", isLocal: true },
  },
  texts: {
    subject: "{event} has been called off",
    greeting: buyerTexts.greeting,
    news: "{event} has been called off. Tickets for it are no longer valid.",
    all: {
      words: "We are refunding the whole {amount} that you paid for your order {reference}. {detail}",
      when: "If all of it is refunded.",
    },
    rest: {
      words: "We are refunding the other {amount} of the {paid} that you paid for your order {reference}. {detail}",
      when: "If a part of it was refunded before.",
    },
    before: {
      words: "All that you paid for your order {reference} was refunded before, or is on its way back to you.",
      when: "If all of it was refunded before.",
    },
    byHand: {
      words:
        "We could not refund what you paid for your order {reference} automatically. Our staff know, and will contact you about it.",
      when: "If the payment cannot be refunded at that moment, for example because it is disputed.",
    },
    free: {
      words: "Your order {reference} cost nothing, so there is nothing to refund.",
      when: "If nothing was paid.",
    },
    taken: {
      words:
        "You paid us {amount} in person for tickets of your order {reference}. Reply to this email, and we will give it back.",
      when: "If staff took the money themselves, at the door.",
    },
    sorry: "We are sorry that it does not take place.",
    ...linkTexts,
    questions: buyerTexts.questions,
  },
  examples: {
    "All of it is refunded": (sender) => calledOffEmail(sender, inventedRefund(10_000)),
    "A part was refunded before": (sender) => calledOffEmail(sender, inventedRefund(5_000)),
    "All of it was refunded before": (sender) => calledOffEmail(sender, invented({ kind: "before" })),
    "A payment that is disputed": (sender) => calledOffEmail(sender, invented({ kind: "by hand" })),
    "Paid at the door": (sender) =>
      calledOffEmail(sender, invented({ kind: "taken", cents: 10_000 }, orderPaidInPerson)),
    "Two tickets that cost nothing": (sender) => calledOffEmail(sender, invented({ kind: "nothing" }, freeOrder(2))),
  },
});

export const calledOffEmails = [calledOff] as const;

/** The one email to a buyer whose event was called off. */
export function calledOffEmail(sender: Sender, { facts, reason, money, link }: CalledOffOrder): EmailMessage {
  const isRefund = money.kind === "refund";
  const isTaken = money.kind === "taken";
  const say = fillTexts(calledOff, sender, {
    ...valuesOfOrder(facts),
    last_day: link.lastDay,
    ...(isRefund
      ? { amount: formatDollars(money.cents), paid: formatDollars(money.paidCents), detail: money.detail }
      : { amount: isTaken ? formatDollars(money.cents) : "", paid: "", detail: "" }),
  });
  const words = {
    refund: isRefund && money.cents === money.paidCents ? say.all : say.rest,
    nothing: say.free,
    before: say.before,
    "by hand": say.byHand,
    taken: say.taken,
  };
  return emailToBuyer(sender, facts, { ...say, id: `called-off-${facts.order.id}` }, [
    paragraph(say.news),
    { kind: "rows", rows: [["It was planned for", formatEventWhen(facts.event)]] },
    typed(reason),
    paragraph(words[money.kind]),
    paragraph(say.sorry),
    ...orderLink(sender, link, say),
  ]);
}

/** As it goes to the buyer of two tickets whose whole payment is refunded, for staff to read before it goes. */
export const previewCalledOff = (sender: Sender, event: Partial<EmailedOrder["event"]>, reason: string): EmailMessage =>
  calledOffEmail(sender, {
    ...inventedRefund(10_000),
    reason,
    facts: { ...inventedOrder, event: { ...inventedOrder.event, ...event } },
  });
