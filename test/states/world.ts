import { firstEvents } from "#payments/attempts.ts";
import type { ProviderTransaction } from "#payments/provider.ts";
import type { ProviderName } from "#payments/tables.ts";
import { type Bank, createBank } from "./bank.ts";
import { resume, submit, sweep, takeDue } from "./payment-work.ts";
import { createRandom, type Random } from "./random.ts";
import { requestRefund, review, takeDueRefunds } from "./refund-work.ts";
import { day, type Rules, second, settings } from "./rules.ts";
import { type AttemptRow, createStore, type Store } from "./store.ts";

/** Work under way in one process; it ends, or the process is killed at one of its `yield`s. */
export type Work = Generator<void, void, void>;
export type Running = { readonly server: number; readonly work: Work };

/** What one payer sent, to be sent again. */
export type Submission = {
  readonly provider: ProviderName;
  readonly clientKey: string;
  readonly token: string;
  readonly amountCents: number;
  readonly isAsked: boolean;
};

/** What the card's bank will say in the end (3-D Secure), and whether it asks the payer first. */
type Asked = { asks: boolean; verdict: "Y" | "A" | "N" | "R" | "U" | null };

export type World = {
  readonly rules: Rules;
  readonly random: Random;
  readonly store: Store;
  readonly banks: Readonly<Record<ProviderName, Bank>>;
  readonly giveUpMs: number;
  readonly running: Running[];
  /** Of each server, the number of its present process; each start makes a new one. */
  readonly processes: [number, number];
  readonly submissions: Submission[];
  readonly askedBanks: Map<string, Asked>;
  readonly wishes: { attemptId: string; key: string; amountCents: number | null }[];
  /** Charges whose webhooks are on their way, each as often as it will come. */
  readonly webhooks: string[];
  now(): Date;
  pass(milliseconds: number): void;
  askCardsBank(attempt: AttemptRow): AttemptRow["authentication"];
  review(attemptId: string, transactions: readonly ProviderTransaction[], now: Date): void;
  lookAt(attemptId: string, at: Date): void;
};

const start = Date.UTC(2026, 10, 21);

/** One house with two providers, nothing in it yet. Everything that happens follows from the seed. */
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
    askedBanks: new Map(),
    wishes: [],
    webhooks: [],
    now: () => new Date(now),
    pass(milliseconds) {
      now += milliseconds;
      for (const bank of Object.values(world.banks)) bank.catchUp(now);
    },
    askCardsBank: ({ id }) => sayOf(world.askedBanks.get(id)!),
    review: (attemptId, transactions, at) => review(world, attemptId, transactions, at),
    lookAt(attemptId, at) {
      const current = store.attempts.get(attemptId)!;
      const isSooner = current.next_check_at !== null && current.next_check_at < at;
      if (!isSooner) store.setAttempt(attemptId, { next_check_at: at });
    },
  };
  return world;
}

function sayOf({ asks, verdict }: Asked): AttemptRow["authentication"] {
  return asks ? "C" : verdict;
}

/** A payer presses Pay: recorded and committed, then under way; a copy of an earlier one records nothing. */
export function click(world: World, submission: Submission) {
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
  world.askedBanks.set(id, { asks: random.isHit(0.5), verdict });
  begin(world, submit(world, attempt, server), server);
}

export function begin({ running, random }: World, work: Work, server = random.below(2)) {
  running.push({ server, work });
}

/** One stretch of one piece of work, up to where it waits next. */
export function goOn({ running }: World, index: number) {
  if (running[index]!.work.next().done) running.splice(index, 1);
}

export function finishAll(world: World) {
  while (world.running.length > 0) goOn(world, world.random.below(world.running.length));
}

/** One server is killed, with all that it has under way. */
export function crash(world: World) {
  const server = world.random.below(2);
  world.processes[server] = Math.max(...world.processes) + 1;
  const left = world.running.filter((one) => one.server !== server);
  world.running.splice(0, world.running.length, ...left);
}

/** The tick of `payments.ts`: what is due is begun, to be gone on with. */
export function tick(world: World) {
  sweep(world);
  for (const work of takeDue(world)) begin(world, work);
  world.running.push(...takeDueRefunds(world));
}

export function answerChallenge(world: World, attemptId: string, verdict: "Y" | "N" | "abandoned") {
  const asked = world.askedBanks.get(attemptId)!;
  if (verdict !== "abandoned") world.askedBanks.set(attemptId, { asks: false, verdict });
  else if (asked.asks && world.random.isHit(0.3)) world.askedBanks.set(attemptId, { asks: false, verdict: "Y" });
  const server = world.random.below(2);
  begin(world, resume(world, attemptId, { isAbandoned: verdict === "abandoned", server }), server);
}

export function wish(world: World, attemptId: string, key: string, amountCents: number | null) {
  world.wishes.push({ attemptId, key, amountCents });
  requestRefund(world, attemptId, key, amountCents);
}

/** The hint of a webhook: whatever it says, the provider is asked. */
export function deliverWebhook({ store, now }: World, transactionId: string) {
  for (const { id, state, provider_transaction_id } of store.attempts.values()) {
    if (provider_transaction_id === transactionId && state !== "submitting")
      store.setAttempt(id, { next_check_at: now() });
  }
}
