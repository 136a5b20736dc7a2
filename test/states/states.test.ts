import { expect, test } from "vitest";
import { productionRules, type Rules } from "./rules.ts";
import { play } from "./run.ts";

const patient = 120_000;

test(
  "REL-1, DON-22: every invariant of the money holds after each of 100,000 random steps of a seed",
  () => {
    const seed = 20_261_122;
    const report = play({ seed, steps: 100_000 });
    process.stdout.write(`states: seed ${seed}, ${report.payments} payments, ${report.refunds} refunds\n`);
    expect(report.breach, `seed ${seed}`).toBeNull();
    expect(report.steps).toBe(100_000);
    const reached = [
      "requires_action",
      "cancelled",
      "processing",
      "not_found",
      "succeeded_late",
      "disputed",
      "refunded",
    ];
    for (const state of reached) expect(report.states[state], `${state} is never reached`).toBeGreaterThan(0);
    // What only a person can settle is not compared at rest: it must stay the exception.
    expect(report.troubled).toBeLessThan(report.payments / 4);
  },
  patient,
);

const { decide, lastWord, nextRefundStep, nextStep, stateAfter } = productionRules;
const twins: Record<string, { broken: Partial<Rules>; sees: RegExp }> = {
  "an answer overwrites whatever was written meanwhile": { broken: { hasCompareAndSet: false }, sees: /^I\d/ },
  "a refusal of the second sending ends what is unknown": {
    broken: {
      lastWord: (_, second) => second,
      stateAfter: (from, outcome) =>
        from === "unknown" && outcome.kind === "not_charged" ? "failed" : stateAfter(from, outcome),
    },
    sees: /^I3/,
  },
  "a charge is sent again after a 500": {
    broken: { mayTryAgain: ({ kind }) => kind === "unknown", lastWord: (first, second) => lastWord(first, second) },
    sees: /^I[13]:/,
  },
  "a search without a hit ends a payment at once": {
    broken: {
      nextStep: (attempt, found, terms) => ({
        ...nextStep(attempt, found, terms),
        isGivenUp: attempt.state === "unknown" && found.outcomes.length === 0,
      }),
    },
    sees: /^I3/,
  },
  "a charge of any amount will do": {
    broken: {
      decide: (attempt, found) => {
        const charge = found.outcomes.find(({ kind }) => kind === "succeeded");
        return charge === undefined ? decide(attempt, found) : { outcome: charge, troubles: [] };
      },
    },
    sees: /^I6/,
  },
  "one submission may be recorded twice": { broken: { hasUniqueKeys: false }, sees: /^I7/ },
  "the room of a refund is forgotten": {
    broken: {
      judgeWish: ({ amount_cents }, _, amountCents) => ({ ok: true, amountCents: amountCents ?? amount_cents }),
      hasRoomTrigger: false,
    },
    sees: /^I11/,
  },
  "a refund is sent again with another key": {
    broken: {
      keepsRefundKey: false,
      nextRefundStep: (...[refund, found, terms]) =>
        refund.state === "unknown" && refund.sends < terms.tries ? "send_again" : nextRefundStep(refund, found, terms),
    },
    sees: /^I11/,
  },
  "a refund is taken from the first account alone": {
    broken: {
      shareOut: (cents, credits) => credits.map(({ account }, index) => ({ account, cents: index === 0 ? cents : 0 })),
    },
    sees: /^I2/,
  },
  "what was given back at the provider is not taken onto the books": { broken: { planReview: () => [] }, sees: /^I2/ },
  "a challenge that is under way counts as passed": {
    broken: { decideAuthentication: () => "charge" },
    sees: /^DON-18/,
  },
};

test.each(Object.entries(twins))("REL-1: where %s, the same machine sees it", (_, { broken, sees }) => {
  const { breach } = play({ seed: 20_261_121, steps: 100_000, rules: { ...productionRules, ...broken } });
  expect(breach).toMatch(sees);
});

test("REL-1: the same seed plays the same steps", () => {
  expect(play({ seed: 5, steps: 2000 })).toEqual(play({ seed: 5, steps: 2000 }));
});
