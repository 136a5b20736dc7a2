import { type DocumentLook, readDocumentLook } from "#shared/brand/document-look.ts";
import type { Database } from "#shared/database/connect.ts";
import type { Files } from "#shared/database/stored-file.ts";
import type { Organisation } from "#shared/organisation.ts";
import { type Block, LOGO_ID, layOutEmail } from "./email-layout.ts";
import { type EditedTexts, readEditedTexts, textOfWords, type Words } from "./email-texts.ts";
import type { Attachment, EmailMessage } from "./mail.ts";

/** `publicUrl` without a slash at the end. Without `texts`, all emails have their words as delivered. */
export type Sender = {
  readonly organisation: Organisation;
  readonly publicUrl: string;
  readonly texts?: EditedTexts;
  /** As delivered if left out. */
  readonly look?: DocumentLook;
};

type SenderServices = {
  readonly database: Database;
  readonly files: Files;
  readonly organisation: { current(): Organisation };
  readonly config: { readonly publicUrl: string };
};

/** Who sends, with the texts that hold now. */
export async function readSender({ database, files, organisation, config }: SenderServices): Promise<Sender> {
  const [texts, look] = await Promise.all([readEditedTexts(database), readDocumentLook({ database, files })]);
  return { organisation: organisation.current(), publicUrl: config.publicUrl, texts, look };
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
export function composeEmail({ organisation, publicUrl, look }: Sender, draft: Draft): EmailMessage {
  const { id, title = draft.subject, blocks, to, replyTo, attachments = [] } = draft;
  const subject = textOfWords(draft.subject);
  const characters = [...subject];
  return {
    messageId: `<${id}@${new URL(publicUrl).hostname}>`,
    subject: characters.length > 78 ? `${characters.slice(0, 77).join("")}…` : subject,
    to,
    ...(replyTo === undefined ? {} : { replyTo }),
    ...layOutEmail(organisation, { title, blocks, look }),
    attachments: [...attachments, ...logoOf(look)],
  };
}

/** The logo on the dark head of an email. */
function logoOf(look: DocumentLook | undefined): readonly Attachment[] {
  if (!look?.logo) return [];
  const content = Buffer.from(look.logo.onDark);
  return [{ filename: "logo.png", contentType: "image/png", content, contentId: LOGO_ID }];
}
