import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { expectBooksAgree } from "#test/expect-books.ts";
import { openTestSite, type TestSite } from "#test/site.ts";
import { compareTickets, ticketsAgree } from "#test/ticket-books.ts";
import { countSeats, createBuyer, makeTicketedEvent, settleRefunds } from "#test/ticket-buyer.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite({ LIMITS_TICKET_HOLDS: "1000" });
});
afterEach(async () => {
  await site.simulator.clearFaults();
  await settleRefunds(site);
  await expectBooksAgree(site);
  expect(await compareTickets(site.pool)).toEqual(ticketsAgree);
});
afterAll(() => site.close());

async function bookThree(startsInDays = 100) {
  const startsAt = new Date(site.clock.now().getTime() + startsInDays * 86_400_000);
  const event = await makeTicketedEvent(site.database, { startsAt });
  const buyer = createBuyer(site, await site.visitor());
  const { order } = await buyer.book(event.slug, [
    { type: "vip", quantity: 1 },
    { type: "standard", quantity: 2 },
  ]);
  const { tickets } = (await buyer.find(order)).data;
  return { event, buyer, order, tickets: tickets as { id: string; number: string; type: string }[] };
}

test("TIC-6: cancelling one of three tickets refunds its price and frees its seat; the others stay valid", async () => {
  const { event, buyer, order, tickets } = await bookThree();
  const cancelled = await buyer.cancel(order, [tickets[1]!.id]);
  expect(cancelled).toMatchObject({ code: "200", data: { state: "paid" } });
  expect(cancelled.data.tickets.map(({ isCancelled }: { isCancelled: boolean }) => isCancelled)).toEqual([
    false,
    true,
    false,
  ]);
  expect(await countSeats(site, event.id)).toMatchObject({ vip: { sold: 1 }, standard: { sold: 1 } });
  await settleRefunds(site);
  expect((await buyer.find(order)).data).toMatchObject({ refunded: 50, state: "paid" });
  // Cancelling it again changes nothing and refunds nothing more.
  expect((await buyer.cancel(order, [tickets[1]!.id])).code).toBe("200");
  await settleRefunds(site);
  expect((await buyer.find(order)).data.refunded).toBe(50);
});

test("TIC-6: ten simultaneous copies of a cancellation refund once", async () => {
  const { buyer, order, tickets, event } = await bookThree();
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => buyer.cancel(order, [tickets[0]!.id, tickets[2]!.id])),
  );
  expect(answers.every(({ code }) => code === "200")).toBe(true);
  await settleRefunds(site);
  expect((await buyer.find(order)).data.refunded).toBe(150);
  expect(await countSeats(site, event.id)).toMatchObject({ vip: { sold: 0 }, standard: { sold: 1 } });
});

test("TIC-6: cancelling the last ticket cancels the order and refunds the rest", async () => {
  const { buyer, order, tickets } = await bookThree();
  await buyer.cancel(order, [tickets[0]!.id]);
  await settleRefunds(site);
  const last = await buyer.cancel(order, [tickets[1]!.id, tickets[2]!.id]);
  expect(last.data).toMatchObject({ state: "cancelled", ticketsUrl: null, calendarUrl: null, cancelUntil: null });
  await settleRefunds(site);
  expect((await buyer.find(order)).data.refunded).toBe(200);
});

test("TIC-6, API-9: tickets can be cancelled until two days before the event, and an order is found only with the link", async () => {
  const { buyer, order, tickets, event } = await bookThree(3);
  const others = await bookThree();
  expect((await buyer.find(order)).data.cancelUntil).not.toBeNull();
  expect((await buyer.cancel({ ...order, key: others.order.key }, [tickets[0]!.id])).code).toBe("404");
  const { body } = await site.app.inject(`/api/ticket-orders/${order.id}`);
  expect(JSON.parse(body)).toMatchObject({ code: "404", error: "not_found" });
  expect((await buyer.cancel(order, [others.tickets[0]!.id])).code).toBe("404");
  expect((await buyer.cancel(order, [])).code).toBe("422");
  site.clock.advance(86_400_000 + 1000);
  expect((await buyer.find(order)).data.cancelUntil).toBeNull();
  expect(await buyer.cancel(order, [tickets[0]!.id])).toMatchObject({ code: "409", error: "cannot_cancel" });
  expect(await countSeats(site, event.id)).toMatchObject({ vip: { sold: 1, issued: 1 }, standard: { sold: 2 } });
});

test("TIC-6: a held order has no tickets to cancel", async () => {
  const event = await makeTicketedEvent(site.database);
  const buyer = createBuyer(site, await site.visitor());
  const { data: order } = await buyer.hold(event.slug, [{ type: "vip", quantity: 1 }]);
  expect(await buyer.cancel(order, [order.id])).toMatchObject({ code: "409", error: "cannot_cancel" });
});

test("TIC-6: a full refund by staff cancels every ticket and frees the seats", async () => {
  const { buyer, order, tickets, event } = await bookThree();
  await buyer.cancel(order, [tickets[1]!.id]);
  await settleRefunds(site);
  const attemptId = (await buyer.find(order)).data.payment.id;
  const requested = {
    attemptId,
    amountCents: null,
    requestKey: `staff ${order.id}`,
    requestedBy: "staff",
    reason: "",
  } as const;
  expect((await site.services.payments.refunds.request(requested)).ok).toBe(true);
  await settleRefunds(site);
  const { data } = await buyer.find(order);
  expect(data).toMatchObject({ state: "cancelled", refunded: 200 });
  expect(data.tickets.map(({ isCancelled }: { isCancelled: boolean }) => isCancelled)).toEqual([true, true, true]);
  expect(await countSeats(site, event.id)).toMatchObject({ vip: { sold: 0 }, standard: { sold: 0 } });
});

test("TIC-6: cancelling a ticket does not repeat a refund by staff", async () => {
  const { buyer, order, tickets, event } = await bookThree();
  const attemptId = (await buyer.find(order)).data.payment.id;
  const requested = {
    attemptId,
    amountCents: 15_000,
    requestKey: `part ${order.id}`,
    requestedBy: "staff",
    reason: "",
  } as const;
  await site.services.payments.refunds.request(requested);
  await site.simulator.advance(25 * 3_600_000);
  await site.services.payments.tick(site.clock.now());
  expect(await buyer.cancel(order, [tickets[0]!.id])).toMatchObject({ code: "409", error: "cannot_cancel" });
  expect(await countSeats(site, event.id)).toMatchObject({ vip: { sold: 1 }, standard: { sold: 2 } });
});

test("TIC-6: a holder's name in any script replaces the old one, but not on a cancelled ticket or another order's", async () => {
  const { buyer, order, tickets } = await bookThree();
  const others = await bookThree();
  const renamed = await buyer.rename(order, tickets[1]!.id, "  آمنہ رضا ");
  expect(renamed.data.tickets[1]).toMatchObject({ holder: "آمنہ رضا", number: tickets[1]!.number });
  expect((await buyer.rename(order, others.tickets[0]!.id, "Eve")).code).toBe("404");
  expect((await buyer.rename(order, tickets[0]!.id, " ")).data).toEqual({
    name: ["Enter the name of the person attending"],
  });
  expect((await buyer.rename(order, tickets[0]!.id, "Two\nlines")).code).toBe("422");
  await buyer.cancel(order, [tickets[0]!.id]);
  expect((await buyer.rename(order, tickets[0]!.id, "Eve")).code).toBe("404");
});
