import fc from "fast-check";
import { expect, test } from "vitest";
import { centsOff, describeDiscount, discountLines, MIN_PAYABLE_CENTS, tidyCode } from "./discounts.ts";

const amount = fc.oneof(
  fc.record({ percent: fc.integer({ min: 1, max: 100 }), cents: fc.constant(null) }),
  fc.record({ percent: fc.constant(null), cents: fc.integer({ min: 1, max: 50_000 }) }),
);
const price = fc.oneof(fc.constant(0), fc.integer({ min: MIN_PAYABLE_CENTS, max: 100_000 }));

test("EVT-7: a discounted ticket is free or costs what providers take, and never more than before", () => {
  fc.assert(
    fc.property(price, amount, (cents, discount) => {
      const left = cents - centsOff(cents, discount);
      expect(left === 0 || (left >= MIN_PAYABLE_CENTS && left <= cents)).toBe(true);
    }),
  );
  expect([centsOff(5000, { percent: 20, cents: null }), centsOff(5000, { percent: null, cents: 6000 })]).toEqual([
    1000, 5000,
  ]);
  expect(centsOff(5000, { percent: 99, cents: null })).toBe(4900);
});

test("EVT-7: a code makes no more tickets of an order cheaper than it may, those first on which it saves most", () => {
  const lines = [
    { typeId: 1, priceCents: 5000, quantity: 3 },
    { typeId: 2, priceCents: 10_000, quantity: 2 },
    { typeId: 3, priceCents: 20_000, quantity: 1 },
  ];
  const discount = { percent: 10, cents: null, typeIds: [1, 2], maxPerOrder: 3 };
  expect(discountLines(lines, discount)).toEqual([
    { discounted: 1, discountCents: 500 },
    { discounted: 2, discountCents: 1000 },
    { discounted: 0, discountCents: 0 },
  ]);
  expect(discountLines(lines, null).every(({ discounted }) => discounted === 0)).toBe(true);
});

test("EVT-7: codes are read as people type them, and described in words", () => {
  expect(tidyCode(" spring 26 ")).toBe("SPRING26");
  expect(tidyCode("\u2066spr\u200bing\0 26\u2069")).toBe("SPRING26");
  expect(describeDiscount({ percent: 20, cents: null })).toBe("20% off");
  expect(describeDiscount({ percent: null, cents: 1000 })).toBe("$10.00 off each ticket");
});
