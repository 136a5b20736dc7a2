import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { splitCents } from "#shared/money.ts";
import { isLongRun } from "#test/long-run.ts";
import { type CartCategory, type CartLine, cleanNames, fixedUnitCents, lineFaults, price } from "./cart.ts";

const rates = { adminBasisPoints: 500, merchantBasisPoints: { cc: 150, pp: 300 } } as const;

type PricedLine = CartLine & { adminFeeApplies: boolean };
const lineOf = (quantity: number, unitCents: number, adminFeeApplies = true): PricedLine => ({
  category: "Zakat",
  subcategory: "",
  quantity,
  unitCents,
  onBehalfOf: [],
  adminFeeApplies,
});
const sum = (parts: readonly number[]) => parts.reduce((total, part) => total + part, 0);

describe("fees", () => {
  test("DON-9, DON-10: $120.00 by card with the admin fee is $6.00 and $1.89 on top, $127.89 in all", () => {
    expect(price([lineOf(1, 10_000), lineOf(4, 500)], "cc", true, rates)).toEqual({
      subtotalCents: 12_000,
      adminFeeCents: 600,
      merchantFeeCents: 189,
      totalCents: 12_789,
      adminSharesCents: [500, 100],
      merchantSharesCents: [158, 31],
    });
  });

  test("DON-10: PayPal takes 3 % of subtotal and admin fee", () => {
    expect(price([lineOf(1, 10_000)], "pp", true, rates)).toMatchObject({ merchantFeeCents: 315, totalCents: 10_815 });
  });

  test("DON-9: without the optional admin fee, the merchant fee is on the subtotal alone", () => {
    const { adminFeeCents, adminSharesCents, merchantFeeCents } = price([lineOf(1, 10_000)], "cc", false, rates);
    expect({ adminFeeCents, adminSharesCents, merchantFeeCents }).toEqual({
      adminFeeCents: 0,
      adminSharesCents: [0],
      merchantFeeCents: 150,
    });
  });

  test("DON-9: half a cent is rounded up", () => {
    expect(price([lineOf(1, 10)], "cc", true, rates).adminFeeCents).toBe(1);
    expect(price([lineOf(1, 9)], "cc", true, rates).adminFeeCents).toBe(0);
  });

  test("DON-9: a cent left over goes to the largest remainder, and among equals to the earlier line", () => {
    expect(price([lineOf(1, 110), lineOf(1, 110)], "cc", true, rates).adminSharesCents).toEqual([6, 5]);
    expect(price([lineOf(1, 101), lineOf(1, 119)], "cc", true, rates).adminSharesCents).toEqual([5, 6]);
  });

  test("DON-9: a line without admin fee carries no share of it, but its share of the merchant fee", () => {
    const priced = price([lineOf(1, 10_000), lineOf(1, 10_000, false)], "cc", true, rates);
    expect(priced).toMatchObject({ adminFeeCents: 500, adminSharesCents: [500, 0] });
    expect(priced.merchantSharesCents[1]).toBe(150);
  });

  test("DON-11: rates come from outside, zero included", () => {
    const free = { adminBasisPoints: 0, merchantBasisPoints: { cc: 0, pp: 0 } };
    expect(price([lineOf(3, 333)], "cc", true, free).totalCents).toBe(999);
  });
});

/** The same sums with exact fractions, independent of the code under test: only `halfUp` rounds. */
function oracle(lines: readonly PricedLine[], merchantBasisPoints: bigint, coversAdminFee: boolean) {
  const amounts = lines.map(({ quantity, unitCents }) => BigInt(quantity) * BigInt(unitCents));
  const total = (values: readonly bigint[]) => values.reduce((all, value) => all + value, 0n);
  const halfUp = (numerator: bigint, denominator: bigint) => (numerator * 2n + denominator) / (denominator * 2n);
  const bases = amounts.map((amount, index) => (lines[index]!.adminFeeApplies ? amount : 0n));
  const adminFee = coversAdminFee ? halfUp(total(bases) * 500n, 10_000n) : 0n;
  const adminShares = divide(adminFee, bases);
  const merchantFee = halfUp((total(amounts) + adminFee) * merchantBasisPoints, 10_000n);
  const merchantShares = divide(
    merchantFee,
    amounts.map((amount, index) => amount + adminShares[index]!),
  );
  return { adminFee, adminShares, merchantFee, merchantShares, total: total(amounts) + adminFee + merchantFee };
}

/** Hands out one cent at a time, to the largest remainder. */
function divide(fee: bigint, weights: readonly bigint[]): bigint[] {
  const whole = weights.reduce((all, weight) => all + weight, 0n);
  if (whole === 0n) return weights.map((_, index) => (index === 0 ? fee : 0n));
  const shares = weights.map((weight) => (fee * weight) / whole);
  const given = new Set<number>();
  for (let left = fee - shares.reduce((all, share) => all + share, 0n); left > 0n; left -= 1n) {
    let next = -1;
    for (let index = 0; index < weights.length; index += 1) {
      if (given.has(index)) continue;
      if (next === -1 || (fee * weights[index]!) % whole > (fee * weights[next]!) % whole) next = index;
    }
    given.add(next);
    shares[next]! += 1n;
  }
  return shares;
}

/** A small generator, because 100,000 carts must take only seconds. */
function generator(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
}

describe("100,000 random carts", () => {
  test("DON-9, DON-10, DON-11: every fee and share is that of exact fractions, and the parts sum to the whole", () => {
    const random = generator(20261121);
    const started = process.cpuUsage();
    const carts = isLongRun ? 100_000 : 20_000;
    for (let cart = 0; cart < carts; cart += 1) {
      const count = random(50) === 0 ? 1 + random(50) : 1 + random(5);
      const lines = Array.from({ length: count }, () =>
        lineOf(random(4) === 0 ? 1 + random(999) : 1, 1 + random(random(3) === 0 ? 500_000 : 5000), random(8) !== 0),
      );
      const method = random(2) === 0 ? "cc" : "pp";
      const coversAdminFee = random(4) !== 0;
      const priced = price(lines, method, coversAdminFee, rates);
      const exact = oracle(lines, method === "cc" ? 150n : 300n, coversAdminFee);
      const isAlike =
        BigInt(priced.totalCents) === exact.total &&
        BigInt(priced.adminFeeCents) === exact.adminFee &&
        BigInt(priced.merchantFeeCents) === exact.merchantFee &&
        priced.adminSharesCents.every((share, index) => BigInt(share) === exact.adminShares[index]) &&
        priced.merchantSharesCents.every((share, index) => BigInt(share) === exact.merchantShares[index]) &&
        sum(priced.adminSharesCents) === priced.adminFeeCents &&
        sum(priced.merchantSharesCents) === priced.merchantFeeCents;
      if (!isAlike) expect.fail(`cart ${cart}: ${JSON.stringify({ lines, method, coversAdminFee, priced })}`);
    }
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / carts, "microseconds of processor time for a cart").toBeLessThan(100);
  });

  test("DON-9: a share is within one cent of quantity × amount × 0.05 in whole cents", () => {
    const random = generator(7);
    for (let cart = 0; cart < 100_000; cart += 1) {
      const lines = Array.from({ length: 1 + random(8) }, () => lineOf(1 + random(20), 1 + random(20_000)));
      const { adminSharesCents } = price(lines, "cc", true, rates);
      for (const [index, { quantity, unitCents }] of lines.entries()) {
        // The fee itself is rounded once, so against the figure with its fractions of a cent a share may be 1.5 apart.
        const figure = Math.floor((quantity * unitCents * 2 + 20) / 40);
        const apart = Math.abs(adminSharesCents[index]! - figure);
        if (apart > 1) expect.fail(`cart ${cart}: ${apart} cents apart in ${JSON.stringify(lines)}`);
      }
    }
  });
});

test("DON-11: a split always sums to its total, and gives nobody more than a cent beyond their proportion", () => {
  const weights = fc.array(fc.integer({ min: 0, max: 5_000_000 }), { minLength: 1, maxLength: 50 });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000 }), weights, (total, given) => {
      const parts = splitCents(total, given);
      const whole = sum(given);
      expect(sum(parts)).toBe(total);
      if (whole === 0) return;
      for (const [index, part] of parts.entries())
        expect(Math.abs(part - (total * given[index]!) / whole)).toBeLessThan(1);
    }),
  );
});

const category = (more: Partial<CartCategory>): CartCategory => ({
  id: 1,
  title: "Zakat",
  hasSubcategories: false,
  subcategories: [],
  quantityIsEditable: false,
  amountIsEditable: true,
  amountCents: null,
  asksNames: false,
  adminFeeApplies: true,
  ...more,
});
const qurban = category({
  title: "Qurban",
  hasSubcategories: true,
  subcategories: [
    { id: 1, title: "Goat", amountCents: 19_000 },
    { id: 2, title: "Cow", amountCents: 101_500 },
  ],
  quantityIsEditable: true,
  amountIsEditable: false,
  asksNames: true,
});
const goats: CartLine = {
  category: "Qurban",
  subcategory: "Goat",
  quantity: 2,
  unitCents: 19_000,
  onBehalfOf: ["Ali"],
};
const zakat: CartLine = { category: "Zakat", subcategory: "", quantity: 1, unitCents: 5000, onBehalfOf: [] };
const faultFields = (line: CartLine, of: CartCategory | undefined) => lineFaults(line, of).map(({ field }) => field);

describe("a line", () => {
  test("DON-8: is good with a category and an amount above zero", () => {
    expect(lineFaults(zakat, category({}))).toEqual([]);
    expect(lineFaults(goats, qurban)).toEqual([]);
  });

  test("DON-8: needs a category and a whole number of cents above zero", () => {
    expect(faultFields(zakat, undefined)).toEqual(["category"]);
    for (const unitCents of [0, -100, 10.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(faultFields({ ...zakat, unitCents }, category({}))).toEqual(["unitCents"]);
    }
  });

  test("DON-6: needs one of the subcategories exactly where there are some", () => {
    expect(faultFields({ ...goats, subcategory: "Camel" }, qurban)).toContain("subcategory");
    expect(faultFields({ ...zakat, subcategory: "Goat" }, category({}))).toEqual(["subcategory"]);
  });

  test("DON-6: has quantity 1 where it is not editable, else a whole number from 1 to 999", () => {
    expect(faultFields({ ...zakat, quantity: 2 }, category({}))).toEqual(["quantity"]);
    const several = category({ quantityIsEditable: true });
    expect(faultFields({ ...zakat, quantity: 999 }, several)).toEqual([]);
    for (const quantity of [0, 1000, 1.5, Number.NaN]) {
      expect(faultFields({ ...zakat, quantity }, several)).toEqual(["quantity"]);
    }
  });

  test("DON-6: costs the fixed amount of its subcategory, else of its category, where the amount is not editable", () => {
    expect(fixedUnitCents(qurban, qurban.subcategories[1])).toBe(101_500);
    expect(fixedUnitCents(category({ amountIsEditable: false, amountCents: 1500 }), undefined)).toBe(1500);
    expect(fixedUnitCents(category({ amountCents: 1500 }), undefined)).toBeNull();
    expect(faultFields({ ...goats, unitCents: 18_999 }, qurban)).toEqual(["unitCents"]);
  });

  test("DON-7: needs at least one name where names are asked, and at most one for each unit", () => {
    expect(faultFields({ ...goats, onBehalfOf: [] }, qurban)).toEqual(["onBehalfOf"]);
    expect(faultFields({ ...goats, onBehalfOf: ["Ali", "Sara", "Zoya"] }, qurban)).toEqual(["onBehalfOf"]);
    expect(faultFields({ ...zakat, onBehalfOf: ["Ali"] }, category({}))).toEqual(["onBehalfOf"]);
  });

  test("DON-7: a comma inside a name becomes a space, and empty fields are left out", () => {
    expect(cleanNames([" Ali,  Raza ", "", " , ", "Sara"])).toEqual(["Ali Raza", "Sara"]);
  });
});
