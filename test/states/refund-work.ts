import type { ProviderTransaction, RefundInstruction, RefundOutcome } from "#payments/provider.ts";
import type { ReviewStep } from "#payments/refunds/refund-plan.ts";
import { booksAway } from "./bank.ts";
import { minute, settings } from "./rules.ts";
import type { AttemptRow, ModelRefund } from "./store.ts";
import type { RunningWork, Work, World } from "./world.ts";

/** `refunds.ts`: records a request, or finds an earlier one; returns whether it was granted. */
export function requestRefund(
  world: World,
  attemptId: string,
  requestKey: string,
  amountCents: number | null,
): boolean {
  const { store, rules } = world;
  const attempt = store.attempts.get(attemptId)!;
  const refunds = store.listRefunds(attemptId);
  if (refunds.some(({ request_key }) => request_key === requestKey)) return true;
  const judged = rules.judgeRefund(attempt, refunds, amountCents);
  if (!judged.ok) return false;
  const row = newRefund(world, attempt, { requestKey, amountCents: judged.amountCents });
  return store.insertRefund(row, "refund_requested") !== null;
}

function newRefund(
  world: World,
  attempt: AttemptRow,
  { requestKey, amountCents, made }: { requestKey: string; amountCents: number; made?: Partial<ModelRefund> },
): ModelRefund {
  const id = world.store.newId("refund-");
  return {
    id,
    attempt_id: attempt.id,
    kind: "refund",
    request_key: requestKey,
    order_reference: `R-${id}`,
    idempotency_key: `key-${id}`,
    amount_cents: amountCents,
    state: "requested",
    state_version: 1,
    provider_transaction_id: null,
    sends: 0,
    lease_until: null,
    owner: null,
    sent_at: null,
    next_check_at: world.now(),
    checks: 0,
    settled_at: null,
    created_at: world.now(),
    mayResend: false,
    ...made,
  };
}

/** `refund-send.ts`: lost refunds become unknown, and due ones are sent or looked up. */
export function claimDueRefunds(world: World): RunningWork[] {
  const { store, rules, processes, random, banks, giveUpMs } = world;
  const now = world.now();
  for (const refund of store.refunds.values()) {
    const isFree = refund.lease_until !== null && refund.lease_until < now;
    const isDead = !processes.includes(refund.owner!) || random.isHit(0.1);
    if (refund.state !== "submitting" || !(isFree || isDead)) continue;
    const { provider } = store.attempts.get(refund.attempt_id)!;
    const facts = rules.takenOver(refund, { now, giveUpMs });
    store.moveRefund(refund, "unknown", now, { ...facts, mayResend: banks[provider].hasRefundKeys });
  }
  const due = [...store.refunds.values()].filter(({ next_check_at }) => next_check_at !== null && next_check_at <= now);
  return due.map(({ id }) => {
    const server = random.below(2);
    return { server, work: advanceRefund(world, id, { now, server }) };
  });
}

type Turn = { readonly now: Date; readonly server: number };

function* advanceRefund(world: World, id: string, turn: Turn): Work {
  yield;
  const taken = take(world, id, turn);
  if (taken === null) return;
  yield;
  if (taken.state === "submitting") yield* send(world, taken);
  else yield* checkRefund(world, taken, turn);
}

function take(world: World, id: string, { now, server }: Turn): ModelRefund | null {
  const { store, rules } = world;
  const refund = store.refunds.get(id)!;
  const attempt = store.attempts.get(refund.attempt_id)!;
  if (refund.next_check_at === null || refund.next_check_at > now) return null;
  if (refund.state === "requested") {
    if (rules.isPostponedTooLong(refund, now)) {
      store.moveRefund(refund, "failed", now, {});
      return null;
    }
    if (attempt.state === "disputed") {
      const next = rules.nextTry(refund, { kind: "too_early" }, now);
      store.setRefund(id, { next_check_at: next, checks: refund.checks + 1 });
      return null;
    }
    return store.moveRefund(refund, "submitting", now, {
      ...leaseOf(world, refund, { now, server }),
      checks: refund.checks + 1,
    });
  }
  store.setRefund(id, {
    next_check_at: rules.nextRefundCheck(refund, now, world.giveUpMs),
    checks: refund.checks + 1,
  });
  return refund;
}

function leaseOf({ processes }: World, refund: ModelRefund, { now, server }: Turn): Partial<ModelRefund> {
  const lease_until = new Date(now.getTime() + settings.leaseMs);
  return { sends: refund.sends + 1, sent_at: now, lease_until, owner: processes[server]! };
}

function* send(world: World, refund: ModelRefund): Work {
  const attempt = world.store.attempts.get(refund.attempt_id)!;
  const outcome = world.banks[attempt.provider].refund(requestOf(attempt, refund), world.now().getTime());
  yield;
  settleRefund(world, refund, outcome, world.now());
}

function* checkRefund(world: World, refund: ModelRefund, { now, server }: Turn): Work {
  const { store, rules, giveUpMs } = world;
  const attempt = store.attempts.get(refund.attempt_id)!;
  try {
    const found = world.banks[attempt.provider].findRefund(requestOf(attempt, refund), now.getTime());
    yield;
    const { outcome, isAuthoritative } = found;
    if (outcome !== null && !belongsToAnother(world, refund, outcome)) {
      settleRefund(world, refund, outcome, now);
      return;
    }
    const { mayResend } = store.refunds.get(refund.id)!;
    const terms = { now, giveUpMs, leaseMs: settings.leaseMs, tries: settings.tries };
    const step = rules.nextRefundStep(refund, { mayResend, isAuthoritative }, terms);
    if (step === "give_up") {
      const next = rules.nextRefundCheck({ ...refund, state: "failed" }, now, 0);
      if (store.moveRefund(refund, "failed", now, { next_check_at: next }) !== null) store.alerted.add(attempt.id);
    }
    if (step !== "send_again") return;
    const key = rules.keepsRefundKey ? refund.idempotency_key : store.newId("key-");
    const lease = leaseOf(world, refund, { now, server });
    const again = store.moveRefund(refund, "submitting", now, { ...lease, idempotency_key: key });
    yield;
    if (again !== null) yield* send(world, again);
  } catch (error) {
    if (error !== booksAway) throw error;
  }
}

function belongsToAnother({ store }: World, refund: ModelRefund, outcome: RefundOutcome): boolean {
  if (!("transactionId" in outcome)) return false;
  return store
    .listRefunds(refund.attempt_id)
    .some((other) => other.id !== refund.id && other.provider_transaction_id === outcome.transactionId);
}

/** `refund-settle.ts`, in one transaction. */
function settleRefund(world: World, refund: ModelRefund, outcome: RefundOutcome, now: Date) {
  const { store, rules } = world;
  const attempt = store.attempts.get(refund.attempt_id)!;
  const current = store.refunds.get(refund.id)!;
  if (outcome.kind === "succeeded") {
    settleMade(world, attempt, current, outcome, now);
    return;
  }
  const to = current.state_version === refund.state_version ? rules.refundStateAfter(current, outcome) : undefined;
  if (to === undefined) return;
  const isNew = to === "requested";
  store.moveRefund(current, to, now, {
    mayResend: outcome.kind === "unknown" && outcome.mayResend,
    ...(to === "unknown" ? { next_check_at: now } : {}),
    ...(isNew
      ? { next_check_at: rules.nextTry(current, outcome, now), sends: 0, idempotency_key: store.newId("key-") }
      : {}),
  });
}

function settleMade(
  world: World,
  attempt: AttemptRow,
  current: ModelRefund,
  { transactionId, how }: Extract<RefundOutcome, { kind: "succeeded" }>,
  now: Date,
) {
  const { store, rules } = world;
  const refunds = store.listRefunds(attempt.id);
  if (current.state === "succeeded") {
    if (current.provider_transaction_id !== transactionId) world.checkAt(attempt.id, now);
    return;
  }
  if (refunds.some(({ provider_transaction_id }) => provider_transaction_id === transactionId)) {
    if (current.state !== "submitting") return;
    world.checkAt(attempt.id, now);
    store.moveRefund(current, "unknown", now, { next_check_at: now });
    return;
  }
  if (current.state === "failed" && rules.roomOf(attempt.amount_cents, refunds) < current.amount_cents) {
    store.alerted.add(attempt.id);
    return;
  }
  make(world, attempt, current, { how, transactionId }, now);
}

function make(
  { store }: World,
  attempt: AttemptRow,
  refund: ModelRefund,
  { how, transactionId }: { how: "refund" | "void"; transactionId: string },
  now: Date,
): AttemptRow {
  const made = store.moveRefund(refund, "succeeded", now, { kind: how, provider_transaction_id: transactionId })!;
  return store.bookRefund(attempt, made, now);
}

/** `review.ts`: carries out what `planReview` plans, in one transaction. */
export function review(world: World, attemptId: string, transactions: readonly ProviderTransaction[], now: Date) {
  const { store, rules } = world;
  let attempt = store.attempts.get(attemptId)!;
  if (!rules.isPaid(attempt.state)) return;
  for (const step of rules.planReview(attempt, store.listRefunds(attemptId), transactions)) {
    attempt = follow(world, attempt, step, now);
  }
}

function follow(world: World, attempt: AttemptRow, step: ReviewStep, now: Date): AttemptRow {
  const { store, rules } = world;
  switch (step.do) {
    case "confirm": {
      const { transactionId } = step.proof;
      return make(world, attempt, store.refunds.get(step.refundId)!, { how: step.how, transactionId }, now);
    }
    case "add": {
      const { kind, cents, proof } = step;
      const made = { kind, state: "succeeded", next_check_at: null, settled_at: now } as const;
      const row = newRefund(world, attempt, {
        requestKey: `${attempt.provider}:${kind}:${proof.transactionId}`,
        amountCents: cents,
        made: { ...made, provider_transaction_id: proof.transactionId },
      });
      const refund = store.insertRefund(row, "refund_found");
      return refund === null ? attempt : store.bookRefund(attempt, refund, now);
    }
    case "drop":
      store.moveRefund(store.refunds.get(step.refundId)!, "failed", now, {});
      return attempt;
    case "dispute":
      return store.moveAttempt(attempt, "disputed", { now })!;
    case "win":
      return store.moveAttempt(attempt, rules.stateAfterDispute(attempt, store.listRefunds(attempt.id)), { now })!;
    case "alert":
      store.alerted.add(attempt.id);
      return attempt;
    case "wait":
      world.checkAt(attempt.id, new Date(now.getTime() + minute));
      return attempt;
  }
}

function requestOf(attempt: AttemptRow, refund: ModelRefund): RefundInstruction {
  return {
    transactionId: attempt.provider_transaction_id!,
    amountCents: refund.amount_cents,
    currency: attempt.currency,
    isWhole: refund.amount_cents === attempt.amount_cents,
    orderReference: refund.order_reference,
    idempotencyKey: refund.idempotency_key,
  };
}
