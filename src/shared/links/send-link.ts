import { accepted, type Reply } from "#shared/contract/envelope.ts";
import type { Connection, Database } from "#shared/database/connect.ts";
import { AppError } from "#shared/errors.ts";
import type { Jobs } from "#shared/jobs/jobs.ts";
import { count } from "#shared/limits/count.ts";
import { limitKey } from "#shared/limits/limit-key.ts";
import { composeEmail, type Sender } from "#shared/mail/compose-email.ts";
import { paragraph, remark } from "#shared/mail/email-layout.ts";
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
const PER_DOCUMENT = { most: 3, windowSeconds: 86_400 } as const;
const PER_ADDRESS = { most: 20, windowSeconds: 3600 } as const;

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

/** Null without a recipient. */
export function writeLinkEmail(
  sender: Sender,
  config: LinkConfig,
  { job: { kind, id, at }, recipient }: { job: LinkEmailJob; recipient: LinkRecipient | null },
): EmailMessage | null {
  const { organisation } = sender;
  if (recipient === null) return null;
  const { name, address, heading, label } = recipient;
  const madeAt = new Date(at);
  const { path, lastDay } = documentLink(config, { kind, id }, madeAt);
  return composeEmail(sender, {
    id: `link-${kind.replace("_", "-")}-${id}-${madeAt.getTime()}`,
    subject: heading,
    to: { name, address },
    replyTo: organisation.email,
    blocks: [
      paragraph(name === "" ? "Hello," : `Dear ${name},`),
      paragraph("Here is the new link that was requested."),
      { kind: "link", label, url: `${sender.publicUrl}${path}` },
      remark(`The link works without logging in until ${lastDay}. Please keep it to yourself.`),
      remark(
        `If you did not request it, someone else has an earlier link. Call ${organisation.phone} or email ${organisation.email}, and we will cancel all earlier links.`,
      ),
    ],
  });
}
