import { randomUUID } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { type Captcha, checkCaptcha, type SolvedCaptcha, spendEffort } from "#shared/captcha/captcha.ts";
import { accepted, type Reply } from "#shared/contract/envelope.ts";
import type { Connection, Database } from "#shared/database/connect.ts";
import { mount } from "#shared/http/mount.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { countMessage, mayBeAnswered } from "#shared/limits/message-limits.ts";
import type { Sessions } from "#shared/sessions/sessions.ts";
import { THANKS } from "../contact.ts";
import { type ContactMessage, sendMessageCall } from "../contract.ts";
import { contentProblems } from "../problems.ts";

type ContactServices = CoreServices<"database" | "jobs" | "now", "limits" | "secretKey"> & {
  readonly captcha: Captcha;
};

/** The sender's network address, and user if logged in. */
type From = { readonly address: string; readonly userId: number | null };

/**
 * Stores a message from the contact page and queues its emails in one transaction (PAGE-7, REL-2). A copy of an earlier
 * message gets the same answer, without a captcha check.
 * @throws AppError if the captcha is missing or refused, or the sender has sent too many messages.
 */
async function receiveMessage(
  services: ContactServices,
  message: ContactMessage,
  from: From,
): Promise<Reply<Record<string, never>>> {
  const { database, captcha, now } = services;
  const thanks = accepted({}, THANKS);
  // A program that fills in every field must not learn that it was detected.
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
  // A concurrent copy has waited here for the first one.
  if (messageId === undefined) return;
  const limits = {
    secretKey: config.secretKey,
    ...config.limits.messages,
    kind: "message",
    tooMany: contentProblems.too_many_messages,
  };
  const effort = await countMessage(transaction, { address: from.address, email: message.email }, limits, at);
  await spendEffort(transaction, solved, { effort, now: at });
  await jobs.send(transaction, "emails", { template: "contact-message", messageId });
  if (await mayBeAnswered(transaction, message.email, limits, at)) {
    await jobs.send(transaction, "emails", { template: "contact-answer", messageId });
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

/** The new message's id; undefined if there is already one with this key. */
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

export function contactRoutes(app: FastifyInstance, services: ContactServices & { readonly sessions: Sessions }) {
  mount(app, sendMessageCall, async ({ body }, request) => {
    const userId = await services.sessions.findUserId(request);
    return receiveMessage(services, body, { address: request.ip, userId });
  });
}
