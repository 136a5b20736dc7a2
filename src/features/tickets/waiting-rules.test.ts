import fc from "fast-check";
import { expect, test } from "vitest";
import { planOffers, type QueuedEntry } from "./waiting-rules.ts";

const now = new Date("2026-11-27T10:00:00Z");
const [before, after] = [new Date(now.getTime() - 1), new Date(now.getTime() + 1)];
const entry = (id: string, quantity: number, gathersUntil: Date | null = null): QueuedEntry => ({
  id,
  quantity,
  gathersUntil,
});
const of = (free: number, capacity = 100) => ({ free, capacity });

test("WAIT-2: free seats are offered in order, and the next one to come free is kept while somebody waits", () => {
  const waiting = [entry("a", 1), entry("b", 2), entry("c", 1)];
  expect(planOffers(of(0), waiting, now)).toEqual({ offers: [], gatheringId: null, keepsSeats: true });
  expect(planOffers(of(3), waiting, now)).toEqual({ offers: ["a", "b"], gatheringId: null, keepsSeats: true });
  expect(planOffers(of(5), waiting, now)).toEqual({ offers: ["a", "b", "c"], gatheringId: null, keepsSeats: false });
  expect(planOffers(of(5), [], now)).toEqual({ offers: [], gatheringId: null, keepsSeats: false });
});

test("WAIT-3: a family has seats kept until there are enough; afterwards the next that fits is asked, or they are on sale", () => {
  const family = entry("family", 4);
  expect(planOffers(of(2), [family, entry("b", 1)], now)).toEqual({
    offers: [],
    gatheringId: "family",
    keepsSeats: true,
  });
  const gathering = entry("family", 4, after);
  expect(planOffers(of(3), [gathering, entry("b", 1)], now)).toEqual({
    offers: [],
    gatheringId: null,
    keepsSeats: true,
  });
  expect(planOffers(of(4), [gathering, entry("b", 1)], now)).toMatchObject({ offers: ["family"], keepsSeats: true });
  const passed = entry("family", 4, before);
  expect(planOffers(of(3), [passed, entry("b", 1)], now)).toEqual({
    offers: ["b"],
    gatheringId: null,
    keepsSeats: false,
  });
  expect(planOffers(of(2), [passed], now)).toEqual({ offers: [], gatheringId: null, keepsSeats: false });
  expect(planOffers(of(4), [passed], now)).toMatchObject({ offers: ["family"] });
});

test("WAIT-3: who waits for more seats than there are in all has none kept, and the next is asked", () => {
  const large = entry("large", 5);
  expect(planOffers(of(1, 2), [large], now)).toEqual({ offers: [], gatheringId: null, keepsSeats: false });
  expect(planOffers(of(0, 2), [large], now)).toMatchObject({ keepsSeats: false });
  expect(planOffers(of(1, 2), [large, entry("b", 1)], now)).toEqual({
    offers: ["b"],
    gatheringId: null,
    keepsSeats: false,
  });
});

test("WAIT-2: whatever is free and whoever waits, no more is offered than is free, and nobody who fits is overtaken", () => {
  const times = fc.constantFrom(null, before, after);
  const list = fc
    .array(fc.tuple(fc.integer({ min: 1, max: 6 }), times), { maxLength: 12 })
    .map((rows) => rows.map(([quantity, until], index) => entry(String(index), quantity, until)));
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 20 }), list, (free, waiting) => {
      const { offers, keepsSeats } = planOffers(of(free), waiting, now);
      const offered = waiting.filter(({ id }) => offers.includes(id));
      const left = free - offered.reduce((sum, { quantity }) => sum + quantity, 0);
      expect(left).toBeGreaterThanOrEqual(0);
      expect(offers).toEqual(offered.map(({ id }) => id));
      const missed = waiting.filter(({ id }) => !offers.includes(id));
      // What is on sale again fits nobody who still waits.
      if (!keepsSeats) expect(missed.every(({ quantity }) => quantity > left)).toBe(true);
      // Whoever is offered seats overtakes only those who were passed over.
      const last = waiting.findLastIndex(({ id }) => offers.includes(id));
      const overtaken = missed.filter(({ id }) => Number(id) < last);
      expect(overtaken.every(({ gathersUntil }) => gathersUntil === before)).toBe(true);
    }),
  );
});
