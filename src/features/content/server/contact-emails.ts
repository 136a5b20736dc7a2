import { composeEmail, type EmailContext, type Sender } from "#shared/mail/compose-email.ts";
import { paragraph, remark, typed } from "#shared/mail/email-layout.ts";
import type { EmailMessage } from "#shared/mail/mail.ts";

export type ContactEmailJob = { readonly template: "contact-message" | "contact-answer"; readonly messageId: string };

declare module "#shared/jobs/queues.ts" {
  interface EmailJobs {
    content: ContactEmailJob;
  }
}

/** Writes the message to the organisation, or the reply to its sender; null if the message has been deleted. */
export async function writeContactEmail(
  { database, sender }: EmailContext,
  { template, messageId }: ContactEmailJob,
): Promise<EmailMessage | null> {
  const message = await database
    .selectFrom("contact_messages")
    .selectAll()
    .where("id", "=", messageId)
    .executeTakeFirst();
  if (message === undefined) return null;
  return template === "contact-message" ? messageEmail(sender, message) : answerEmail(sender, message);
}

type KeptMessage = {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly subject: string;
  readonly message: string;
};

/** Forwards a message to the organisation. A reply to it goes to the person who wrote. */
export function messageEmail(sender: Sender, message: KeptMessage): EmailMessage {
  const { id, name, email, phone, subject } = message;
  return composeEmail(sender, {
    id: `contact-${id}`,
    subject: `Message from ${name}${subject === "" ? "" : `: ${subject}`}`,
    to: { name: sender.organisation.name, address: sender.organisation.email },
    replyTo: email,
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
      ...message.message.split(/\n{2,}/).map(typed),
      remark("Sent from the contact page of your site. Your reply to this email goes to the sender."),
    ],
  });
}

/**
 * Tells the sender that the message has arrived. It repeats nothing that was typed, not even the name: anyone can enter
 * another person's address, and our email mustn't carry their words to it.
 */
export function answerEmail(sender: Sender, { id, email }: KeptMessage): EmailMessage {
  const { organisation } = sender;
  return composeEmail(sender, {
    id: `contact-answer-${id}`,
    subject: `${organisation.name} has your message`,
    to: { name: "", address: email },
    replyTo: organisation.email,
    title: "Thank you for writing to us",
    blocks: [
      paragraph("We have your message. One of our team will read it and reply to this address."),
      paragraph(
        `If it is urgent, please call our helpline on ${organisation.phone} or write to ${organisation.email}.`,
      ),
      remark("If you didn’t write to us, somebody entered your address by mistake. You don’t need to do anything."),
    ],
  });
}
