import { expect, test } from "vitest";
import { productionRules, type Rules } from "./rules.ts";
import { play } from "./run.ts";

const { decide, combineOutcomes, nextRefundStep, nextStep, stateAfter } = productionRules;
const negativeControls: Record<string, { broken: Partial<Rules>; sees: RegExp }> = {
  "an answer overwrites newer writes": { broken: { hasCompareAndSet: false }, sees: /^I\d/ },
  "a refused resend ends what is unknown": {
    broken: {
      combineOutcomes: (_, second) => second,
      stateAfter: (from, outcome) =>
        from === "unknown" && outcome.kind === "not_charged" ? "failed" : stateAfter(from, outcome),
    },
    sees: /^I3/,
  },
  "a charge is sent again after a 500": {
    broken: {
      mayTryAgain: ({ kind }) => kind === "unknown",
      combineOutcomes: (first, second) => combineOutcomes(first, second),
    },
    sees: /^I[13]:/,
  },
  "a search without a hit ends a payment immediately": {
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
        return charge === undefined ? decide(attempt, found) : { outcome: charge, alerts: [] };
      },
    },
    sees: /^I6/,
  },
  "one submission may be recorded twice": { broken: { hasUniqueKeys: false }, sees: /^I7/ },
  "the limit of refunds is missing": {
    broken: {
      judgeRefund: ({ amount_cents }, _, amountCents) => ({ ok: true, amountCents: amountCents ?? amount_cents }),
      hasRoomTrigger: false,
    },
    sees: /^I11/,
  },
  "a refund is resent with another key": {
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
  "refunds made at the provider are not recorded": { broken: { planReview: () => [] }, sees: /^I2/ },
  "an open challenge counts as passed": {
    broken: { decideAuthentication: () => "charge" },
    sees: /^DON-18/,
  },
};

test.each(Object.entries(negativeControls))("REL-1: where %s, the same machine sees it", (_, { broken, sees }) => {
  const { breach } = play({ seed: 20_261_121, steps: 100_000, rules: { ...productionRules, ...broken } });
  expect(breach).toMatch(sees);
});
