import { composeEmail, type EmailContext, type Sender } from "#shared/mail/compose-email.ts";
import { declareEmail } from "#shared/mail/declared-email.ts";
import { paragraph, remark, typed } from "#shared/mail/email-layout.ts";
import { fillTexts } from "#shared/mail/email-texts.ts";
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

const invented: KeptMessage = {
  id: "example",
  name: "Amina Raza",
  email: "amina@example.org",
  phone: "0400 000 000",
  subject: "Water wells",
  message: "Salaam,\n\nHow can our school help?",
};

const contactMessage = declareEmail({
  name: "contact-message",
  title: "Message of the contact form",
  when: "To your email address for visitors. What the person wrote cannot be edited.",
  placeholders: { name: "Who wrote.", subject: { about: "What the person says it is about.", isLocal: true } },
  texts: {
    subject: { words: "Message from {name}", when: "Without a subject of the person’s own." },
    subjectWithSubject: { words: "Message from {name}: {subject}", when: "With a subject of the person’s own." },
    heading: "{name} wrote to you",
    reply: "Sent from the contact page of your site. Your reply to this email goes to the sender.",
  },
  examples: {
    "With a subject": (sender) => messageEmail(sender, invented),
    "Without a subject": (sender) => messageEmail(sender, { ...invented, subject: "" }),
  },
});

/** Forwards a message to the organisation. A reply to it goes to the person who wrote. */
function messageEmail(sender: Sender, message: KeptMessage): EmailMessage {
  const { id, name, email, phone, subject } = message;
  const say = fillTexts(contactMessage, sender, { name, subject });
  return composeEmail(sender, {
    id: `contact-${id}`,
    subject: subject === "" ? say.subject : say.subjectWithSubject,
    to: { name: sender.organisation.name, address: sender.organisation.email },
    replyTo: email,
    title: say.heading,
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
      remark(say.reply),
    ],
  });
}

const contactAnswer = declareEmail({
  name: "contact-answer",
  title: "Confirmation of a message",
  when: "To whoever has used the contact form. It repeats nothing of what was written.",
  placeholders: {},
  texts: {
    subject: "{organisation} has your message",
    heading: "Thank you for writing to us",
    received: "We have your message. One of our team will read it and reply to this address.",
    urgent: "If it is urgent, please call our helpline on {phone} or write to {email}.",
    mistake: "If you didn’t write to us, somebody entered your address by mistake. You don’t need to do anything.",
  },
  examples: { "A message": (sender) => answerEmail(sender, invented) },
});

export const contactEmails = [contactMessage, contactAnswer] as const;

/**
 * Tells the sender that the message has arrived. It repeats nothing that was typed, not even the name: anyone can enter
 * another person's address, and our email mustn't carry their words to it.
 */
function answerEmail(sender: Sender, { id, email }: KeptMessage): EmailMessage {
  const say = fillTexts(contactAnswer, sender, {});
  return composeEmail(sender, {
    id: `contact-answer-${id}`,
    subject: say.subject,
    to: { name: "", address: email },
    replyTo: sender.organisation.email,
    title: say.heading,
    blocks: [paragraph(say.received), paragraph(say.urgent), remark(say.mistake)],
  });
}
