import type { Attempt } from "../attempts.ts";
import type { PaymentsContext } from "../context.ts";
import type { CrashPoint } from "../crash-points.ts";
import type { RefundInstruction } from "../provider.ts";
import { NEVER_SENT } from "./explain-refusal.ts";
import { isPostponedTooLong, nextRefundCheck, nextRefundStep, nextTry, takenOver } from "./refund-rules.ts";
import { settleRefund } from "./refund-settle.ts";
import type { Refund } from "./refund-store.ts";
import {
  findDetail,
  findRefund,
  listLostRefunds,
  listRefunds,
  lockAttempt,
  moveRefund,
  scheduleReview,
  setNextCheck,
} from "./refund-store.ts";

export type RefundContext = PaymentsContext & { readonly crash: (point: CrashPoint) => void };
type Taken = { readonly attempt: Attempt; readonly refund: Refund };

/**
 * Advances one refund by a step, if it is due: sends it, or looks it up in the provider's books. Safe in several
 * processes at the same time: each takes what no other holds. `isForced` sends a waiting refund immediately.
 */
export async function advanceRefund(
  context: RefundContext,
  refundId: string,
  { now, isForced = false }: { now: Date; isForced?: boolean },
): Promise<void> {
  const taken = await takeRefund(context, refundId, { now, isForced });
  if (taken === null) return;
  if (taken.refund.state === "submitting") await sendRefund(context, taken);
  else await checkRefund(context, taken, now);
}

/** The refund with its payment, leased to the caller or with its next check set; null if there is nothing to do now. */
async function takeRefund(
  context: RefundContext,
  refundId: string,
  { now, isForced }: { now: Date; isForced: boolean },
): Promise<Taken | null> {
  const { database, subject, settings } = context;
  const { attempt_id } = (await findRefund(database, refundId))!;
  return database.transaction().execute(async (transaction) => {
    const attempt = (await lockAttempt(transaction, attempt_id))!;
    const refund = (await findRefund(transaction, refundId))!;
    const isDue = refund.next_check_at !== null && refund.next_check_at <= now;
    if (refund.state === "requested" && (isDue || isForced)) {
      if (isPostponedTooLong(refund, now)) {
        const reason = refund.provider_status ?? "the payment is disputed";
        const facts = { next_check_at: null };
        const moved = (await moveRefund(transaction, refund, "failed", { now, detail: { reason }, facts }))!;
        await subject.onRefundAlert(transaction, moved, NEVER_SENT + reason);
        return null;
      }
      // During a dispute, a refund could return the same money twice.
      if (attempt.state === "disputed") {
        await setNextCheck(transaction, refund, nextTry(refund, { kind: "too_early" }, now));
        return null;
      }
      const submitting = await moveRefund(transaction, refund, "submitting", {
        now,
        facts: { ...leaseOf(context, refund, now), checks: refund.checks + 1 },
      });
      return { attempt, refund: submitting! };
    }
    if (!isDue) return null;
    await setNextCheck(transaction, refund, nextRefundCheck(refund, now, settings.giveUpMs));
    return { attempt, refund };
  });
}

function leaseOf({ settings, processId }: RefundContext, refund: Refund, now: Date) {
  const lease_until = new Date(now.getTime() + settings.leaseMs);
  return { sends: refund.sends + 1, sent_at: now, lease_until, owner: processId ?? null };
}

/** Asks the provider once and settles the refund by the answer. */
async function sendRefund(context: RefundContext, { attempt, refund }: Taken): Promise<void> {
  const { providers, crash, now } = context;
  const answer = providers[attempt.provider].refund(requestOf(attempt, refund));
  crash("refund_sending");
  const outcome = await answer;
  crash("refund_answered");
  await settleRefund(context, refund, outcome, now());
  crash("refund_settled");
}

async function checkRefund(context: RefundContext, taken: Taken, now: Date): Promise<void> {
  const { attempt, refund } = taken;
  const { database, providers, settings } = context;
  const found = await providers[attempt.provider].findRefund(requestOf(attempt, refund));
  const isAnothers = found.outcome !== null && (await belongsToAnother(context, refund, found.outcome));
  if (found.outcome !== null && !isAnothers) {
    await settleRefund(context, refund, found.outcome, now);
    return;
  }
  if (isAnothers && refund.state === "unknown") await scheduleReview(database, attempt.id, now);
  const detail = (await findDetail(database, refund.id, "last")) as { mayResend?: boolean } | null;
  const { isAuthoritative } = found;
  const step = nextRefundStep(
    // Never resend a refund that the provider has made, whichever one it was matched to.
    { ...refund, sends: isAnothers ? settings.tries : refund.sends },
    { mayResend: detail?.mayResend === true, isAuthoritative },
    { now, ...settings },
  );
  if (step === "wait") return;
  const again = await database.transaction().execute(async (transaction) => {
    await lockAttempt(transaction, attempt.id);
    if (step === "send_again") {
      return moveRefund(transaction, refund, "submitting", { now, facts: leaseOf(context, refund, now) });
    }
    await giveUp(context, transaction, refund, now);
    return null;
  });
  if (again !== null) await sendRefund(context, { attempt, refund: again });
}

/** Whether the found transaction belongs to another refund: lists without references can mix up equal amounts. */
async function belongsToAnother({ database }: RefundContext, refund: Refund, outcome: object): Promise<boolean> {
  if (!("transactionId" in outcome)) return false;
  const refunds = await listRefunds(database, refund.attempt_id);
  return refunds.some((other) => other.id !== refund.id && other.provider_transaction_id === outcome.transactionId);
}

async function giveUp(
  { subject }: RefundContext,
  transaction: Parameters<typeof moveRefund>[0],
  refund: Refund,
  now: Date,
): Promise<void> {
  const reason = "no trace of this refund was found at the provider";
  const moved = await moveRefund(transaction, refund, "failed", {
    now,
    detail: { reason },
    facts: { next_check_at: nextRefundCheck({ ...refund, state: "failed" }, now, 0), provider_status: reason },
  });
  if (moved !== null) await subject.onRefundAlert(transaction, moved, reason);
}

/**
 * Marks refunds as `unknown` if their process died or its lease expired. A dead process's last call may still take
 * effect: the books are read five seconds later, and what they don't show is resent with its key. If the provider takes
 * no keys, nothing is resent or given up before the lease expires.
 */
export async function sweepRefunds(
  { database, providers, settings }: RefundContext,
  dead: readonly number[],
  now: Date,
): Promise<void> {
  for (const lost of await listLostRefunds(database, dead, now)) {
    await database.transaction().execute(async (transaction) => {
      const { provider } = (await lockAttempt(transaction, lost.attempt_id))!;
      const detail = {
        reason: "its process ended before the answer came",
        mayResend: providers[provider].hasRefundKeys,
      };
      const facts = takenOver(lost, { now, giveUpMs: settings.giveUpMs });
      await moveRefund(transaction, lost, "unknown", { now, detail, facts });
    });
  }
}

function requestOf(attempt: Attempt, refund: Refund): RefundInstruction {
  return {
    transactionId: attempt.provider_transaction_id!,
    amountCents: refund.amount_cents,
    currency: attempt.currency,
    isWhole: refund.amount_cents === attempt.amount_cents,
    orderReference: refund.order_reference,
    idempotencyKey: refund.idempotency_key,
  };
}
