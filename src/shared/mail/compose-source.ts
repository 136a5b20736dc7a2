import nodemailer from "nodemailer";
import type { OutgoingMessage } from "./mail.ts";

const composer = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: "windows" });

/** The source of an email (RFC 5322). */
export async function composeSource(message: OutgoingMessage): Promise<Buffer> {
  const attachments = message.attachments.map((each) => ({ ...each, content: Buffer.from(each.content) }));
  const composed = await composer.sendMail({ ...message, attachments });
  return composed.message as Buffer;
}
