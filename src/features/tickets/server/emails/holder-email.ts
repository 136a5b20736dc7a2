import { randomUUID } from "node:crypto";
import type { Config } from "#shared/config/config.ts";
import type { DocumentLink } from "#shared/links/document-links.ts";
import { documentLink } from "#shared/links/document-links.ts";
import type { EmailContext, Sender } from "#shared/mail/compose-email.ts";
import { declareEmail } from "#shared/mail/declared-email.ts";
import { typed } from "#shared/mail/email-layout.ts";
import { fillTexts } from "#shared/mail/email-texts.ts";
import type { EmailMessage } from "#shared/mail/mail.ts";
import { findHolderEmail, type HolderEmailWords } from "../holder-emails/holder-emails.ts";
import { findOrderFacts } from "../order-facts.ts";
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
import { eventRows } from "./ticket-emails.ts";

type Words = Pick<HolderEmailWords, "kind" | "subject" | "body">;

/** To an order's buyer. */
export type HolderEmailJob = { readonly template: "holder-email"; readonly orderId: string; readonly emailId: string };

type HolderContext = EmailContext<Pick<Config, "secretKey" | "linkDays">> & { readonly now: () => Date };

/** Null for an order that has no valid ticket any more. */
export async function writeHolderEmailJob(context: HolderContext, job: HolderEmailJob): Promise<EmailMessage | null> {
  const { database, config, sender, now } = context;
  const [facts, written] = [
    await findOrderFacts(database, job.orderId, now()),
    await findHolderEmail(database, job.emailId),
  ];
  if (facts?.order.state !== "paid" || written === undefined || facts.order.email === "") return null;
  const link = documentLink(config, { kind: "ticket_order", id: job.orderId }, facts.order.paid_at!);
  return holderEmail(sender, { facts, link, id: `holder-${job.emailId}-${job.orderId}`, words: written });
}

const holders = declareEmail({
  name: "holder-email",
  title: "An email that staff write to ticket holders",
  when: "To everybody with a valid ticket, when staff write to the holders of an event. They write its subject and text each time.",
  placeholders: { ...buyerPlaceholders, ...linkPlaceholders, subject: "The subject that staff wrote." },
  texts: {
    subject: "{subject}",
    greeting: buyerTexts.greeting,
    ...linkTexts,
    questions: buyerTexts.questions,
  },
  examples: {
    "A reminder": (sender) =>
      holderEmail(sender, {
        facts: inventedOrder,
        link: inventedLink,
        id: "holder-example",
        words: { kind: "reminder", subject: "See you soon", body: "We look forward to seeing you." },
      }),
  },
});

export const holderEmails = [holders] as const;

type ToldHolder = {
  readonly facts: EmailedOrder;
  readonly link: DocumentLink;
  readonly id: string;
  readonly words: Words;
};

/** Thanks say nothing of when and where it was. */
function holderEmail(sender: Sender, { facts, link, id, words }: ToldHolder): EmailMessage {
  const { kind, subject, body } = words;
  const say = fillTexts(holders, sender, { ...valuesOfOrder(facts), last_day: link.lastDay, subject });
  return emailToBuyer(sender, facts, { ...say, id }, [
    ...paragraphsOf(body).map(typed),
    ...(kind === "thanks"
      ? []
      : [{ kind: "rows" as const, rows: eventRows(facts.event) }, ...orderLink(sender, link, say)]),
  ]);
}

const paragraphsOf = (body: string) => body.split(/\n\s*\n/).filter((paragraph) => paragraph.trim() !== "");

/** As it goes to an invented holder of a ticket to this event. */
export const previewHolderEmail = (sender: Sender, event: Partial<EmailedOrder["event"]>, words: Words): EmailMessage =>
  holderEmail(sender, {
    id: "holder-example",
    link: inventedLink,
    words,
    facts: { ...inventedOrder, event: { ...inventedOrder.event, ...event } },
  });

/** The same, to the member of staff who writes it. Each try is another email. */
export function trialEmail(
  sender: Sender,
  event: Partial<EmailedOrder["event"]>,
  { to, words }: { readonly to: EmailMessage["to"]; readonly words: Words },
): EmailMessage {
  const preview = previewHolderEmail(sender, event, words);
  return { ...preview, to, messageId: preview.messageId.replace("holder-example", `holder-try-${randomUUID()}`) };
}
