import fc from "fast-check";
import { expect, test } from "vitest";
import { shareOf, splitCents } from "./money.ts";

test.each([
  // The worked example of docs/money.md: $100 by card, then by PayPal.
  [10_000, 500, 500],
  [10_500, 150, 158],
  [10_500, 300, 315],
  // Exactly half a cent rounds up; anything less does not. Floating point gets the first two wrong.
  [95, 1000, 10],
  [70, 150, 1],
  [3150, 500, 158],
  [3149, 500, 157],
  [0, 500, 0],
  [5_000_000, 0, 0],
])("DON-9: %i cents at %i basis points are %i, rounded half up", (cents, basisPoints, share) => {
  expect(shareOf(cents, basisPoints)).toBe(share);
});

test("DON-9: a share equals the exact fraction rounded half up, as computed with big integers", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000_000 }), fc.integer({ min: 0, max: 9999 }), (cents, basisPoints) => {
      const exact = (BigInt(cents) * BigInt(basisPoints) * 2n + 10_000n) / 20_000n;
      expect(BigInt(shareOf(cents, basisPoints))).toBe(exact);
    }),
    { seed: 9, numRuns: 5000 },
  );
});

test.each([
  [158, [1050, 1050, 1050], [53, 53, 52]],
  [100, [1, 1, 1], [34, 33, 33]],
  [1, [5, 5], [1, 0]],
  [2, [1, 2, 1], [1, 1, 0]],
  [7, [0, 0], [7, 0]],
  [0, [10, 20], [0, 0]],
  [3, [0, 10, 0], [0, 3, 0]],
])("DON-9: %i cents over %j are %j, the largest remainder first and ties to the earlier", (total, weights, parts) => {
  expect(splitCents(total, weights)).toEqual(parts);
});

test("DON-11: parts sum to the whole, and none is a cent or more from its proportion", () => {
  const weights = fc.array(fc.integer({ min: 0, max: 5_000_000 }), { minLength: 1, maxLength: 50 });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000 }), weights, (total, each) => {
      const parts = splitCents(total, each);
      const whole = each.reduce((sum, weight) => sum + weight, 0);
      expect(parts.reduce((sum, part) => sum + part, 0)).toBe(total);
      if (whole === 0) return;
      for (const [index, part] of parts.entries()) {
        expect(Math.abs(part * whole - total * each[index]!)).toBeLessThan(whole);
      }
    }),
    { seed: 11, numRuns: 3000 },
  );
});
