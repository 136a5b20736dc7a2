import { expect, test } from "vitest";
import { heldOrder, paidOrder, refund, uuid } from "#test/pages/tickets.ts";
import type { TicketOrder } from "./contract.ts";
import { describeOrder, nextPoll } from "./order-status.ts";

const payment = (state: "processing" | "action_required" | "failed") => ({ payment: { id: uuid(9), state } });
const kindOf = (changes: Partial<TicketOrder>) => describeOrder({ ...heldOrder, ...changes }).kind;

test("an unpaid order says whether its seats are held, for how long, and that nothing was charged", () => {
  expect(describeOrder(heldOrder).text).toBe(
    "They are yours for another 15 minutes. Nothing is charged yet. Pay to keep them.",
  );
  expect(describeOrder({ ...heldOrder, now: "2024-04-01T00:13:50.000Z" }).text).toContain("for less than a minute");
  expect(describeOrder({ ...heldOrder, ...payment("failed") }).text).toContain(
    "did not go through, and nothing was charged",
  );
  expect(describeOrder({ ...heldOrder, state: "lapsed" }).text).toContain("Nothing was charged.");
});

test("WAIT-2: an offer of the waiting list that has lapsed goes to the next person, not on sale", () => {
  const lapsed = { ...heldOrder, state: "lapsed" } as const;
  expect(describeOrder(lapsed).text).toContain("on sale again");
  expect(describeOrder({ ...lapsed, isOffer: true }).text).toBe(
    "The time to buy what the waiting list brought you has run out, and your seats go to the next person. Nothing was charged.",
  );
});

test("a payment in progress takes precedence over the hold, so that nobody pays twice", () => {
  for (const state of ["held", "lapsed"] as const) {
    expect(kindOf({ state, ...payment("processing") })).toBe("waiting");
    expect(kindOf({ state, ...payment("action_required") })).toBe("bank");
  }
  expect(describeOrder({ ...heldOrder, ...payment("processing") }).text).toContain("Please do not pay again.");
});

test("TIC-8: money is 'on its way back' only until it is refunded", () => {
  const refunded = { ...paidOrder, state: "refunded" } as const;
  expect(describeOrder(refunded).title).toBe("Your money is on its way back");
  expect(describeOrder({ ...refunded, refundedCents: 20_000 }).title).toBe("Your money was refunded");
});

test("the page checks automatically while something is open, less and less often, and at the end of the hold", () => {
  const waiting = { ...heldOrder, ...payment("processing") };
  expect([nextPoll(waiting, 0), nextPoll(waiting, 1), nextPoll(waiting, 50)]).toEqual([3_000, 4_500, 60_000]);
  expect(nextPoll({ ...paidOrder, ticketsUrl: null }, 0)).toBe(3_000);
  expect(nextPoll(heldOrder, 0)).toBe(60_000);
  expect(nextPoll({ ...heldOrder, now: "2024-04-01T00:14:20.000Z" }, 5)).toBe(11_000);
  const cancelled = { ...paidOrder, state: "cancelled" } as const;
  expect(nextPoll({ ...cancelled, refunds: [refund({ state: "on_its_way" })] }, 1)).toBe(4_500);
  expect(nextPoll({ ...cancelled, refunds: [refund({ state: "waiting" })] }, 0)).toBe(60_000);
  expect(nextPoll({ ...cancelled, refunds: [refund({ state: "paid" })] }, 0)).toBeNull();
  for (const state of ["lapsed", "cancelled", "refunded", "paid"] as const) {
    expect(nextPoll({ ...paidOrder, state }, 0), state).toBeNull();
  }
});

test("EVT-11, TIC-8: once the event is called off, an order says so, whether anything was charged, and that the money goes back", () => {
  const event = { ...paidOrder.event, isCalledOff: true };
  expect(describeOrder({ ...heldOrder, event })).toMatchObject({
    kind: "called_off",
    title: "This event has been called off",
    text: "No tickets are sold any more. Nothing was charged.",
  });
  const cancelled = { ...paidOrder, event, state: "cancelled" } as const;
  expect(describeOrder(cancelled).text).toBe("Your tickets are no longer valid. Your money goes back to you.");
  expect(describeOrder({ ...cancelled, totalCents: 0 }).text).toContain("nothing to refund");
  // Until it is known whether the payment is charged, nobody pays again.
  expect(describeOrder({ ...heldOrder, event, ...payment("processing") }).kind).toBe("waiting");
  expect(nextPoll({ ...paidOrder, event }, 0)).toBe(3_000);
  expect(nextPoll({ ...cancelled, refunds: [] }, 0)).toBeNull();
});
