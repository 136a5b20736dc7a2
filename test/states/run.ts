import { compareDaily } from "./daily.ts";
import { checkQuiet, watch } from "./invariants.ts";
import { day, productionRules, type Rules } from "./rules.ts";
import { decideCharge, type StepName, step } from "./steps.ts";
import { createWorld, deliverWebhook, finishAll, tick, type World } from "./world.ts";

/** How many steps an episode has; then the site comes to rest, is checked as a whole, and a new one starts. */
const EPISODE = 200;
/** Longer than any wait. */
const QUIET_DAYS = 14;

type RunReport = {
  readonly seed: number;
  readonly steps: number;
  readonly episodes: number;
  readonly payments: number;
  readonly refunds: number;
  /** Payments that staff were alerted about. */
  readonly alerted: number;
  readonly states: Readonly<Record<string, number>>;
  /** The invariant that broke, and when; null if all held. */
  readonly breach: string | null;
};

/** Plays this many steps from a seed and checks every invariant after each; stops at the first breach. */
export function play({
  seed,
  steps,
  rules = productionRules,
}: {
  seed: number;
  steps: number;
  rules?: Rules;
}): RunReport {
  const report = {
    seed,
    steps: 0,
    episodes: 0,
    payments: 0,
    refunds: 0,
    alerted: 0,
    states: {} as Record<string, number>,
  };
  while (report.steps < steps) {
    const world = createWorld(seed + report.episodes, rules);
    const breach = playEpisode(world, Math.min(EPISODE, steps - report.steps), report);
    report.episodes += 1;
    report.payments += world.store.attempts.size;
    report.refunds += world.store.refunds.size;
    report.alerted += world.store.alerted.size;
    for (const { to } of world.store.paymentEvents) report.states[to] = (report.states[to] ?? 0) + 1;
    if (breach !== null) return { ...report, breach: `${breach} (seed ${seed + report.episodes - 1})` };
  }
  return { ...report, breach: null };
}

function playEpisode(world: World, steps: number, report: { steps: number }): string | null {
  const watched = watch(world);
  let last: StepName | "rest" = "rest";
  try {
    for (let count = 0; count < steps; count += 1) {
      last = step(world);
      report.steps += 1;
      watched.check();
    }
    last = "rest";
    settleWorld(world, () => watched.check());
    checkQuiet(world);
    return null;
  } catch (error) {
    return `${(error as Error).message}, after step ${report.steps} (${last})`;
  }
}

/** Ends the faults, and lets time pass until nothing is pending. */
function settleWorld(world: World, check: () => void) {
  for (const bank of Object.values(world.banks)) bank.calmDown();
  finishAll(world);
  decideAll(world);
  const end = world.now().getTime() + QUIET_DAYS * day;
  for (;;) {
    tick(world);
    finishAll(world);
    check();
    decideAll(world);
    const next = nextMoment(world);
    if (next > end) break;
    world.pass(Math.max(1, next - world.now().getTime()));
  }
  // What one night finds is on the books by the next, unless a search is most of a day late.
  for (let night = 0; night < 4; night += 1) {
    compareDaily(world);
    tick(world);
    finishAll(world);
    check();
    world.pass(day);
  }
}

/** Whether all banks have answered and all webhooks have arrived. */
function decideAll(world: World) {
  for (const bank of Object.values(world.banks)) {
    for (const charge of bank.held) {
      if (charge.status === "pending") decideCharge(world, charge, world.random.isHit(0.7) ? "approved" : "declined");
      if (charge.dispute === "open") {
        charge.dispute = world.random.isHit(0.5) ? "won" : "lost";
        world.webhooks.push(charge.id);
      }
    }
  }
  for (const id of world.webhooks.splice(0)) deliverWebhook(world, id);
}

/** When something happens next, except what only staff can settle. */
function nextMoment({ store, banks, now }: World): number {
  let next = Math.min(banks.payway.nextAt(), banks.braintree.nextAt());
  const note = (at: Date | null) => {
    if (at !== null) next = Math.min(next, at.getTime());
  };
  for (const attempt of store.attempts.values()) {
    if (attempt.lease_until !== null && attempt.lease_until >= now()) note(new Date(attempt.lease_until.getTime() + 1));
    if (!store.alerted.has(attempt.id)) note(attempt.next_check_at);
  }
  for (const refund of store.refunds.values()) {
    if (refund.lease_until !== null && refund.lease_until >= now()) note(new Date(refund.lease_until.getTime() + 1));
    if (!store.alerted.has(refund.attempt_id)) note(refund.next_check_at);
  }
  return next;
}
