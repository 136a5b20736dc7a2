import { randomUUID } from "node:crypto";
import type { Connection } from "#shared/database/connect.ts";
import { type Attempt, moveAttempt } from "../attempts.ts";
import type { PaymentsContext } from "../context.ts";
import type { RefundOutcome } from "../provider.ts";
import { postToLedger } from "../settle.ts";
import type { Subject } from "../subject.ts";
import { nextTry, paidStateAfter, refundStateAfter, roomOf, shareOut } from "./refund-rules.ts";
import type { Refund } from "./refund-store.ts";
import { listCreditsLeft, listRefunds, lockAttempt, moveRefund, scheduleReview } from "./refund-store.ts";

/**
 * Settles a refund by its outcome in one transaction: its move and event, the payment's move, the ledger, and what the
 * subject adds. Settles once: a later caller gets the row that the first one wrote.
 */
export async function settleRefund(
  { database, subject }: Pick<PaymentsContext, "database" | "subject">,
  refund: Refund,
  outcome: RefundOutcome,
  now: Date,
): Promise<Refund> {
  return database.transaction().execute(async (transaction) => {
    const attempt = (await lockAttempt(transaction, refund.attempt_id))!;
    const refunds = await listRefunds(transaction, attempt.id);
    const current = refunds.find(({ id }) => id === refund.id)!;
    if (outcome.kind === "succeeded") {
      return settleMade(transaction, { subject, attempt, refunds, current, outcome, now });
    }
    // If someone else has moved the refund, an answer no longer counts unless money was refunded.
    const to = current.state_version === refund.state_version ? refundStateAfter(current, outcome) : undefined;
    if (to === undefined) return current;
    const mayResend = outcome.kind === "unknown" && outcome.mayResend;
    const moved = (await moveRefund(transaction, current, to, {
      now,
      detail: { reason: outcome.reason, mayResend },
      facts: {
        provider_status: outcome.reason,
        ...("raw" in outcome ? { raw: JSON.stringify(outcome.raw ?? null) } : {}),
        ...(to === "unknown" ? { next_check_at: now } : {}),
        // Nothing was refunded: a new key, or the provider would repeat its old answer.
        ...(to === "requested"
          ? { next_check_at: nextTry(current, outcome, now), idempotency_key: randomUUID(), sends: 0 }
          : {}),
      },
    }))!;
    if (to === "failed") {
      await subject.onRefundAlert(transaction, moved, outcome.reason);
      // The reason may be that somebody has already refunded the charge there.
      await scheduleReview(transaction, attempt.id, now);
    }
    return moved;
  });
}

type Made = {
  readonly subject: Subject;
  readonly attempt: Attempt;
  readonly refunds: readonly Refund[];
  readonly current: Refund;
  readonly outcome: Extract<RefundOutcome, { kind: "succeeded" }>;
  readonly now: Date;
};

async function settleMade(
  transaction: Connection,
  { subject, attempt, refunds, current, outcome, now }: Made,
): Promise<Refund> {
  const { transactionId, status, how, raw } = outcome;
  if (current.state === "succeeded") {
    // A review matched another refund of the same amount to this one: review again to find this one too.
    if (current.provider_transaction_id !== transactionId) await scheduleReview(transaction, attempt.id, now);
    return current;
  }
  if (refunds.some(({ provider_transaction_id }) => provider_transaction_id === transactionId)) {
    if (current.state !== "submitting") return current;
    await scheduleReview(transaction, attempt.id, now);
    const detail = { reason: "its transaction already belongs to another refund", mayResend: false };
    return (await moveRefund(transaction, current, "unknown", { now, detail, facts: { next_check_at: now } }))!;
  }
  if (current.state === "failed" && roomOf(attempt.amount_cents, refunds) < current.amount_cents) {
    await subject.onRefundAlert(transaction, current, "it was made after it had been given up, as well as another one");
    return current;
  }
  const proof = { transactionId, status, how, raw };
  return (await recordMadeRefund(transaction, { subject, attempt, current, proof, now })).refund;
}

type RefundProof = {
  readonly transactionId: string;
  readonly status: string;
  readonly how: "refund" | "void";
  readonly raw?: unknown;
};

/** Moves a refund to `succeeded` and books it. The payment must be locked. */
export async function recordMadeRefund(
  transaction: Connection,
  {
    subject,
    attempt,
    current,
    proof,
    now,
  }: { subject: Subject; attempt: Attempt; current: Refund; proof: RefundProof; now: Date },
): Promise<{ attempt: Attempt; refund: Refund }> {
  const { transactionId, status, how, raw } = proof;
  const refund = await moveRefund(transaction, current, "succeeded", {
    now,
    facts: {
      kind: how,
      provider_transaction_id: transactionId,
      provider_status: status,
      ...(raw === undefined ? {} : { raw: JSON.stringify(raw) }),
    },
  });
  if (refund === null) throw new Error(`Refund ${current.id} was moved although its payment was locked.`);
  return { attempt: await bookRefund(transaction, { subject, attempt, refund, now }), refund };
}

/** Books a succeeded refund: its payment, the ledger and the subject. The payment must be locked. */
export async function bookRefund(
  transaction: Connection,
  {
    subject,
    attempt,
    refund,
    now,
  }: { subject: Pick<Subject, "onRefunded">; attempt: Attempt; refund: Refund; now: Date },
): Promise<Attempt> {
  const to = paidStateAfter(attempt, await listRefunds(transaction, attempt.id));
  // A dispute stays open while anything is left.
  const moved = to === "disputed" ? attempt : await moveAttempt(transaction, attempt, to, { actor: "refund", now });
  if (moved === null) throw new Error(`Payment ${attempt.id} was moved although it was locked.`);
  const debits = shareOut(refund.amount_cents, await listCreditsLeft(transaction, attempt.id));
  const credit = { account: `receivable:${attempt.provider}`, cents: -refund.amount_cents };
  await postToLedger(transaction, { attemptId: attempt.id, refundId: refund.id }, [...debits, credit], now);
  await subject.onRefunded(transaction, moved, refund, now);
  return moved;
}
