import type { ChargeOutcome } from "#payments/provider.ts";
import { booksAway } from "./bank.ts";
import { settings } from "./rules.ts";
import type { AttemptRow } from "./store.ts";
import type { Work, World } from "./world.ts";

/**
 * The work of `payments.ts`, `send.ts`, `authenticate.ts` and `reconcile.ts`, split where production waits: at each `yield`
 * other work may run, or a crash may end it.
 */
export function* submit(world: World, attempt: AttemptRow, server: number): Work {
  yield;
  if (attempt.state === "submitting") yield* charge(world, attempt);
  else yield* askBank(world, attempt, { isAbandoned: false, server });
}

/** The payer has answered the bank's challenge, or closed it. */
export function* resume(world: World, id: string, by: Resumer): Work {
  const attempt = world.store.attempts.get(id)!;
  if (attempt.state === "requires_action") yield* askBank(world, attempt, by);
}

type Resumer = { readonly isAbandoned: boolean; readonly server: number };

function* askBank(world: World, attempt: AttemptRow, { isAbandoned, server }: Resumer): Work {
  const { store, rules } = world;
  const end = new Date(attempt.created_at.getTime() + rules.instrumentLifeMs);
  const isOver = attempt.state === "requires_action" && (world.now() >= end || attempt.instrument === null);
  const answer = isOver ? null : world.askCardsBank(attempt);
  yield;
  const asking = { unavailableMaximumCents: settings.unavailableMaximumCents, isAbandoned };
  const verdict = isOver ? "cancel" : rules.decideAuthentication(answer, attempt, asking);
  const to = ({ charge: "submitting", ask: "requires_action", cancel: "cancelled" } as const)[verdict];
  if (to === attempt.state) return;
  const now = world.now();
  const lease = { charge: new Date(now.getTime() + settings.leaseMs), ask: end, cancel: null }[verdict];
  const moved = store.moveAttempt(attempt, to, {
    now,
    authentication: answer,
    leaseUntil: lease,
    owner: world.processes[server]!,
  });
  yield;
  if (moved?.state === "submitting") yield* charge(world, moved);
}

function* charge(world: World, attempt: AttemptRow): Work {
  const { rules, store } = world;
  const notSentInTime = { kind: "unknown", reason: "", mayResend: true } as const;
  let outcome: ChargeOutcome = rules.isLate(attempt, world.now()) ? notSentInTime : callProvider(world, attempt);
  yield;
  if (rules.mayTryAgain(outcome) && attempt.sends < settings.tries) {
    world.pass(600);
    if (countSend(world, attempt)) {
      const second = callProvider(world, attempt);
      yield;
      outcome = rules.combineOutcomes(outcome, second);
    }
  }
  store.settle(attempt, outcome, world.now());
}

function callProvider(world: World, attempt: AttemptRow) {
  return world.banks[attempt.provider].charge(
    {
      instrument: attempt.token,
      amountCents: attempt.amount_cents,
      orderReference: attempt.order_reference,
      idempotencyKey: attempt.idempotency_key,
    },
    world.now().getTime(),
  );
}

function countSend({ store, rules, now, giveUpMs }: World, attempt: AttemptRow): boolean {
  const current = store.attempts.get(attempt.id)!;
  const isFresh = current.created_at.getTime() > now().getTime() - rules.instrumentLifeMs;
  if (current.sends !== attempt.sends || current.state !== attempt.state || current.instrument === null || !isFresh)
    return false;
  const lease = attempt.state === "unknown" ? { lease_until: new Date(now().getTime() + giveUpMs) } : {};
  store.setAttempt(attempt.id, { sends: attempt.sends + 1, ...lease });
  return true;
}

/**
 * `sweep.ts`: work without a living owner becomes lost or ends, and old card tokens are deleted. Sometimes a living process
 * counts as dead, because it has lost its connection to the database.
 */
export function sweep({ store, rules, now, processes, random, giveUpMs }: World) {
  const at = now();
  for (const attempt of store.attempts.values()) {
    const isOver = attempt.lease_until !== null && attempt.lease_until < at;
    const isDead = !processes.includes(attempt.owner!) || random.isHit(0.1);
    if (attempt.state === "submitting" && (isOver || isDead)) {
      const end = Math.min(attempt.lease_until?.getTime() ?? 0, at.getTime() + giveUpMs);
      store.moveAttempt(attempt, "unknown", { now: at, leaseUntil: isOver ? null : new Date(end) });
    }
    if (
      isOver
        ? attempt.state === "created" || attempt.state === "requires_action"
        : isDead && attempt.state === "created"
    ) {
      store.moveAttempt(attempt, "cancelled", { now: at });
    }
    const isOld = attempt.created_at.getTime() < at.getTime() - rules.instrumentLifeMs;
    if (isOld && attempt.instrument !== null) store.setAttempt(attempt.id, { instrument: null });
  }
}

/** `reconcile.ts`: claims what is due by moving its next check, and looks up each. */
export function claimDue(world: World): Work[] {
  const { store, rules } = world;
  const now = world.now();
  const due = [...store.attempts.values()].filter(
    ({ next_check_at }) => next_check_at !== null && next_check_at <= now,
  );
  return due.map((attempt) => {
    store.setAttempt(attempt.id, {
      next_check_at: rules.nextCheck(attempt, now, world.giveUpMs),
      checks: attempt.checks + 1,
    });
    return look(world, attempt, now);
  });
}

function* look(world: World, attempt: AttemptRow, now: Date): Work {
  const { store, rules } = world;
  yield;
  try {
    if (rules.isPaid(attempt.state)) yield* checkPaidAttempt(world, attempt, now);
    else if (attempt.state !== "created" && attempt.state !== "requires_action")
      yield* checkOpenAttempt(world, attempt, now);
  } catch (error) {
    if (error !== booksAway) throw error;
    return;
  }
  if (rules.isOpen(attempt.state) || attempt.state === "not_found") return;
  const current = store.attempts.get(attempt.id)!;
  const asked = rules.nextCheck(attempt, now, world.giveUpMs);
  if (current.next_check_at?.getTime() === asked?.getTime()) store.setAttempt(attempt.id, { next_check_at: null });
}

function* checkPaidAttempt(world: World, attempt: AttemptRow, now: Date): Work {
  const transactions = world.banks[attempt.provider].findPayment(attempt.provider_transaction_id!);
  yield;
  if (transactions === null) world.store.alerted.add(attempt.id);
  else world.review(attempt.id, transactions, now);
}

function* checkOpenAttempt(world: World, attempt: AttemptRow, now: Date): Work {
  const { store, rules, giveUpMs } = world;
  const found = world.banks[attempt.provider].findByOrderReference(attempt.order_reference, now.getTime());
  yield;
  const { outcome, alerts } = rules.decide(attempt, found);
  if (alerts.length > 0) store.alerted.add(attempt.id);
  if (outcome !== null) {
    store.settle(attempt, outcome, now);
    return;
  }
  const step = rules.nextStep(attempt, found, { now, giveUpMs });
  if (step.maySendAgain && attempt.sends < settings.tries && countSend(world, attempt)) {
    const again = callProvider(world, attempt);
    yield;
    store.settle(attempt, again, world.now());
  } else if (step.isGivenUp && store.attempts.get(attempt.id)!.sends === attempt.sends) {
    const moved = store.moveAttempt(attempt, "not_found", { now });
    if (moved !== null) store.setAttempt(moved.id, { next_check_at: rules.nextLateCheck(attempt.sent_at, now) });
  }
}
