import type { Connection } from "#shared/database/connect.ts";
import { count } from "./count.ts";
import { limitKey } from "./limit-key.ts";

const ANSWER_EVERY_SECONDS = 3600;

export type MessageLimits = {
  readonly secretKey: string;
  /** What is counted: each kind has its own count. */
  readonly kind: "message" | "application";
  /** How many messages pass within the window that the first of them opens. */
  readonly perAddress: number;
  readonly perEmail: number;
  readonly windowSeconds: number;
};

type MessageSender = { readonly address: string; readonly email: string };

/**
 * Counts one message or application, by network address and by e-mail address. Null when it may pass; otherwise how long until one may.
 * Belongs in the transaction that keeps the message: what is refused is undone with it, so that only accepted messages
 * count, and messages that come at once are counted one after the other.
 */
export async function countMessage(
  transaction: Connection,
  { address, email }: MessageSender,
  { secretKey, kind, perAddress, perEmail, windowSeconds }: MessageLimits,
  now: Date,
): Promise<{ retryAfterSeconds: number } | null> {
  // Always in this order, so that no two transactions wait for each other.
  const byAddress = limitKey(secretKey, kind, "address", address);
  const byEmail = limitKey(secretKey, kind, "email", email);
  return (
    (await count(transaction, byAddress, { most: perAddress, windowSeconds, now })) ??
    (await count(transaction, byEmail, { most: perEmail, windowSeconds, now }))
  );
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
