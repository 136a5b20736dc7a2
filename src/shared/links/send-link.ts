import { accepted, type Reply } from "#shared/contract/envelope.ts";
import type { Connection, Database } from "#shared/database/connect.ts";
import { AppError } from "#shared/errors.ts";
import type { Jobs } from "#shared/jobs/jobs.ts";
import { count } from "#shared/limits/count.ts";
import { limitKey } from "#shared/limits/limit-key.ts";
import { composeEmail, type Sender } from "#shared/mail/compose-email.ts";
import { declareEmail } from "#shared/mail/declared-email.ts";
import { paragraph, remark } from "#shared/mail/email-layout.ts";
import { fillTexts } from "#shared/mail/email-texts.ts";
import type { EmailMessage } from "#shared/mail/mail.ts";
import type { LinkedDocument } from "./contract.ts";
import { documentLink, documentPath, type LinkConfig, type LinkServices, readDocumentKey } from "./document-links.ts";

/** `at`: when it was requested, as an ISO time. */
type LinkEmailJob = LinkedDocument & { readonly template: "new-link"; readonly at: string };

declare module "#shared/jobs/queues.ts" {
  interface EmailJobs {
    links: LinkEmailJob;
  }
}

/** Links sent for one document in a day, and requested from one network address in an hour. */
const PER_DOCUMENT = { max: 3, windowSeconds: 86_400 } as const;
const PER_ADDRESS = { max: 20, windowSeconds: 3600 } as const;

type SendingServices = LinkServices & { readonly database: Database; readonly jobs: Jobs };

/**
 * Emails a new link to the document's recipient. The key of an earlier link proves the right to request it. With a
 * wrong key or too many requests, the answer is the same, but nothing is sent (DON-31).
 * @throws AppError `too_many_emails` for a network address with too many requests.
 */
export async function sendFreshLink(
  { config: { secretKey }, database, jobs, now }: SendingServices,
  { key, ...document }: LinkedDocument & { readonly key: string },
  address: string,
): Promise<Reply<Record<string, never>>> {
  const at = now();
  await database.transaction().execute(async (transaction) => {
    const byAddress = limitKey(secretKey, "link", "address", address);
    const refusal = await count(transaction, byAddress, { ...PER_ADDRESS, now: at });
    if (refusal !== null) throw new AppError("too_many_emails", refusal);
    if (readDocumentKey(secretKey, document, key) === null) return;
    if ((await countLinkEmail(transaction, { secretKey }, document, at)) !== null) return;
    await sendLinkEmail(transaction, jobs, document, at);
  });
  return accepted(
    {},
    "Thank you. We are sending a new link to the email address we have, unless we have already sent three today. It may take a few minutes.",
  );
}

/** Counts an email with a link to a document. Null if permitted; otherwise when to try again. */
export function countLinkEmail(
  transaction: Connection,
  { secretKey }: LinkServices["config"],
  document: LinkedDocument,
  now: Date,
): Promise<{ retryAfterSeconds: number } | null> {
  const byDocument = limitKey(secretKey, "link", "document", documentPath(document));
  return count(transaction, byDocument, { ...PER_DOCUMENT, now });
}

/** Queues an email with a link made at `at`; it goes to the address on record. */
export function sendLinkEmail(connection: Connection, jobs: Jobs, { kind, id }: LinkedDocument, at: Date) {
  return jobs.send(connection, "emails", { template: "new-link", kind, id: id.toLowerCase(), at: at.toISOString() });
}

/** The recipient of a document, and the words of the email. */
export type LinkRecipient = {
  readonly name: string;
  readonly address: string;
  /** 'A new link to your receipt R-000123'. */
  readonly heading: string;
  /** The link's text: 'Open your receipt R-000123'. */
  readonly label: string;
};

/** The documents of one kind, from a feature. */
export type DocumentLinks = {
  /** By number or reference, as people write it. */
  findId(connection: Connection, reference: string): Promise<string | undefined>;
  /** Null if it was never sent, or the address has been deleted. */
  findRecipient(connection: Connection, id: string): Promise<LinkRecipient | null>;
};

const newLink = declareEmail({
  name: "new-link",
  title: "New link to a document",
  when: "To the address that a receipt, ticket order or application went to, when somebody asks for a new link to it.",
  placeholders: {
    heading: "What the link opens, such as ‘A new link to your receipt R-000123’.",
    name: { about: "Whom it is for, or ‘friend’.", isOptional: true },
    day: "The last day on which the link works.",
  },
  texts: {
    subject: "{heading}",
    greeting: { words: "Dear {name},", when: "If we know the name." },
    hello: { words: "Hello,", when: "If we don’t know the name." },
    here: "Here is the new link that was requested.",
    rules: "The link works without logging in until {day}. Please keep it to yourself.",
    mistake:
      "If you did not request it, someone else has an earlier link. Call {phone} or email {email}, and we will cancel all earlier links.",
  },
  examples: {
    "A receipt": (sender) => linkEmail(sender, invented, { ...inventedLink, id: "example" }),
    "An application, which shows no name": (sender) =>
      linkEmail(sender, { ...invented, name: "" }, { ...inventedLink, id: "example" }),
  },
});

export const linkEmails = [newLink] as const;

const invented: LinkRecipient = {
  name: "Amina Raza",
  address: "amina@example.org",
  heading: "A new link to your receipt R-000123",
  label: "Open your receipt R-000123",
};
const inventedLink = { path: "/receipts/example?key=…", lastDay: "31 December 2027" };

/** Null without a recipient. */
export function writeLinkEmail(
  sender: Sender,
  config: LinkConfig,
  { job: { kind, id, at }, recipient }: { job: LinkEmailJob; recipient: LinkRecipient | null },
): EmailMessage | null {
  if (recipient === null) return null;
  const madeAt = new Date(at);
  const link = documentLink(config, { kind, id }, madeAt);
  return linkEmail(sender, recipient, { ...link, id: `link-${kind.replace("_", "-")}-${id}-${madeAt.getTime()}` });
}

function linkEmail(
  sender: Sender,
  { name, address, heading, label }: LinkRecipient,
  { id, path, lastDay }: { readonly id: string; readonly path: string; readonly lastDay: string },
): EmailMessage {
  const say = fillTexts(newLink, sender, { heading, name: name || "friend", day: lastDay });
  return composeEmail(sender, {
    id,
    subject: say.subject,
    to: { name, address },
    replyTo: sender.organisation.email,
    blocks: [
      paragraph(name === "" ? say.hello : say.greeting),
      paragraph(say.here),
      { kind: "link", label, url: `${sender.publicUrl}${path}` },
      remark(say.rules),
      remark(say.mistake),
    ],
  });
}
