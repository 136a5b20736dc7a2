import nodemailer, { type SendMailOptions, type Transporter } from "nodemailer";
import type { Database } from "#shared/database/connect.ts";

export type Attachment = { readonly filename: string; readonly contentType: string; readonly content: Buffer };

export type Letter = {
  /** `<word@host>`: the same letter always has the same one, so that a second sending is recognised as the first. */
  readonly messageId: string;
  readonly to: { readonly name: string; readonly address: string };
  readonly replyTo?: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly attachments: readonly Attachment[];
};

export type Mail = {
  /** @throws when the server did not take the letter, or when its address or message id is none. */
  send(letter: Letter): Promise<void>;
};

const timeouts = { connectionTimeout: 15_000, greetingTimeout: 15_000, socketTimeout: 60_000 };

/** Sends by SMTP; without `smtpUrl` letters are kept in `mailbox_messages` for the operator to read. */
export function createMail({
  database,
  smtpUrl,
  from,
  publicUrl,
}: {
  database: Database;
  smtpUrl: string | undefined;
  from: string;
  publicUrl: string;
}): Mail {
  if (smtpUrl === undefined) return { send: async (letter) => keep(database, messageOf(letter, from)) };
  const transport = nodemailer.createTransport({
    ...timeouts,
    url: smtpUrl,
    name: new URL(publicUrl).hostname,
  } as Parameters<typeof nodemailer.createTransport>[0]);
  return {
    send: async (letter) => {
      await transport.sendMail(messageOf(letter, from));
    },
  };
}

type Message = ReturnType<typeof messageOf>;

/** Nothing that a person typed may begin a header line of its own (reliability S4). */
function messageOf(letter: Letter, from: string) {
  if (!/^<[^\s<>@\p{Cc}]{1,200}@[^\s<>@\p{Cc}]{1,200}>$/u.test(letter.messageId)) {
    throw new Error("A letter's message id must read <word@host>.");
  }
  return {
    messageId: letter.messageId,
    from: oneLine(from),
    to: { name: oneLine(letter.to.name), address: checkedAddress(letter.to.address) },
    ...(letter.replyTo === undefined ? {} : { replyTo: checkedAddress(letter.replyTo) }),
    subject: oneLine(letter.subject),
    text: letter.text,
    html: letter.html,
    headers: { "Auto-Submitted": "auto-generated" },
    attachments: letter.attachments.map(({ filename, contentType, content }) => ({
      filename: filename.replace(/[^\w. -]/g, "_"),
      contentType,
      content,
    })),
    disableFileAccess: true,
    disableUrlAccess: true,
  } satisfies SendMailOptions;
}

/** Control characters, line ends and lone surrogates out, so that a value stays one header value. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .replace(/ +/g, " ")
    .trim();
}

function checkedAddress(address: string): string {
  if (address.length > 254 || !/^[^\s@<>()[\]\\,;:"\p{Cc}]+@[^\s@<>()[\]\\,;:"\p{Cc}]+$/u.test(address)) {
    throw new Error("A letter cannot be sent: its address is not an e-mail address.");
  }
  return address;
}

const composer: Transporter = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: "windows" });

async function keep(database: Database, message: Message) {
  const { message: source } = (await composer.sendMail(message)) as unknown as { message: Buffer };
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
