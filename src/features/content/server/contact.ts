import { randomUUID } from "node:crypto";
import { type Captcha, checkCaptcha, type SolvedCaptcha, spendEffort } from "#shared/captcha/captcha.ts";
import type { Config } from "#shared/config.ts";
import { accepted, type Reply } from "#shared/contract/envelope.ts";
import type { Connection, Database } from "#shared/database/connect.ts";
import type { Jobs } from "#shared/jobs/jobs.ts";
import { countMessage, mayBeAnswered } from "#shared/limits/message-limits.ts";
import { THANKS } from "../contact.ts";
import type { ContactMessage } from "../contract.ts";

export type ContactServices = {
  readonly config: Pick<Config, "limits" | "secretKey">;
  readonly database: Database;
  readonly jobs: Jobs;
  readonly captcha: Captcha;
  readonly now: () => Date;
};

/** Who sends: the network address, and who is logged in; null for a guest. */
type From = { readonly address: string; readonly userId: number | null };

/**
 * Takes a message from the contact page: kept, and its letters sent on their way, in one transaction (PAGE-7, REL-2). A
 * copy of an earlier message is answered like that one, before its captcha is looked at.
 * @throws AppError when the captcha is missing or refused, or when too many messages came from the same sender.
 */
export async function receiveMessage(
  services: ContactServices,
  message: ContactMessage,
  from: From,
): Promise<Reply<Record<string, never>>> {
  const { database, captcha, now } = services;
  const thanks = accepted({}, THANKS);
  // A program that fills in everything must not learn that it was found out.
  if (message.website !== "") return thanks;
  if (await isKept(database, message.key)) return thanks;

  const context = { action: "contact", address: from.address, now: now() } as const;
  const checked = await checkCaptcha(captcha, message.captcha, context);
  if ("refusal" in checked) return checked.refusal;
  await database
    .transaction()
    .execute((transaction) => keepMessage(services, transaction, { message, from, solved: checked.solved }));
  return thanks;
}

type Checked = { readonly message: ContactMessage; readonly from: From; readonly solved: SolvedCaptcha };

async function keepMessage(
  { config, jobs, now }: ContactServices,
  transaction: Connection,
  { message, from, solved }: Checked,
): Promise<void> {
  const at = now();
  const messageId = await insertMessage(transaction, message, { userId: from.userId, at });
  // A copy that came at the same moment has waited here for the first one.
  if (messageId === undefined) return;
  const limits = { secretKey: config.secretKey, ...config.limits.messages };
  const effort = await countMessage(transaction, { address: from.address, email: message.email }, limits, at);
  await spendEffort(transaction, solved, { effort, now: at });
  await jobs.send(transaction, "letters", { letter: "contact-message", messageId });
  if (await mayBeAnswered(transaction, message.email, limits, at)) {
    await jobs.send(transaction, "letters", { letter: "contact-answer", messageId });
  }
}

async function isKept(database: Database, key: string): Promise<boolean> {
  const row = await database
    .selectFrom("contact_messages")
    .select("id")
    .where("client_key", "=", key)
    .executeTakeFirst();
  return row !== undefined;
}

/** The new message's id; undefined when a message of this key is there already. */
async function insertMessage(
  transaction: Connection,
  { key, name, email, phone, subject, message }: ContactMessage,
  { userId, at }: { userId: number | null; at: Date },
): Promise<string | undefined> {
  const row = await transaction
    .insertInto("contact_messages")
    .values({
      id: randomUUID(),
      client_key: key,
      name,
      email,
      phone,
      subject,
      message,
      user_id: userId,
      created_at: at,
    })
    .onConflict((conflict) => conflict.column("client_key").doNothing())
    .returning("id")
    .executeTakeFirst();
  return row?.id;
}
