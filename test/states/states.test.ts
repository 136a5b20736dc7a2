import { expect, test } from "vitest";
import { play } from "./run.ts";

test("REL-1, DON-22: every invariant of the money holds after each of 100,000 random steps of a seed", () => {
  const seed = 20_261_122;
  const report = play({ seed, steps: 100_000 });
  process.stdout.write(`states: seed ${seed}, ${report.payments} payments, ${report.refunds} refunds\n`);
  expect(report.breach, `seed ${seed}`).toBeNull();
  expect(report.steps).toBe(100_000);
  const reached = ["requires_action", "cancelled", "processing", "not_found", "succeeded_late", "disputed", "refunded"];
  for (const state of reached) expect(report.states[state], `${state} is never reached`).toBeGreaterThan(0);
  // What only staff can settle is not compared at rest, so it must be rare.
  expect(report.alerted).toBeLessThan(report.payments / 4);
});

test("REL-1: the same seed plays the same steps", () => {
  expect(play({ seed: 5, steps: 2000 })).toEqual(play({ seed: 5, steps: 2000 }));
});
