import type { Connection } from "#shared/database/connect.ts";
import { dayInSydney } from "#shared/language.ts";
import type { Attempt } from "../attempts.ts";
import type { Providers } from "../provider.ts";
import type { Subject } from "../subject.ts";
import { judgeRefund, keptOf } from "./refund-rules.ts";
import { bookRefund } from "./refund-settle.ts";
import { insertRefund, listRefunds, lockAttempt } from "./refund-store.ts";
import type { RefundReply } from "./request-refund.ts";

/**
 * Whether the provider has no charge, made or pending, for a payment that our books call paid. @throws Error if its
 * books can't be read now.
 */
export async function isChargeMissing(providers: Providers, attempt: Attempt): Promise<boolean> {
  const provider = providers[attempt.provider];
  const { outcomes } = await provider.findByOrderReference(attempt.order_reference);
  if (outcomes.some(({ kind }) => kind !== "declined")) return false;
  const { provider_transaction_id: transactionId } = attempt;
  if (transactionId === null) return true;
  const rows = (await provider.findPayment({ transactionId, day: dayInSydney(attempt.created_at) })) ?? [];
  return rows.every(({ type, status }) => type === "refund" || status === "declined" || status === "voided");
}

type Reversal = {
  readonly attemptId: string;
  /** All that is left of the payment. */
  readonly amountCents: number;
  readonly requestKey: string;
  readonly reason: string;
};

/**
 * Reverses a payment without a charge, in the caller's transaction, which locks the payment: the ledger's entries are
 * taken back as by a full refund, and the subject voids the receipt or cancels the tickets. No provider is called.
 * Refuses while a refund is open, or if `amountCents` is not all that is left.
 */
export async function reversePayment(
  transaction: Connection,
  subject: Pick<Subject, "onRefunded">,
  { attemptId, amountCents, requestKey, reason }: Reversal,
  now: Date,
): Promise<RefundReply> {
  const attempt = await lockAttempt(transaction, attemptId);
  if (attempt === undefined) return { ok: false, problem: "not_paid", leftCents: 0 };
  const refunds = await listRefunds(transaction, attemptId);
  const judged = judgeRefund(attempt, refunds, null);
  if (!judged.ok) return judged;
  const leftCents = judged.amountCents;
  const isOpen = keptOf(attempt.amount_cents, refunds) !== leftCents;
  if (isOpen || amountCents !== leftCents) return { ok: false, problem: "too_much", leftCents };
  const refund = await insertRefund(transaction, {
    attempt,
    amountCents,
    requestKey,
    requestedBy: "staff",
    reason,
    now,
    made: {
      kind: "reversal",
      transactionId: attempt.provider_transaction_id ?? attempt.order_reference,
      status: "not charged",
    },
  });
  if (refund === null) return { ok: false, problem: "key_reused", leftCents };
  await bookRefund(transaction, { subject, attempt, refund, now });
  return { ok: true, refund, isNew: true };
}
