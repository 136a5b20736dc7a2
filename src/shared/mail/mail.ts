import type { SendMailOptions, Transporter } from "nodemailer";
import type { Database } from "#shared/database/connect.ts";

export type Attachment = {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Buffer;
  /** For a picture that the HTML shows as `cid:…`. */
  readonly contentId?: string;
};

export type EmailMessage = {
  /** `<word@host>`: always the same for the same email, so that a second copy is recognised. */
  readonly messageId: string;
  readonly to: { readonly name: string; readonly address: string };
  readonly replyTo?: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly attachments: readonly Attachment[];
};

export type Mail = {
  /** @throws if the server refuses the email, or its address or message id is invalid. */
  send(email: EmailMessage): Promise<void>;
};

const timeouts = { connectionTimeout: 15_000, greetingTimeout: 15_000, socketTimeout: 60_000 };

/**
 * Sends by SMTP; without `smtpUrl`, stores emails in `mailbox_messages` for the operator. `compose` is `composeSource`,
 * which takes a millisecond or two of a processor, or runs it elsewhere.
 */
export function createMail({
  database,
  smtpUrl,
  from,
  publicUrl,
  compose = async (message) => (await import("./compose-source.ts")).composeSource(message),
}: {
  database: Database;
  smtpUrl: string | undefined;
  from: string;
  publicUrl: string;
  compose?: Compose;
}): Mail {
  if (smtpUrl === undefined) return { send: async (email) => keep(database, compose, messageOf(email, from)) };
  const settings = { ...timeouts, url: smtpUrl, name: new URL(publicUrl).hostname };
  let transport: Transporter | undefined;
  return {
    send: async (email) => {
      const message = messageOf(email, from);
      const envelope = { from: message.from, to: message.to.address };
      // Loaded when first needed: it takes 20 MB.
      transport ??= (await import("nodemailer")).createTransport(settings as object);
      await transport.sendMail({ envelope, raw: await compose(message) });
    },
  };
}

export type OutgoingMessage = ReturnType<typeof messageOf>;
type Compose = (message: OutgoingMessage) => Promise<Buffer>;

/** Typed text must not start a header line (reliability S4). */
function messageOf(email: EmailMessage, from: string) {
  if (!/^<[^\s<>@\p{Cc}]{1,200}@[^\s<>@\p{Cc}]{1,200}>$/u.test(email.messageId)) {
    throw new Error("An email's message id must read <word@host>.");
  }
  return {
    messageId: email.messageId,
    from: oneLine(from),
    to: { name: oneLine(email.to.name), address: checkedAddress(email.to.address) },
    ...(email.replyTo === undefined ? {} : { replyTo: checkedAddress(email.replyTo) }),
    subject: oneLine(email.subject),
    text: email.text,
    html: email.html,
    headers: { "Auto-Submitted": "auto-generated" },
    attachments: email.attachments.map(({ filename, contentType, content, contentId }) => ({
      filename: filename.replace(/[^\w. -]/g, "_"),
      contentType,
      content,
      ...(contentId !== undefined && { cid: contentId, contentDisposition: "inline" as const }),
    })),
    disableFileAccess: true,
    disableUrlAccess: true,
  } satisfies SendMailOptions;
}

/** Removes control characters, line ends and lone surrogates, so that a value stays in one header. */
function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .replace(/ +/g, " ")
    .trim();
}

function checkedAddress(address: string): string {
  if (address.length > 254 || !/^[^\s@<>()[\]\\,;:"\p{Cc}]+@[^\s@<>()[\]\\,;:"\p{Cc}]+$/u.test(address)) {
    throw new Error("An email cannot be sent: its address is not a valid email address.");
  }
  return address;
}

async function keep(database: Database, compose: Compose, message: OutgoingMessage) {
  const source = await compose(message);
  const attachments = message.attachments.map(({ filename, contentType, content }) => ({
    filename,
    contentType,
    bytes: content.length,
  }));
  await database
    .insertInto("mailbox_messages")
    .values({
      message_id: message.messageId,
      sent_at: new Date(),
      recipient: message.to.address,
      sender: message.from,
      subject: message.subject,
      text_body: message.text,
      html_body: message.html,
      attachments: JSON.stringify(attachments),
      source,
    })
    .onConflict((conflict) => conflict.column("message_id").doNothing())
    .execute();
}
