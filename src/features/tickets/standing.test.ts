import { expect, test } from "vitest";
import { heldOrder, paidOrder, refund, uuid } from "#test/pages/tickets.ts";
import type { TicketOrder } from "./contract.ts";
import { nextLook, sayStanding } from "./standing.ts";

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

test("TIC-8: money is 'on its way back' only until it is back", () => {
  const refunded = { ...paidOrder, state: "refunded" } as const;
  expect(sayStanding(refunded).title).toBe("Your money is on its way back");
  expect(sayStanding({ ...refunded, refundedCents: 20_000 }).title).toBe("Your money was refunded");
});

test("the page looks again by itself while something is open, less and less often, and at the end of the hold", () => {
  const waiting = { ...heldOrder, ...payment("processing") };
  expect([nextLook(waiting, 0), nextLook(waiting, 1), nextLook(waiting, 50)]).toEqual([3_000, 4_500, 60_000]);
  expect(nextLook({ ...paidOrder, ticketsUrl: null }, 0)).toBe(3_000);
  expect(nextLook(heldOrder, 0)).toBe(60_000);
  expect(nextLook({ ...heldOrder, now: "2024-04-01T00:14:20.000Z" }, 5)).toBe(11_000);
  const cancelled = { ...paidOrder, state: "cancelled" } as const;
  expect(nextLook({ ...cancelled, refunds: [refund({ state: "on_its_way" })] }, 1)).toBe(4_500);
  expect(nextLook({ ...cancelled, refunds: [refund({ state: "waiting" })] }, 0)).toBe(60_000);
  expect(nextLook({ ...cancelled, refunds: [refund({ state: "paid" })] }, 0)).toBeNull();
  for (const state of ["lapsed", "cancelled", "refunded", "paid"] as const) {
    expect(nextLook({ ...paidOrder, state }, 0), state).toBeNull();
  }
});
