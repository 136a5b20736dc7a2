import { formatPlace } from "#shared/events/event.ts";
import { formatEventWhen } from "#shared/events/event-clock.ts";
import type { DocumentLink } from "#shared/links/document-links.ts";
import type { Sender } from "#shared/mail/compose-email.ts";
import { declareEmail } from "#shared/mail/declared-email.ts";
import { paragraph, typed } from "#shared/mail/email-layout.ts";
import { fillTexts } from "#shared/mail/email-texts.ts";
import type { EmailMessage } from "#shared/mail/mail.ts";
import type { TimeAndPlace } from "../moves/event-moves.ts";
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
import { inventedLink, inventedOrder } from "./invented-order.ts";

type MovedOrder = {
  readonly facts: EmailedOrder;
  readonly emailId: string;
  readonly was: TimeAndPlace;
  /** In the words of staff; "" for nothing. */
  readonly note: string;
  readonly link: DocumentLink;
};

const invented: MovedOrder = {
  facts: inventedOrder,
  emailId: "example",
  link: inventedLink,
  was: {
    ...inventedOrder.event,
    startsAt: new Date("2027-02-27T10:00:00Z"),
    endsAt: new Date("2027-02-27T13:00:00Z"),
  },
  note: "The hall had to be repaired first.",
};

const moved = declareEmail({
  name: "event-moved",
  title: "An event at another time or place",
  when: "To every buyer with a valid ticket, when staff tell the holders that the event has moved. The times and places cannot be edited.",
  placeholders: { ...buyerPlaceholders, ...linkPlaceholders },
  texts: {
    subject: "{event} has another time or place",
    greeting: buyerTexts.greeting,
    news: "{event} takes place at another time or place than when you booked it:",
    valid:
      "Your tickets stay valid. Your order page has a calendar entry with the new time, and shows until when you can cancel tickets for a refund.",
    ...linkTexts,
    questions: buyerTexts.questions,
  },
  examples: { "Another day": (sender) => movedEmail(sender, invented) },
});

/** In one sentence, to compare two of them. */
export const describeTimeAndPlace = (event: TimeAndPlace): string => `${formatEventWhen(event)}. ${formatPlace(event)}`;

export const movedEmails = [moved] as const;

/** The one email about a move to the buyer of an order. */
export function movedEmail(sender: Sender, { facts, emailId, was, note, link }: MovedOrder): EmailMessage {
  const { event, order } = facts;
  const say = fillTexts(moved, sender, { ...valuesOfOrder(facts), last_day: link.lastDay });
  const [when, where] = [formatEventWhen(event), formatPlace(event)];
  const [whenBefore, whereBefore] = [formatEventWhen(was), formatPlace(was)];
  return emailToBuyer(sender, facts, { ...say, id: `moved-${emailId}-${order.id}` }, [
    paragraph(say.news),
    {
      kind: "rows",
      rows: [
        ["When", when],
        ...(when === whenBefore ? [] : [["Instead of", whenBefore] as const]),
        ["Where", where],
        ...(where === whereBefore ? [] : [["Instead of", whereBefore] as const]),
      ],
    },
    ...(note === "" ? [] : [typed(note)]),
    paragraph(say.valid),
    ...orderLink(sender, link, say),
  ]);
}

/** As it goes to an invented buyer of this event, for staff to read before it goes. */
export const previewMoved = (
  sender: Sender,
  { event, was, note }: { event: TimeAndPlace & { readonly title: string }; was: TimeAndPlace; note: string },
): EmailMessage =>
  movedEmail(sender, {
    ...invented,
    was,
    note,
    facts: { ...inventedOrder, event: { ...inventedOrder.event, ...event } },
  });
