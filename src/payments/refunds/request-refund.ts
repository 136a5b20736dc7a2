import type { Connection } from "#shared/database/connect.ts";
import { judgeWish, roomOf } from "./refund-rules.ts";
import type { Refund } from "./refund-store.ts";
import { findDetail, findRefundByKey, insertRefund, listRefunds, lockAttempt } from "./refund-store.ts";

/** `requestKey` names the wish: asked for again with the same key, the same refund is answered. */
export type RefundWish = {
  readonly attemptId: string;
  /** Null for all that is left. */
  readonly amountCents: number | null;
  readonly requestKey: string;
  readonly requestedBy: "staff" | "system";
  readonly reason: string;
};

export type RefundReply =
  | { readonly ok: true; readonly refund: Refund }
  /** `leftCents` is what could still be given back. A payment in dispute counts as not paid until that is decided. */
  | {
      readonly ok: false;
      readonly problem: "not_paid" | "nothing_left" | "too_much" | "key_reused";
      readonly leftCents: number;
    };

/**
 * Records a refund in the caller's transaction, which locks the payment; the next tick sends it. Never grants more than
 * is left of the payment.
 * @throws RangeError for an amount that is not a whole number of cents above zero.
 */
export async function requestRefund(transaction: Connection, wish: RefundWish, now: Date): Promise<RefundReply> {
  const { attemptId, amountCents, requestKey, requestedBy, reason } = wish;
  if (amountCents !== null && !(Number.isSafeInteger(amountCents) && amountCents > 0)) {
    throw new RangeError("A refund is a whole number of cents above zero.");
  }
  const attempt = await lockAttempt(transaction, attemptId);
  if (attempt === undefined) return { ok: false, problem: "not_paid", leftCents: 0 };
  const refunds = await listRefunds(transaction, attemptId);
  let earlier = await findRefundByKey(transaction, requestKey);
  if (earlier === undefined) {
    const judged = judgeWish(attempt, refunds, amountCents);
    if (!judged.ok) return judged;
    const facts = { attempt, amountCents: judged.amountCents, requestKey, requestedBy, reason, now };
    const refund = await insertRefund(transaction, { ...facts, detail: { wantedCents: amountCents } });
    if (refund !== null) return { ok: true, refund };
    // Another payment's refund took the key meanwhile.
    earlier = (await findRefundByKey(transaction, requestKey))!;
  }
  const { wantedCents } = ((await findDetail(transaction, earlier.id, "first")) ?? {}) as {
    wantedCents?: number | null;
  };
  return earlier.attempt_id === attemptId && wantedCents === amountCents
    ? { ok: true, refund: earlier }
    : { ok: false, problem: "key_reused", leftCents: roomOf(attempt.amount_cents, refunds) };
}
