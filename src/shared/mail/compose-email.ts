import type { Database } from "#shared/database/connect.ts";
import type { Organisation } from "#shared/organisation.ts";
import { type Block, layOutEmail } from "./email-layout.ts";
import { type EditedTexts, readEditedTexts, textOfWords, type Words } from "./email-texts.ts";
import type { Attachment, EmailMessage } from "./mail.ts";

/** `publicUrl` without a slash at the end. Without `texts`, all emails have their words as delivered. */
export type Sender = {
  readonly organisation: Organisation;
  readonly publicUrl: string;
  readonly texts?: EditedTexts;
};

type SenderServices = {
  readonly database: Database;
  readonly organisation: { current(): Organisation };
  readonly config: { readonly publicUrl: string };
};

/** Who sends, with the texts that hold now. Read it for each email. */
export async function readSender({ database, organisation, config }: SenderServices): Promise<Sender> {
  const texts = await readEditedTexts(database);
  return { organisation: organisation.current(), publicUrl: config.publicUrl, texts };
}

/** The services of every email writer; `Config` is the settings it needs. */
export type EmailContext<Config = unknown> = {
  readonly database: Database;
  readonly sender: Sender;
  readonly config: Config;
};

export type EmailContent = {
  /** Identifies the email, so that a second copy is recognised. */
  readonly id: string;
  readonly subject: Words;
  /** By default the subject. */
  readonly title?: Words;
  readonly blocks: readonly Block[];
};

type Draft = EmailContent &
  Pick<EmailMessage, "to"> & { readonly replyTo?: string | undefined; readonly attachments?: readonly Attachment[] };

/** Builds an email; its subject is kept to one line. */
export function composeEmail({ organisation, publicUrl }: Sender, draft: Draft): EmailMessage {
  const { id, title = draft.subject, blocks, to, replyTo, attachments = [] } = draft;
  const subject = textOfWords(draft.subject);
  const characters = [...subject];
  return {
    messageId: `<${id}@${new URL(publicUrl).hostname}>`,
    subject: characters.length > 78 ? `${characters.slice(0, 77).join("")}…` : subject,
    to,
    ...(replyTo === undefined ? {} : { replyTo }),
    ...layOutEmail(organisation, { title, blocks }),
    attachments,
  };
}
