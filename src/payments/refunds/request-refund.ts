import type { Connection } from "#shared/database/connect.ts";
import { judgeRefund, roomOf } from "./refund-rules.ts";
import type { Refund } from "./refund-store.ts";
import { findDetail, findRefundByKey, insertRefund, listRefunds, lockAttempt } from "./refund-store.ts";

/** Repeating a request with the same `requestKey` returns the same refund. */
export type RequestedRefund = {
  readonly attemptId: string;
  /** Null for all that is left. */
  readonly amountCents: number | null;
  readonly requestKey: string;
  readonly requestedBy: "staff" | "system";
  readonly reason: string;
};

export type RefundReply =
  | { readonly ok: true; readonly refund: Refund; readonly isNew: boolean }
  /** `leftCents` is what could still be refunded. A disputed payment counts as not paid until that is decided. */
  | {
      readonly ok: false;
      readonly problem: "not_paid" | "nothing_left" | "too_much" | "key_reused";
      readonly leftCents: number;
    };

/**
 * Records a refund in the caller's transaction, which locks the payment; the next tick sends it. Never allows more than
 * is left of the payment.
 * @throws RangeError if the amount is not a whole number of cents above zero.
 */
export async function requestRefund(
  transaction: Connection,
  requested: RequestedRefund,
  now: Date,
): Promise<RefundReply> {
  const { attemptId, amountCents, requestKey, requestedBy, reason } = requested;
  if (amountCents !== null && !(Number.isSafeInteger(amountCents) && amountCents > 0)) {
    throw new RangeError("A refund is a whole number of cents above zero.");
  }
  const attempt = await lockAttempt(transaction, attemptId);
  if (attempt === undefined) return { ok: false, problem: "not_paid", leftCents: 0 };
  const refunds = await listRefunds(transaction, attemptId);
  let earlier = await findRefundByKey(transaction, requestKey);
  if (earlier === undefined) {
    const judged = judgeRefund(attempt, refunds, amountCents);
    if (!judged.ok) return judged;
    const facts = { attempt, amountCents: judged.amountCents, requestKey, requestedBy, reason, now };
    const refund = await insertRefund(transaction, { ...facts, detail: { requestedCents: amountCents } });
    if (refund !== null) return { ok: true, refund, isNew: true };
    // Another payment's refund has taken the key in the meantime.
    earlier = (await findRefundByKey(transaction, requestKey))!;
  }
  const { requestedCents } = ((await findDetail(transaction, earlier.id, "first")) ?? {}) as {
    requestedCents?: number | null;
  };
  return earlier.attempt_id === attemptId && requestedCents === amountCents
    ? { ok: true, refund: earlier, isNew: false }
    : { ok: false, problem: "key_reused", leftCents: roomOf(attempt.amount_cents, refunds) };
}
