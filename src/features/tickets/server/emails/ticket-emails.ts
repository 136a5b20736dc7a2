import { type EventDetails, formatPlace } from "#shared/events/event.ts";
import { formatInSydney } from "#shared/events/event-clock.ts";
import { formatEventMoment, formatTimes } from "#shared/events/event-times.ts";
import { formatDollars, plural } from "#shared/language.ts";
import type { DocumentLink } from "#shared/links/document-links.ts";
import type { Sender } from "#shared/mail/compose-email.ts";
import { declareEmail } from "#shared/mail/declared-email.ts";
import { type Block, paragraph, remark } from "#shared/mail/email-layout.ts";
import { fillTexts, joinWords } from "#shared/mail/email-texts.ts";
import type { Attachment, EmailMessage } from "#shared/mail/mail.ts";
import { formatPrice, formatTicketCount } from "../../order.ts";
import { type OrderTicket, validTickets } from "../order-facts.ts";
import {
  buyerPlaceholders,
  buyerTexts,
  discountRows,
  type EmailedOrder,
  emailToBuyer,
  linkPlaceholders,
  sumOf,
  valuesOfOrder,
} from "./buyer-emails.ts";
import { freeOrder, inventedLink, inventedOrder, orderPaidInPerson, withCancelled } from "./invented-order.ts";

const tickets = declareEmail({
  name: "tickets",
  title: "Tickets",
  when: "To the buyer, as soon as an order is paid. Event, tickets and prices, and that this is no gift receipt, cannot be edited.",
  placeholders: {
    ...buyerPlaceholders,
    ...linkPlaceholders,
    count: { about: "How many tickets of the order are cancelled.", isLocal: true },
    until: { about: "Until when tickets can be cancelled.", isLocal: true },
  },
  texts: {
    subjectOne: { words: "Your ticket for {event}", when: "With one ticket." },
    subjectSeveral: { words: "Your tickets for {event}", when: "With several tickets." },
    greeting: buyerTexts.greeting,
    thanksOne: { words: "Thank you. Your seat is paid for.", when: "With one ticket." },
    thanksSeveral: { words: "Thank you. Your seats are paid for.", when: "With several tickets." },
    bookedOne: { words: "Your seat is booked.", when: "With one ticket that cost nothing." },
    bookedSeveral: { words: "Your seats are booked.", when: "With several tickets that cost nothing." },
    leftOutOne: {
      words: "1 ticket of this order is cancelled and is not included.",
      when: "If one ticket was cancelled before the email went out.",
    },
    leftOutSeveral: {
      words: "{count} tickets of this order are cancelled and are not included.",
      when: "If several tickets were cancelled before the email went out.",
    },
    attachedOne: {
      words:
        "Your ticket and a calendar entry are attached. You will also find both on your order page. You can also change the name on a ticket there.",
      when: "With one ticket.",
    },
    attachedSeveral: {
      words:
        "Your tickets (one page each) and a calendar entry are attached. You will also find them on your order page. You can also change the name on a ticket there.",
      when: "With several tickets.",
    },
    notAttached: {
      words:
        "Your tickets are on your order page, to print or to show on your phone. You can also change the name on a ticket there. A calendar entry is attached.",
      when: "With more tickets than can be attached.",
    },
    atTheDoor: {
      words: "At the door, show the code on each ticket, on paper or on your phone. Each code admits one person, once.",
      when: "Unless the event is only online.",
    },
    cancelling: {
      words:
        "Can someone not make it? Until {until} you can cancel single tickets on your order page and get a refund for them.",
      when: "While tickets that were paid online can be cancelled.",
    },
    cancellingUnpaid: {
      words: "Can someone not make it? Until {until} you can cancel single tickets on your order page.",
      when: "While tickets can be cancelled that cost nothing, or were paid in person.",
    },
    link: "The link works without logging in until {last_day}. Anyone with the link can see, rename and cancel your tickets, so please keep it to yourself.",
    questions: buyerTexts.questions,
  },
  examples: {
    "Two tickets": (sender) => ticketsEmail(sender, inventedOrder, { ...invented, cancelUntil: inventedUntil }),
    "One of two tickets": (sender) => ticketsEmail(sender, withCancelled(1), invented),
    "One ticket that costs nothing": (sender) => ticketsEmail(sender, freeOrder(1), invented),
    "Two tickets that cost nothing": (sender) => ticketsEmail(sender, freeOrder(2), invented),
    "Two tickets that were paid in person": (sender) =>
      ticketsEmail(sender, orderPaidInPerson, { ...invented, cancelUntil: inventedUntil }),
    "More tickets than can be attached, and cancelled ones": (sender) => {
      const more = [...withCancelled(2).tickets, ...inventedOrder.tickets];
      return ticketsEmail(sender, { ...inventedOrder, tickets: more }, { ...invented, attachments: [] });
    },
  },
});

const inventedUntil = new Date("2027-03-04T10:00:00Z");
const invented: TicketsSent = {
  link: inventedLink,
  cancelUntil: null,
  attachments: [{ filename: "tickets.pdf", contentType: "application/pdf", content: Buffer.alloc(0) }],
};

export const ticketEmails = [tickets] as const;

/** `link` opens the order's page; `cancelUntil` is null once nothing can be cancelled. */
type TicketsSent = {
  readonly link: DocumentLink;
  readonly cancelUntil: Date | null;
  readonly attachments: readonly Attachment[];
};

export function ticketsEmail(
  sender: Sender,
  facts: EmailedOrder,
  { link, cancelUntil, attachments }: TicketsSent,
): EmailMessage {
  const { order, event } = facts;
  const valid = validTickets(facts);
  const gone = facts.tickets.length - valid.length;
  const isFree = order.total_cents === 0 && order.taken_cents === 0;
  const isAttached = attachments.some(({ contentType }) => contentType === "application/pdf");
  const say = fillTexts(tickets, sender, {
    ...valuesOfOrder(facts),
    last_day: link.lastDay,
    count: String(gone),
    until: formatUntil(event, cancelUntil ?? event.startsAt),
  });
  const wording = plural(valid.length, {
    one: {
      subject: say.subjectOne,
      thanks: isFree ? say.bookedOne : say.thanksOne,
      attached: say.attachedOne,
      link: "See your order and ticket",
    },
    other: {
      subject: say.subjectSeveral,
      attached: say.attachedSeveral,
      thanks: isFree ? say.bookedSeveral : say.thanksSeveral,
      link: "See your order and tickets",
    },
  });
  const leftOut = gone === 0 ? [] : [plural(gone, { one: say.leftOutOne, other: say.leftOutSeveral })];
  const email = emailToBuyer(sender, facts, { ...say, id: `tickets-${order.id}`, subject: wording.subject }, [
    paragraph(joinWords(wording.thanks, ...leftOut)),
    { kind: "rows", rows: eventRows(event) },
    priceBlock(order, valid),
    paragraph(isAttached ? wording.attached : say.notAttached),
    { kind: "link", label: wording.link, url: `${sender.publicUrl}${link.path}` },
    ...(event.isOnline && event.place === "" ? [] : [paragraph(say.atTheDoor)]),
    ...(cancelUntil === null ? [] : [paragraph(order.total_cents > 0 ? say.cancelling : say.cancellingUnpaid)]),
    remark(say.link),
    remark("This email and the tickets are not tax-deductible gift receipts."),
  ]);
  return { ...email, attachments };
}

/** '4 March 2027 at 6:00 pm', and where the event is not in Sydney ', in Sydney 4 March 2027 at 9:00 pm,'. */
function formatUntil(event: EventDetails, until: Date): string {
  const inSydney = formatInSydney({ ...event, startsAt: until, endsAt: until });
  const last = formatEventMoment(until, event.timeZone);
  return inSydney === null ? last : `${last}, in Sydney ${inSydney},`;
}

export function eventRows(event: EventDetails): (readonly [string, string])[] {
  const inSydney = formatInSydney(event);
  return [
    ["Event", event.title],
    ["When", formatTimes(event)],
    ...(inSydney === null ? [] : [["Sydney time", inSydney] as const]),
    ["Where", formatPlace(event)],
  ];
}

/** A row for each type: 'VIP Seat × 2', '$200.00'. What staff took in person is said for the whole order. */
function priceBlock(order: EmailedOrder["order"], tickets: readonly OrderTicket[]): Block {
  const types = [...Map.groupBy(tickets, ({ typeId }) => typeId).values()];
  if (order.taken_cents > 0) {
    const taken = `${formatDollars(order.taken_cents)} ${order.currency}`;
    const rows = types.map((ofType) => [ofType[0]!.title, formatTicketCount(ofType.length)] as const);
    return { kind: "rows", rows: [...rows, ["Paid in person for this order", taken]] };
  }
  const cents = sumOf(tickets);
  const rows = types.map(
    (ofType) => [`${ofType[0]!.title} × ${ofType.length}`, formatPrice(sumOf(ofType) + sumOff(ofType))] as const,
  );
  return {
    kind: "rows",
    rows: [...rows, ...discountRows(order.discount_code, sumOff(tickets))],
    total: cents === 0 ? "Free" : `${formatDollars(cents)} ${order.currency}`,
  };
}

const sumOff = (tickets: readonly OrderTicket[]) => tickets.reduce((sum, { discountCents }) => sum + discountCents, 0);
