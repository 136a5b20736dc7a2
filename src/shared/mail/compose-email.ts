import type { Database } from "#shared/database/connect.ts";
import type { Organisation } from "#shared/organisation.ts";
import { type Block, layOutEmail } from "./email-layout.ts";
import type { Attachment, EmailMessage } from "./mail.ts";

/** `publicUrl` without a slash at the end. */
export type Sender = { readonly organisation: Organisation; readonly publicUrl: string };

/** The services of every email writer; `Config` is the settings it needs. */
export type EmailContext<Config = unknown> = {
  readonly database: Database;
  readonly sender: Sender;
  readonly config: Config;
};

export type EmailContent = Pick<EmailMessage, "subject"> & {
  /** Identifies the email, so that a second copy is recognised. */
  readonly id: string;
  /** By default the subject. */
  readonly title?: string;
  readonly blocks: readonly Block[];
};

type Draft = EmailContent &
  Pick<EmailMessage, "to"> & { readonly replyTo?: string | undefined; readonly attachments?: readonly Attachment[] };

/** Builds an email; its subject is kept to one line. */
export function composeEmail({ organisation, publicUrl }: Sender, draft: Draft): EmailMessage {
  const { id, subject, title = subject, blocks, to, replyTo, attachments = [] } = draft;
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
