import type { Connection } from "#shared/database/connect.ts";
import { type Attempt, moveAttempt } from "../attempts.ts";
import type { PaymentsContext } from "../context.ts";
import type { ProviderTransaction } from "../provider.ts";
import { isPaid } from "../states.ts";
import type { RefundKind } from "../tables.ts";
import { planReview, type ReviewStep } from "./refund-plan.ts";
import { stateAfterDispute } from "./refund-rules.ts";
import { bookRefund, recordMadeRefund } from "./refund-settle.ts";
import { findRefund, insertRefund, listRefunds, lockAttempt, moveRefund, scheduleReview } from "./refund-store.ts";

/** What a review changed. `reference` is the refund's order reference, or the payment's. */
export type Reviewed = {
  readonly kind: RefundKind | "refund_dropped" | "dispute_opened" | "dispute_won";
  readonly reference: string;
  readonly cents: number;
};

/** How soon a review that an open refund blocks is repeated. */
const WAIT_MS = 60_000;

type Reviewing = Pick<PaymentsContext, "database" | "subject" | "log">;

/**
 * Brings one payment's books in line with the provider's: refunds, voids, reversals and disputes. Runs in one
 * transaction with the payment locked, so several processes may call it at the same time or again; does nothing if the
 * books agree. Returns what it did.
 */
export async function review(
  context: Reviewing,
  attempt: Pick<Attempt, "id">,
  transactions: readonly ProviderTransaction[],
  now: Date,
): Promise<Reviewed[]> {
  return context.database.transaction().execute(async (transaction) => {
    let current = (await lockAttempt(transaction, attempt.id))!;
    if (!isPaid(current.state)) return [];
    const steps = planReview(current, await listRefunds(transaction, current.id), transactions);
    const done: Reviewed[] = [];
    for (const step of steps) {
      const result = await take(context, transaction, current, step, now);
      current = result.attempt;
      if (result.done !== undefined) done.push(result.done);
    }
    return done;
  });
}

async function take(
  { subject, log }: Reviewing,
  transaction: Connection,
  attempt: Attempt,
  step: ReviewStep,
  now: Date,
): Promise<{ attempt: Attempt; done?: Reviewed }> {
  switch (step.do) {
    case "confirm": {
      const ours = (await findRefund(transaction, step.refundId))!;
      const proof = { ...step.proof, how: step.how };
      const { refund, ...moved } = await recordMadeRefund(transaction, { subject, attempt, current: ours, proof, now });
      return { ...moved, done: { kind: step.how, reference: refund.order_reference, cents: refund.amount_cents } };
    }
    case "add":
      return add({ subject }, transaction, attempt, step, now);
    case "drop": {
      const reason = "the provider has already refunded the money";
      const ours = (await findRefund(transaction, step.refundId))!;
      const facts = { provider_status: reason };
      const dropped = (await moveRefund(transaction, ours, "failed", { now, detail: { reason }, facts }))!;
      await subject.onRefundAlert(transaction, dropped, reason);
      const { order_reference: reference, amount_cents: cents } = dropped;
      return { attempt, done: { kind: "refund_dropped", reference, cents } };
    }
    case "dispute": {
      const moved = await move(transaction, attempt, "disputed", now);
      await subject.onAlert(transaction, moved, "the payer disputes this payment");
      return { attempt: moved, done: disputed(moved, "dispute_opened") };
    }
    case "win": {
      const to = stateAfterDispute(attempt, await listRefunds(transaction, attempt.id));
      const moved = await move(transaction, attempt, to, now);
      return { attempt: moved, done: disputed(moved, "dispute_won") };
    }
    case "alert":
      log.error({ attempt: attempt.id, reason: step.reason }, "a payment needs checking");
      await subject.onAlert(transaction, attempt, step.reason);
      return { attempt };
    case "wait":
      await scheduleReview(transaction, attempt.id, new Date(now.getTime() + WAIT_MS));
      return { attempt };
  }
}

/** Books a refund that the provider made without our request. */
async function add(
  { subject }: Pick<Reviewing, "subject">,
  transaction: Connection,
  attempt: Attempt,
  { kind, cents, proof }: Extract<ReviewStep, { do: "add" }>,
  now: Date,
): Promise<{ attempt: Attempt; done?: Reviewed }> {
  const refund = await insertRefund(transaction, {
    attempt,
    amountCents: cents,
    requestKey: `${attempt.provider}:${kind}:${proof.transactionId}`,
    requestedBy: "provider",
    reason: reasons[kind],
    now,
    made: { kind, ...proof },
  });
  if (refund === null) return { attempt };
  const moved = await bookRefund(transaction, { subject, attempt, refund, now });
  return { attempt: moved, done: { kind, reference: refund.order_reference, cents } };
}

const reasons: Record<RefundKind, string> = {
  refund: "Refunded at the provider",
  void: "Voided at the provider",
  reversal: "The provider couldn’t collect the payment",
  chargeback: "A dispute was lost",
};

async function move(transaction: Connection, attempt: Attempt, to: Attempt["state"], now: Date): Promise<Attempt> {
  const moved = await moveAttempt(transaction, attempt, to, { actor: "reconciler", now });
  if (moved === null) throw new Error(`Payment ${attempt.id} was moved although it was locked.`);
  return moved;
}

function disputed(attempt: Attempt, kind: "dispute_opened" | "dispute_won"): Reviewed {
  return { kind, reference: attempt.order_reference, cents: attempt.amount_cents };
}
