import type { Attempt } from "../attempts.ts";
import type { PaymentsContext } from "../context.ts";
import type { CrashPoint } from "../crash-points.ts";
import type { RefundRequest } from "../provider.ts";
import { isPostponedTooLong, nextRefundLook, nextRefundStep, nextTry, takenOver } from "./refund-rules.ts";
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
  setNextLook,
} from "./refund-store.ts";

export type RefundContext = PaymentsContext & { readonly crash: (point: CrashPoint) => void };
type Taken = { readonly attempt: Attempt; readonly refund: Refund };

/**
 * Brings one refund a step further, where its time has come: sends it, or looks for it in the provider's books. Any
 * number of processes may do so: each takes what no other holds. With `isForced` a refund that waits is sent at once.
 */
export async function advanceRefund(
  context: RefundContext,
  refundId: string,
  { now, isForced = false }: { now: Date; isForced?: boolean },
): Promise<void> {
  const taken = await takeRefund(context, refundId, { now, isForced });
  if (taken === null) return;
  if (taken.refund.state === "submitting") await sendRefund(context, taken);
  else await lookForRefund(context, taken, now);
}

/** The refund with its payment, leased to the caller or noted as looked at; null where there is nothing to do now. */
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
        await subject.onRefundTrouble(transaction, moved, `it could not be sent for days: ${reason}`);
        return null;
      }
      // While the payer's bank decides, a refund could give the same money back twice.
      if (attempt.state === "disputed") {
        await setNextLook(transaction, refund, nextTry(refund, { kind: "too_early" }, now));
        return null;
      }
      const submitting = await moveRefund(transaction, refund, "submitting", {
        now,
        facts: { ...leaseOf(context, refund, now), checks: refund.checks + 1 },
      });
      return { attempt, refund: submitting! };
    }
    if (!isDue) return null;
    await setNextLook(transaction, refund, nextRefundLook(refund, now, settings.giveUpMs));
    return { attempt, refund };
  });
}

function leaseOf({ settings, processId }: RefundContext, refund: Refund, now: Date) {
  const lease_until = new Date(now.getTime() + settings.leaseMs);
  return { sends: refund.sends + 1, sent_at: now, lease_until, owner: processId ?? null };
}

/** Asks the provider, once, and takes the answer onto the books. */
async function sendRefund(context: RefundContext, { attempt, refund }: Taken): Promise<void> {
  const { providers, crash, now } = context;
  const answer = providers[attempt.provider].refund(requestOf(attempt, refund));
  crash("refund_sending");
  const outcome = await answer;
  crash("refund_answered");
  await settleRefund(context, refund, outcome, now());
  crash("refund_settled");
}

async function lookForRefund(context: RefundContext, taken: Taken, now: Date): Promise<void> {
  const { attempt, refund } = taken;
  const { database, providers, settings } = context;
  const found = await providers[attempt.provider].findRefund(requestOf(attempt, refund));
  const isAnothers = found.outcome !== null && (await standsForAnother(context, refund, found.outcome));
  if (found.outcome !== null && !isAnothers) {
    await settleRefund(context, refund, found.outcome, now);
    return;
  }
  if (isAnothers && refund.state === "unknown") await scheduleReview(database, attempt.id, now);
  const detail = (await findDetail(database, refund.id, "last")) as { mayResend?: boolean } | null;
  const { isAuthoritative } = found;
  const step = nextRefundStep(
    // What the provider has made is never sent again, whichever refund it was taken for.
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

/** Whether what was found is on the books as another refund: a list without references cannot tell two of one amount. */
async function standsForAnother({ database }: RefundContext, refund: Refund, outcome: object): Promise<boolean> {
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
    facts: { next_check_at: nextRefundLook({ ...refund, state: "failed" }, now, 0), provider_status: reason },
  });
  if (moved !== null) await subject.onRefundTrouble(transaction, moved, reason);
}

/**
 * Refunds whose process has died, or did not come back before its lease ended, become `unknown`, to be asked about. A call
 * of a dead process may still be carried out: five seconds later the books are read, and what they do not show is sent
 * again under its key. Where the provider takes no keys it is neither sent nor given up before the lease is over.
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

function requestOf(attempt: Attempt, refund: Refund): RefundRequest {
  return {
    transactionId: attempt.provider_transaction_id!,
    amountCents: refund.amount_cents,
    currency: attempt.currency,
    isWhole: refund.amount_cents === attempt.amount_cents,
    orderReference: refund.order_reference,
    idempotencyKey: refund.idempotency_key,
  };
}
