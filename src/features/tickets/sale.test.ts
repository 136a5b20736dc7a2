import { expect, test } from "vitest";
import type { TicketType } from "./contract.ts";
import { describeAvailability, describeLimit, firstSale, formatPriceFrom } from "./sale.ts";

const type = (changes: Partial<TicketType>): TicketType => ({
  code: "vip",
  title: "VIP Seat",
  description: "",
  priceCents: 10_000,
  left: 120,
  limitPerOrder: 10,
  state: "on_sale",
  salesFrom: null,
  salesUntil: null,
  ...changes,
});
const availabilityOf = (changes: Partial<TicketType>) => describeAvailability(type(changes), "Australia/Sydney");

test("TIC-1: the number of seats left shows from twenty down, and a type that cannot be bought says why", () => {
  expect([availabilityOf({ left: 21 }), availabilityOf({ left: 20 }), availabilityOf({ left: 1 })]).toEqual([
    null,
    "20 left",
    "1 left",
  ]);
  expect([availabilityOf({ state: "sold_out", left: 0 }), availabilityOf({ state: "closed" })]).toEqual([
    "Sold out",
    "No longer on sale",
  ]);
  expect(availabilityOf({ state: "not_yet" })).toBe("Not on sale yet");
  expect(availabilityOf({ state: "not_yet", salesFrom: "2027-01-01T22:00:00Z" })).toBe(
    "On sale from Saturday 2 January 2027 9:00 AM (UTC+11)",
  );
});

test("TIC-2: the limit that stops a larger choice is explained", () => {
  const why = (left: number, quantity: number, limitPerOrder = 10) =>
    describeLimit({ title: "VIP Seat", left, limitPerOrder }, quantity);
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

test("TIC-1: the event's page shows the lowest price", () => {
  expect(formatPriceFrom([type({}), type({ priceCents: 5_000 })])).toBe("From $50.00 a ticket");
  expect(formatPriceFrom([type({}), type({})])).toBe("$100.00 a ticket");
  expect(formatPriceFrom([])).toBe("");
  const free = type({ priceCents: 0 });
  expect(formatPriceFrom([free, type({})])).toBe("$100.00 a ticket, some free");
  expect(formatPriceFrom([free, type({}), type({ priceCents: 5_000 })])).toBe("From $50.00 a ticket, some free");
  expect(formatPriceFrom([free, free])).toBe("Free");
});

test("TIC-1: sales open when the first type does", () => {
  const later = type({ state: "not_yet", salesFrom: "2027-01-03T00:00:00Z" });
  const sooner = type({ state: "not_yet", salesFrom: "2027-01-02T00:00:00Z" });
  expect(firstSale({ types: [later, sooner, type({ salesFrom: "2026-01-01T00:00:00Z" })] })).toBe(sooner.salesFrom);
  expect(firstSale({ types: [type({})] })).toBeNull();
});
