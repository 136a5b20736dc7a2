import type { Connection } from "#shared/database/connect.ts";
import { AppError, type Problem } from "#shared/errors.ts";
import { count, tally } from "./count.ts";
import { effortBeyond } from "./effort.ts";
import { limitKey } from "./limit-key.ts";

const ANSWER_EVERY_SECONDS = 3600;

type MessageLimits = {
  readonly secretKey: string;
  readonly kind: string;
  readonly tooMany: Problem;
  /** Messages permitted in a window, which starts with the first. */
  readonly perAddress: number;
  /** Messages from one email address before its captcha gets harder. */
  readonly perEmail: number;
  readonly windowSeconds: number;
};

type MessageSender = { readonly address: string; readonly email: string };

/**
 * Counts a message or application and returns the effort its captcha needs, which rises with the messages from this
 * (unproven) email address (SEC-4). Call it in the transaction that stores the message: refused ones are rolled back
 * and not counted, and simultaneous ones are counted one after the other.
 * @throws AppError if too many came from this network address.
 */
export async function countMessage(
  transaction: Connection,
  { address, email }: MessageSender,
  { secretKey, kind, tooMany, perAddress, perEmail, windowSeconds }: MessageLimits,
  now: Date,
): Promise<number> {
  // Always in this order, to avoid deadlocks.
  const byAddress = limitKey(secretKey, kind, "address", address);
  const refusal = await count(transaction, byAddress, { max: perAddress, windowSeconds, now });
  if (refusal !== null) throw new AppError(tooMany, refusal);
  const sent = await tally(transaction, limitKey(secretKey, kind, "email", email), { windowSeconds, now });
  return effortBeyond(sent - perEmail, perEmail);
}

/** Whether this address may be sent a reply now: once an hour, so that nobody can flood it with our emails. */
export async function mayBeAnswered(
  transaction: Connection,
  email: string,
  { secretKey }: Pick<MessageLimits, "secretKey">,
  now: Date,
): Promise<boolean> {
  const key = limitKey(secretKey, "answer", "email", email);
  return (await count(transaction, key, { max: 1, windowSeconds: ANSWER_EVERY_SECONDS, now })) === null;
}
