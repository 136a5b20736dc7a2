import { firstEvents } from "#payments/attempts.ts";
import type { ProviderTransaction } from "#payments/provider.ts";
import type { ProviderName } from "#payments/tables.ts";
import { createBank, type ModelBank } from "./bank.ts";
import { claimDue, resume, submit, sweep } from "./payment-work.ts";
import { createRandom, type Random } from "./random.ts";
import { claimDueRefunds, requestRefund, review } from "./refund-work.ts";
import { day, type Rules, second, settings } from "./rules.ts";
import { type AttemptRow, createStore, type Store } from "./store.ts";

/** Running work of one process; it ends, or the process is killed at a `yield`. */
export type Work = Generator<void, void, void>;
export type RunningWork = { readonly server: number; readonly work: Work };

/** A payer's submission, to send again. */
type ModelSubmission = {
  readonly provider: ProviderName;
  readonly clientKey: string;
  readonly token: string;
  readonly amountCents: number;
  readonly isAsked: boolean;
};

/** The final answer of the card's bank (3-D Secure), and whether it asks the payer first. */
type BankAnswer = { asks: boolean; verdict: "Y" | "A" | "N" | "R" | "U" | null };

export type World = {
  readonly rules: Rules;
  readonly random: Random;
  readonly store: Store;
  readonly banks: Readonly<Record<ProviderName, ModelBank>>;
  readonly giveUpMs: number;
  readonly running: RunningWork[];
  /** The number of each server's current process; each start has a new one. */
  readonly processes: [number, number];
  readonly submissions: ModelSubmission[];
  readonly bankAnswers: Map<string, BankAnswer>;
  readonly refundRequests: { attemptId: string; key: string; amountCents: number | null }[];
  /** Charges with pending webhooks, one entry for each delivery. */
  readonly webhooks: string[];
  now(): Date;
  pass(milliseconds: number): void;
  askCardsBank(attempt: AttemptRow): AttemptRow["authentication"];
  review(attemptId: string, transactions: readonly ProviderTransaction[], now: Date): void;
  checkAt(attemptId: string, at: Date): void;
};

const start = Date.UTC(2026, 10, 21);

/** An empty site with two providers. Everything that happens follows from the seed. */
export function createWorld(seed: number, rules: Rules): World {
  const random = createRandom(seed);
  const store = createStore(rules);
  const isAuthoritative = random.isHit(0.4);
  let now = start;
  const world: World = {
    rules,
    random,
    store,
    banks: {
      payway: createBank("payway", random, isAuthoritative),
      braintree: createBank("braintree", random, isAuthoritative),
    },
    giveUpMs: isAuthoritative ? 30 * second : day,
    running: [],
    processes: [1, 2],
    submissions: [],
    bankAnswers: new Map(),
    refundRequests: [],
    webhooks: [],
    now: () => new Date(now),
    pass(milliseconds) {
      now += milliseconds;
      for (const bank of Object.values(world.banks)) bank.catchUp(now);
    },
    askCardsBank: ({ id }) => verdictOf(world.bankAnswers.get(id)!),
    review: (attemptId, transactions, at) => review(world, attemptId, transactions, at),
    checkAt(attemptId, at) {
      const current = store.attempts.get(attemptId)!;
      const isSooner = current.next_check_at !== null && current.next_check_at < at;
      if (!isSooner) store.setAttempt(attemptId, { next_check_at: at });
    },
  };
  return world;
}

function verdictOf({ asks, verdict }: BankAnswer): AttemptRow["authentication"] {
  return asks ? "C" : verdict;
}

/** A payer presses Pay: the payment is recorded and started; a copy of an earlier one records nothing. */
export function click(world: World, submission: ModelSubmission) {
  const { store, random } = world;
  const server = random.below(2);
  const id = store.newId("payment-");
  const now = world.now();
  const state = submission.isAsked ? "created" : "submitting";
  const row: AttemptRow = {
    id,
    provider: submission.provider,
    order_reference: `P-${id}`,
    idempotency_key: `key-${id}`,
    client_key: submission.clientKey,
    token: submission.token,
    instrument: submission.token,
    amount_cents: submission.amountCents,
    currency: "AUD",
    state,
    state_version: 1,
    provider_transaction_id: null,
    sends: 1,
    lease_until: new Date(now.getTime() + settings.leaseMs),
    owner: world.processes[server]!,
    sent_at: now,
    next_check_at: null,
    checks: 0,
    was_uncertain: false,
    settled_at: null,
    authentication: null,
    created_at: now,
  };
  const attempt = store.insertAttempt(row, firstEvents[state]);
  if (attempt === null) return;
  const verdict = random.oneOf(["Y", "Y", "A", "N", "R", "U", null] as const);
  world.bankAnswers.set(id, { asks: random.isHit(0.5), verdict });
  begin(world, submit(world, attempt, server), server);
}

/** Starts work on a server, at random unless named; `advance` runs it. */
function begin({ running, random }: World, work: Work, server = random.below(2)) {
  running.push({ server, work });
}

/** Runs one piece of work up to its next wait. */
export function advance({ running }: World, index: number) {
  if (running[index]!.work.next().done) running.splice(index, 1);
}

/** Runs everything that was begun to its end, in random order. */
export function finishAll(world: World) {
  while (world.running.length > 0) advance(world, world.random.below(world.running.length));
}

/** Kills a server with all its running work. */
export function crash(world: World) {
  const server = world.random.below(2);
  world.processes[server] = Math.max(...world.processes) + 1;
  const left = world.running.filter((one) => one.server !== server);
  world.running.splice(0, world.running.length, ...left);
}

/** The tick of `payments.ts`: starts what is due. */
export function tick(world: World) {
  sweep(world);
  for (const work of claimDue(world)) begin(world, work);
  world.running.push(...claimDueRefunds(world));
}

/** The payer answers the bank, or leaves. One who leaves may have passed without our being told. */
export function decideChallenge(world: World, attemptId: string, verdict: "Y" | "N" | "abandoned") {
  const asked = world.bankAnswers.get(attemptId)!;
  if (verdict !== "abandoned") world.bankAnswers.set(attemptId, { asks: false, verdict });
  else if (asked.asks && world.random.isHit(0.3)) world.bankAnswers.set(attemptId, { asks: false, verdict: "Y" });
  const server = world.random.below(2);
  begin(world, resume(world, attemptId, { isAbandoned: verdict === "abandoned", server }), server);
}

export function askForRefund(world: World, attemptId: string, key: string, amountCents: number | null) {
  world.refundRequests.push({ attemptId, key, amountCents });
  requestRefund(world, attemptId, key, amountCents);
}

/** The hint of a webhook: whatever it says, the payment is looked up. */
export function deliverWebhook({ store, now }: World, transactionId: string) {
  for (const { id, state, provider_transaction_id } of store.attempts.values()) {
    if (provider_transaction_id === transactionId && state !== "submitting")
      store.setAttempt(id, { next_check_at: now() });
  }
}
