import { isPaid, isUndecided } from "#payments/states.ts";
import type { Config } from "#shared/config/config.ts";
import type { EventDetails } from "#shared/events/event.ts";
import { formatEventWhen } from "#shared/events/event-clock.ts";
import { findEventById } from "#shared/events/find-event.ts";
import { formatDollars, formatMomentInSydney } from "#shared/language.ts";
import { type DocumentLink, documentLink } from "#shared/links/document-links.ts";
import { composeEmail, type EmailContext, type Sender } from "#shared/mail/compose-email.ts";
import { declareEmail } from "#shared/mail/declared-email.ts";
import { paragraph, remark } from "#shared/mail/email-layout.ts";
import { fillTexts, joinWords } from "#shared/mail/email-texts.ts";
import type { EmailMessage } from "#shared/mail/mail.ts";
import { formatTicketCount } from "../../order.ts";
import { findLatestPayment, findOrder } from "../store.ts";
import { type EntryRow, findEntry } from "../waiting/find-entries.ts";
import { inventedLink, inventedOrder } from "./invented-order.ts";
import { eventRows } from "./ticket-emails.ts";

export type WaitingEmailJob = {
  readonly template: "waiting-joined" | "waiting-offer" | "waiting-called-off";
  readonly entryId: string;
};

type WaitingContext = EmailContext<Pick<Config, "secretKey" | "linkDays" | "tickets">> & { readonly now: () => Date };

/** As of when the job runs. Null if it is true no more: the person has left, or the offer has ended. */
export async function writeWaitingEmail(
  { database, config, sender, now }: WaitingContext,
  { template, entryId }: WaitingEmailJob,
): Promise<EmailMessage | null> {
  const entry = await findEntry(database, entryId, now());
  const event = entry && (await findEventById(database, entry.eventId, now()));
  if (entry === null || event === null) return null;
  if (template === "waiting-called-off") {
    const payment = entry.orderId === null ? undefined : await findLatestPayment(database, entry.orderId);
    // Who paid reads about the refund in another email.
    if (payment !== undefined && isPaid(payment.state)) return null;
    return calledOffEmail(sender, { entry, event, isPaying: payment !== undefined && isUndecided(payment.state) });
  }
  if (event.isOver || event.calledOffAt !== null) return null;
  const place = documentLink(config, { kind: "waiting_entry", id: entry.id }, entry.joinedAt);
  if (template === "waiting-joined") {
    const hours = config.tickets.offerHours;
    return entry.state === "waiting" ? joinedEmail(sender, { entry, event, place, hours }) : null;
  }
  if (entry.state !== "offered") return null;
  const order = (await findOrder(database, entry.orderId!))!;
  const link = documentLink(config, { kind: "ticket_order", id: order.id }, entry.offeredAt!);
  return offerEmail(sender, { entry, event, place, link, until: order.hold_until, totalCents: order.total_cents });
}

type Waiter = Pick<EntryRow, "id" | "email" | "quantity" | "ticket">;
type Joined = {
  readonly entry: Waiter;
  readonly event: EventDetails;
  /** To their place on the list. */
  readonly place: DocumentLink;
};
type JoinedFor = Joined & { readonly hours: number };
type Offered = Joined & { readonly link: DocumentLink; readonly until: Date; readonly totalCents: number };

// They repeat nothing that was typed, not even the name: anyone can enter another person's address.
const placeholders = {
  event: "The title of the event.",
  tickets: "How many tickets they wait for: ‘2 tickets’.",
} as const;

const invented: Joined = {
  entry: { id: "example", email: "amina@example.org", quantity: 2, ticket: "General" },
  event: inventedOrder.event,
  place: { ...inventedLink, path: "/waiting-list/example?key=…" },
};

const joined = declareEmail({
  name: "waiting-joined",
  title: "On the waiting list",
  when: "To somebody who joins the waiting list of tickets that are sold out.",
  placeholders: { ...placeholders, hours: "For how many hours seats are offered." },
  texts: {
    subject: "You are on the waiting list for {event}",
    joined: "You are on the waiting list for {tickets}. Nothing is booked, and there is nothing to pay now.",
    next: "When seats come free, we email whoever has waited longest. Those seats are then yours alone for {hours} hours. After that they go to the next person.",
    leaving:
      "If you can’t come after all, or if somebody else entered your address, please leave the list, so that others can come.",
    questions: "Questions? Call {phone} or email {email}.",
  },
  examples: { "Two tickets": (sender) => joinedEmail(sender, { ...invented, hours: 24 }) },
});

const offer = declareEmail({
  name: "waiting-offer",
  title: "Seats for somebody who waits",
  when: "To whoever has waited longest, when seats come free. Until when they are held cannot be edited.",
  placeholders: { ...placeholders, until: "Until when the seats are held." },
  texts: {
    subject: "Your seats for {event} are here",
    offered: "Good news: you are next. We hold {tickets} for you until {until}.",
    after: "If you do not buy by then, the next person on the list is asked, and your place ends.",
    leaving: "If you can’t come any more, please tell us now, so that others can.",
    questions: "Questions? Call {phone} or email {email}.",
  },
  examples: {
    "Two tickets": (sender) =>
      offerEmail(sender, {
        ...invented,
        link: inventedLink,
        totalCents: 10_000,
        until: new Date("2027-03-04T09:00:00Z"),
      }),
  },
});

const calledOff = declareEmail({
  name: "waiting-called-off",
  title: "An event that somebody waits for is called off",
  when: "To everybody on the waiting list of an event, once its buyers were told that it has been called off.",
  placeholders,
  texts: {
    subject: "{event} has been called off",
    news: "{event} has been called off, so there is nothing to wait for any more. You were on the waiting list for {tickets}.",
    nothing: {
      words: "Nothing was booked or charged for that.",
      when: "If no payment for offered seats is on its way.",
    },
    paying: {
      words:
        "Nothing was booked. Your payment for the seats that we offered you is still being processed. If it goes through, we refund all of it and email you. If not, nothing is charged.",
      when: "If a payment for offered seats is on its way.",
    },
    questions: "Questions? Call {phone} or email {email}.",
  },
  examples: {
    "Two tickets": (sender) => calledOffEmail(sender, { ...invented, isPaying: false }),
    "Two tickets that are being paid for": (sender) => calledOffEmail(sender, { ...invented, isPaying: true }),
  },
});

export const waitingEmails = [joined, offer, calledOff] as const;

const valuesOf = ({ entry, event }: Omit<Joined, "place">) => ({
  event: event.title,
  tickets: formatTicketCount(entry.quantity),
});
const toPerson = ({ entry }: Pick<Joined, "entry">) => ({ name: "", address: entry.email });

function joinedEmail(sender: Sender, { hours, ...waiting }: JoinedFor): EmailMessage {
  const { entry, event, place } = waiting;
  const say = fillTexts(joined, sender, { ...valuesOf(waiting), hours: String(hours) });
  return composeEmail(sender, {
    id: `waiting-joined-${entry.id}`,
    subject: say.subject,
    to: toPerson(waiting),
    replyTo: sender.organisation.email,
    blocks: [
      paragraph(say.joined),
      { kind: "rows", rows: [...eventRows(event), ["Tickets", `${entry.ticket} × ${entry.quantity}`]] },
      paragraph(say.next),
      paragraph(say.leaving),
      { kind: "link", label: "See your place, or leave the list", url: `${sender.publicUrl}${place.path}` },
      remark(say.questions),
    ],
  });
}

function offerEmail(sender: Sender, { link, until, totalCents, ...waiting }: Offered): EmailMessage {
  const { entry, event, place } = waiting;
  const say = fillTexts(offer, sender, { ...valuesOf(waiting), until: formatMomentInSydney(until) });
  const price = totalCents === 0 ? "Free" : `${formatDollars(totalCents)} AUD`;
  return composeEmail(sender, {
    id: `waiting-offer-${entry.id}`,
    subject: say.subject,
    to: toPerson(waiting),
    replyTo: sender.organisation.email,
    blocks: [
      paragraph(say.offered),
      { kind: "rows", rows: [...eventRows(event), [`${entry.ticket} × ${entry.quantity}`, price]] },
      {
        kind: "link",
        label: totalCents === 0 ? "Book now" : "Buy now",
        url: `${sender.publicUrl}${link.path}`,
      },
      paragraph(say.after),
      paragraph(say.leaving),
      { kind: "link", label: "I can’t come any more", url: `${sender.publicUrl}${place.path}` },
      remark(say.questions),
    ],
  });
}

function calledOffEmail(
  sender: Sender,
  { isPaying, ...waiting }: Omit<Joined, "place"> & { readonly isPaying: boolean },
): EmailMessage {
  const say = fillTexts(calledOff, sender, valuesOf(waiting));
  return composeEmail(sender, {
    id: `waiting-called-off-${waiting.entry.id}`,
    subject: say.subject,
    to: toPerson(waiting),
    replyTo: sender.organisation.email,
    blocks: [
      paragraph(joinWords(say.news, isPaying ? say.paying : say.nothing)),
      { kind: "rows", rows: [["It was planned for", formatEventWhen(waiting.event)]] },
      remark(say.questions),
    ],
  });
}
