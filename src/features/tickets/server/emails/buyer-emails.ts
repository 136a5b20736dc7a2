import { formatDollars, plural } from "#shared/language.ts";
import type { DocumentLink } from "#shared/links/document-links.ts";
import { composeEmail, type Sender } from "#shared/mail/compose-email.ts";
import { type Block, paragraph, remark } from "#shared/mail/email-layout.ts";
import type { Words } from "#shared/mail/email-texts.ts";
import type { EmailMessage } from "#shared/mail/mail.ts";
import { ticketNumber } from "../../ticket-token.ts";
import { type OrderFacts, type OrderTicket, validTickets } from "../order-facts.ts";

/** Tickets listed one by one in an email; the order's page lists all. */
const MAX_LISTED = 40;

/** What emails need of an order. */
export type EmailedOrder = Omit<OrderFacts, "order"> & {
  readonly order: Pick<
    OrderFacts["order"],
    | ("id" | "reference" | "first_name" | "last_name" | "email")
    | ("total_cents" | "taken_cents" | "currency" | "discount_code")
  >;
};

/** In every email to a buyer. */
export const buyerPlaceholders = {
  name: { about: "The buyer’s name, or ‘friend’ if we don’t know it.", isOptional: true },
  event: "The title of the event.",
  reference: "The reference of the order.",
} as const;
export const buyerTexts = {
  greeting: "Dear {name},",
  questions: "Our reference: {reference}. Questions? Call {phone} or email {email}.",
} as const;

const nameOf = ({ order }: EmailedOrder) => [order.first_name, order.last_name].filter(Boolean).join(" ");

/** The values of `buyerPlaceholders`. */
export const valuesOfOrder = (facts: EmailedOrder) => ({
  name: nameOf(facts) || "friend",
  event: facts.event.title,
  reference: facts.order.reference,
});

type BuyerWords = Readonly<Record<keyof typeof buyerTexts, Words>>;

/** An email to the buyer of an order: `blocks` between greeting and contact. The same `id` is the same email. */
export function emailToBuyer(
  sender: Sender,
  facts: EmailedOrder,
  { id, subject, greeting, questions }: BuyerWords & { readonly id: string; readonly subject: Words },
  blocks: readonly Block[],
): EmailMessage {
  return composeEmail(sender, {
    id,
    subject,
    to: { name: nameOf(facts), address: facts.order.email ?? "" },
    replyTo: sender.organisation.email,
    blocks: [paragraph(greeting), ...blocks, remark(questions)],
  });
}

export const linkTexts = { link: "The link works without logging in until {last_day}." } as const;
export const linkPlaceholders = { last_day: "The last day on which the link to the order works." } as const;

/** The button to the order's page, and until when it works. */
export function orderLink({ publicUrl }: Sender, { path }: DocumentLink, say: { readonly link: Words }): Block[] {
  return [{ kind: "link", label: "See your order", url: `${publicUrl}${path}` }, remark(say.link)];
}

/** A row for each ticket: 'VIP Seat, Amina Raza', 'K7Q2-M9XW'. */
export function listing(tickets: readonly OrderTicket[]): Block {
  const more = tickets.length - MAX_LISTED;
  return {
    kind: "rows",
    rows: [
      ...tickets
        .slice(0, MAX_LISTED)
        .map(({ title, holder, serial }) => [`${title}, ${holder}`, ticketNumber(serial)] as const),
      ...(more > 0
        ? [[plural(more, { one: "1 more ticket", other: `${more} more tickets` }), "on your order page"] as const]
        : []),
    ],
  };
}

export const validTexts = {
  validOne: { words: "This ticket stays valid:", when: "Above one valid ticket." },
  validSeveral: { words: "These tickets stay valid:", when: "Above several valid tickets." },
  noneValid: { words: "This order has no valid tickets left.", when: "If no ticket is valid any more." },
} as const;

/** The tickets of an order that stay valid, or that none does. */
export function listValid(facts: EmailedOrder, say: Readonly<Record<keyof typeof validTexts, Words>>): Block[] {
  const valid = validTickets(facts);
  if (valid.length === 0) return [paragraph(say.noneValid)];
  return [paragraph(plural(valid.length, { one: say.validOne, other: say.validSeveral })), listing(valid)];
}

/** A row for what a discount code takes off, if it does. */
export const discountRows = (code: string, cents: number): (readonly [string, string])[] =>
  cents === 0 ? [] : [[`Discount code ${code}`, formatDollars(-cents)]];

/** In cents. */
export const sumOf = (tickets: readonly OrderTicket[]) => tickets.reduce((sum, { priceCents }) => sum + priceCents, 0);
