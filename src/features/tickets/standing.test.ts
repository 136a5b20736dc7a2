import { expect, test } from "vitest";
import type { TicketOrder } from "./contract.ts";
import { nextLook, sayStanding } from "./standing.ts";
import { heldOrder, paidOrder, uuid } from "./ui/test-tickets.ts";

const payment = (state: "processing" | "action_required" | "failed") => ({ payment: { id: uuid(9), state } });
const kindOf = (changes: Partial<TicketOrder>) => sayStanding({ ...heldOrder, ...changes }).kind;

test("an order that is not paid says whether its seats are held, for how long, and that nothing was charged", () => {
  expect(sayStanding(heldOrder).says).toBe(
    "They are yours for another 15 minutes. Nothing is charged yet. Pay to keep them.",
  );
  expect(sayStanding({ ...heldOrder, now: "2024-04-01T00:13:50.000Z" }).says).toContain("for less than a minute");
  expect(sayStanding({ ...heldOrder, ...payment("failed") }).says).toContain(
    "did not go through, and nothing was charged",
  );
  expect(sayStanding({ ...heldOrder, state: "lapsed" }).says).toContain("Nothing was charged.");
});

test("a payment under way outweighs the hold, so that nobody pays twice", () => {
  for (const state of ["held", "lapsed"] as const) {
    expect(kindOf({ state, ...payment("processing") })).toBe("waiting");
    expect(kindOf({ state, ...payment("action_required") })).toBe("bank");
  }
  expect(sayStanding({ ...heldOrder, ...payment("processing") }).says).toContain("Please do not pay again.");
});

test("what was given back is named, and where it goes", () => {
  const all = { ...paidOrder, refundedCents: 20_000 };
  expect(sayStanding({ ...all, state: "cancelled" }).says).toContain(
    "We gave $200.00 back to the card or PayPal account",
  );
  expect(sayStanding({ ...all, state: "refunded" }).says).toContain("others had taken them. We are sorry.");
  expect(sayStanding({ ...paidOrder, state: "cancelled" }).says).not.toContain("gave");
  expect(sayStanding({ ...paidOrder, refundedCents: 5_000 }).says).toBe(
    "You paid $200.00. $50.00 of it was given back. We sent the tickets to amina@example.com.",
  );
});

test("the page looks again by itself while something is open, less and less often, and at the end of the hold", () => {
  const waiting = { ...heldOrder, ...payment("processing") };
  expect([nextLook(waiting, 0), nextLook(waiting, 1), nextLook(waiting, 50)]).toEqual([3_000, 4_500, 60_000]);
  expect(nextLook({ ...paidOrder, ticketsUrl: null }, 0)).toBe(3_000);
  expect(nextLook(heldOrder, 0)).toBe(60_000);
  expect(nextLook({ ...heldOrder, now: "2024-04-01T00:14:20.000Z" }, 5)).toBe(11_000);
  for (const state of ["lapsed", "cancelled", "refunded", "paid"] as const) {
    expect(nextLook({ ...paidOrder, state }, 0), state).toBeNull();
  }
});
