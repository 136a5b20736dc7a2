import { expect, test } from "vitest";
import type { TicketType } from "./contract.ts";
import { firstSale, sayAvailability, sayPriceFrom, sayWhyNoMore } from "./sale.ts";

const type = (changes: Partial<TicketType>): TicketType => ({
  ...{ code: "vip", title: "VIP Seat", description: "", priceCents: 10_000, left: 120, limitPerOrder: 10 },
  ...{ state: "on_sale", salesFrom: null, salesUntil: null },
  ...changes,
});
const say = (changes: Partial<TicketType>) => sayAvailability(type(changes), "Australia/Sydney");

test("TIC-1: how many seats are left is said from twenty down, and what cannot be bought says why", () => {
  expect([say({ left: 21 }), say({ left: 20 }), say({ left: 1 })]).toEqual([null, "20 left", "1 left"]);
  expect([say({ state: "sold_out", left: 0 }), say({ state: "closed" })]).toEqual(["Sold out", "No longer on sale"]);
  expect(say({ state: "not_yet" })).toBe("Not on sale yet");
  expect(say({ state: "not_yet", salesFrom: "2027-01-01T22:00:00Z" })).toBe(
    "On sale from Saturday 2 January 2027 9:00 AM (UTC+11)",
  );
});

test("TIC-2: why no more can be chosen is said when no more can be", () => {
  const why = (left: number, quantity: number, limitPerOrder = 10) =>
    sayWhyNoMore({ title: "VIP Seat", left, limitPerOrder }, quantity);
  expect([why(120, 9), why(0, 0)]).toEqual([null, null]);
  for (const [left, quantity] of [
    [120, 10],
    [10, 10],
    [120, 1000],
  ] as const) {
    expect(why(left, quantity)).toBe("At most 10 VIP Seat tickets in one order");
  }
  expect(why(120, 2, 1)).toBe("At most 1 VIP Seat ticket in one order");
  expect(why(3, 3)).toBe("Only 3 VIP Seat tickets left");
});

test("TIC-1: the price on the event's page is the least one", () => {
  expect(sayPriceFrom([type({}), type({ priceCents: 5_000 })])).toBe("From $50.00 a ticket");
  expect(sayPriceFrom([type({}), type({})])).toBe("$100.00 a ticket");
  expect(sayPriceFrom([])).toBe("");
});

test("TIC-1: sales begin with the first type that does", () => {
  const later = type({ state: "not_yet", salesFrom: "2027-01-03T00:00:00Z" });
  const sooner = type({ state: "not_yet", salesFrom: "2027-01-02T00:00:00Z" });
  expect(firstSale({ types: [later, sooner, type({ salesFrom: "2026-01-01T00:00:00Z" })] })).toBe(sooner.salesFrom);
  expect(firstSale({ types: [type({})] })).toBeNull();
});
