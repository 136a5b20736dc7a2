import type { Database } from "#shared/database/connect.ts";
import { idAndSubject, type Sender } from "#shared/mail/letter-heading.ts";
import { layOutLetter, remark, said } from "#shared/mail/letter-layout.ts";
import type { Letter } from "#shared/mail/mail.ts";
import type { Organisation } from "#shared/organisation.ts";

export type ContactLetterJob = { readonly letter: "contact-message" | "contact-answer"; readonly messageId: string };

declare module "#shared/jobs/queues.ts" {
  interface LetterJobs {
    content: ContactLetterJob;
  }
}

export type ContactLetterContext = {
  readonly database: Database;
  readonly organisation: () => Organisation;
  readonly config: { readonly publicUrl: string };
};

/** The letter of one job: the message for the organisation, or the answer to who wrote it. Null: it was removed since. */
export async function writeContactLetter(
  { database, organisation, config }: ContactLetterContext,
  { letter, messageId }: ContactLetterJob,
): Promise<Letter | null> {
  const message = await database
    .selectFrom("contact_messages")
    .selectAll()
    .where("id", "=", messageId)
    .executeTakeFirst();
  if (message === undefined) return null;
  const sender = { organisation: organisation(), publicUrl: config.publicUrl };
  return letter === "contact-message" ? messageLetter(sender, message) : answerLetter(sender, message);
}

type KeptMessage = {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly subject: string;
  readonly message: string;
};

/** Brings the organisation what somebody wrote. Answering it answers them. */
export function messageLetter({ organisation, publicUrl }: Sender, message: KeptMessage): Letter {
  const { id, name, email, phone, subject } = message;
  return {
    ...idAndSubject(publicUrl, `contact-${id}`, `Message from ${name}${subject === "" ? "" : `: ${subject}`}`),
    to: { name: organisation.name, address: organisation.email },
    replyTo: email,
    ...layOutLetter(organisation, {
      title: `${name} wrote to you`,
      blocks: [
        {
          kind: "rows",
          rows: [
            ["Name", name],
            ["Email", email],
            ...(phone === "" ? [] : [["Phone", phone] as const]),
            ...(subject === "" ? [] : [["Subject", subject] as const]),
          ],
        },
        ...message.message.split(/\n{2,}/).map(said),
        remark("Written on the contact page of your site. Your reply to this letter goes to the sender."),
      ],
    }),
    attachments: [],
  };
}

/**
 * Tells the sender that the message has arrived. It repeats nothing that was typed, not even the name: anybody may enter
 * anybody's address, and our letter must not carry their words to that person.
 */
export function answerLetter({ organisation, publicUrl }: Sender, { id, email }: KeptMessage): Letter {
  return {
    ...idAndSubject(publicUrl, `contact-answer-${id}`, `${organisation.name} has your message`),
    to: { name: "", address: email },
    replyTo: organisation.email,
    ...layOutLetter(organisation, {
      title: "Thank you for writing to us",
      blocks: [
        said("We have your message. One of our team will read it and write back to this address."),
        said(
          `If it cannot wait, please call our helpline on ${organisation.phone}, or write to ${organisation.email}.`,
        ),
        remark(
          "You did not write to us? Then somebody entered your address by mistake, and there is nothing you need to do.",
        ),
      ],
    }),
    attachments: [],
  };
}
