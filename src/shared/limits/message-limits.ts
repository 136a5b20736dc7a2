import { effortBeyond } from "#shared/captcha/effort.ts";
import type { Connection } from "#shared/database/connect.ts";
import { AppError, type Problem } from "#shared/errors.ts";
import { count, tally } from "./count.ts";
import { limitKey } from "./limit-key.ts";

const ANSWER_EVERY_SECONDS = 3600;

export type MessageLimits = {
  readonly secretKey: string;
  /** What is counted: each kind has its own count. */
  readonly kind: "message" | "application";
  /** How many messages pass within the window that the first of them opens. */
  readonly perAddress: number;
  /** How many pass under one email with an ordinary captcha. */
  readonly perEmail: number;
  readonly windowSeconds: number;
};

type MessageSender = { readonly address: string; readonly email: string };

const tooMany = { message: "too_many_messages", application: "too_many_applications" } as const satisfies Record<
  MessageLimits["kind"],
  Problem
>;

/**
 * Counts one message or application and says what its captcha must be worth: more than an ordinary one where many came
 * under this email, which is only claimed (SEC-4). Belongs in the transaction that keeps the message: what is refused is
 * undone with it, so that only accepted messages count, and messages that come at once are counted one after the other.
 * @throws AppError where too many came from this network address.
 */
export async function countMessage(
  transaction: Connection,
  { address, email }: MessageSender,
  { secretKey, kind, perAddress, perEmail, windowSeconds }: MessageLimits,
  now: Date,
): Promise<number> {
  // Always in this order, so that no two transactions wait for each other.
  const byAddress = limitKey(secretKey, kind, "address", address);
  const refusal = await count(transaction, byAddress, { most: perAddress, windowSeconds, now });
  if (refusal !== null) throw new AppError(tooMany[kind], refusal);
  const sent = await tally(transaction, limitKey(secretKey, kind, "email", email), { windowSeconds, now });
  return effortBeyond(sent - perEmail, perEmail);
}

/** Whether this address may be sent an answer now: once an hour, so that nobody can have it flooded with our letters. */
export async function mayBeAnswered(
  transaction: Connection,
  email: string,
  { secretKey }: Pick<MessageLimits, "secretKey">,
  now: Date,
): Promise<boolean> {
  const key = limitKey(secretKey, "answer", "email", email);
  return (await count(transaction, key, { most: 1, windowSeconds: ANSWER_EVERY_SECONDS, now })) === null;
}
