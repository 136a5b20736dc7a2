import { accepted, type Reply } from "#shared/contract/envelope.ts";
import type { Connection, Database } from "#shared/database/connect.ts";
import { AppError } from "#shared/errors.ts";
import type { Jobs } from "#shared/jobs/jobs.ts";
import type { LinkLetterJob } from "#shared/jobs/queues.ts";
import { count } from "#shared/limits/count.ts";
import { limitKey } from "#shared/limits/limit-key.ts";
import { idAndSubject, type Sender } from "#shared/mail/letter-heading.ts";
import { layOutLetter, remark, said } from "#shared/mail/letter-layout.ts";
import type { Letter } from "#shared/mail/mail.ts";
import type { LinkedDocument } from "./contract.ts";
import { documentLink, documentPath, type LinkConfig, type LinkServices, readDocumentKey } from "./document-links.ts";

/** So many links to one document are sent in a day, and so many asked for from one network address in an hour. */
const PER_DOCUMENT = { most: 3, windowSeconds: 86_400 } as const;
const PER_ADDRESS = { most: 20, windowSeconds: 3600 } as const;

type SendingServices = LinkServices & { readonly database: Database; readonly jobs: Jobs };

/**
 * Has a new link sent to where the document was sent. The key of an earlier link proves which document is meant; whoever
 * sends another, or asks too often, is told the same, and nothing is sent (DON-31).
 * @throws AppError `too_many_letters` for a network address that asks too often.
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
    if (refusal !== null) throw new AppError("too_many_letters", refusal);
    if (readDocumentKey(secretKey, document, key) === null) return;
    const byDocument = limitKey(secretKey, "link", "document", documentPath(document));
    if ((await count(transaction, byDocument, { ...PER_DOCUMENT, now: at })) !== null) return;
    await sendLinkLetter(transaction, jobs, document, at);
  });
  return accepted(
    {},
    "Thank you. Unless three went out today already, a new link is on its way to the email address that we have. It may take a few minutes.",
  );
}

/** Puts the letter with a new link into the outbox. */
export function sendLinkLetter(connection: Connection, jobs: Jobs, { kind, id }: LinkedDocument, at: Date) {
  return jobs.send(connection, "letters", { letter: "fresh-link", kind, id: id.toLowerCase(), at: at.toISOString() });
}

/** Where a document was sent, and what it is called: 'your receipt R-000123'. */
export type LinkRecipient = { readonly name: string; readonly address: string; readonly title: string };

/** What a feature knows of the documents of a kind. */
export type DocumentLinks = {
  /** By a number or reference, as people write it. */
  findId(connection: Connection, reference: string): Promise<string | undefined>;
  /** Null where it was sent to nobody, or the address is deleted. */
  findRecipient(connection: Connection, id: string): Promise<LinkRecipient | null>;
};

/** The letter with a new link; null where nobody is there to have it. */
export function writeLinkLetter(
  { organisation, publicUrl }: Sender,
  config: LinkConfig,
  { job: { kind, id, at }, recipient }: { job: LinkLetterJob; recipient: LinkRecipient | null },
): Letter | null {
  if (recipient === null) return null;
  const { name, address, title } = recipient;
  const madeAt = new Date(at);
  const { path, lastDay } = documentLink(config, { kind, id }, madeAt);
  const heading = `A new link to ${title}`;
  return {
    ...idAndSubject(publicUrl, `link-${kind.replace("_", "-")}-${id}-${madeAt.getTime()}`, heading),
    to: { name, address },
    replyTo: organisation.email,
    ...layOutLetter(organisation, {
      title: heading,
      blocks: [
        said(name === "" ? "Hello," : `Dear ${name},`),
        said(`A new link to ${title} was asked for. Here it is.`),
        { kind: "link", label: `Open ${title}`, url: `${publicUrl}${path}` },
        remark(`The link works without logging in until ${lastDay}. Please keep it to yourself.`),
        remark(
          `You did not ask for it? Then somebody else has an earlier link. Call ${organisation.phone} or write to ${organisation.email}, and we end all earlier links.`,
        ),
      ],
    }),
    attachments: [],
  };
}
