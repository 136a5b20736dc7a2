import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { countMessages } from "#test/count-messages.ts";
import { openTestSite, type TestSite } from "#test/site.ts";
import { createBuyer, makeTicketedEvent } from "#test/ticket-buyer.ts";
import { ticketReads } from "./ticket-reads.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
});
afterAll(() => site.close());

test("PERF-8: an order’s page is read in two messages side by side, and the choice of tickets in two", async () => {
  const event = await makeTicketedEvent(site.database);
  const { order } = await createBuyer(site, await site.visitor()).book(event.slug, [{ type: "vip", quantity: 1 }]);
  const reads = ticketReads(site.services);
  const readOrder = () => reads.findTicketOrder(order.id, order.key);
  const readChoice = () => reads.findTicketedEvent(event.slug);
  for (let time = 0; time < 20; time += 1) await Promise.all([readOrder(), readChoice()]);
  expect(await countMessages(readOrder)).toBe(2);
  expect(await countMessages(readChoice)).toBe(2);
  expect(await readOrder()).toMatchObject({ id: order.id, event: { slug: event.slug } });
});

test("PERF-2, PERF-8: after a few visits all that an order’s page and the choice of tickets ask is prepared", async () => {
  const event = await makeTicketedEvent(site.database);
  const { order } = await createBuyer(site, await site.visitor()).book(event.slug, [{ type: "vip", quantity: 1 }]);
  const reads = ticketReads(site.services);
  const visit = async () => {
    await reads.findTicketOrder(order.id, order.key);
    await reads.findTicketedEvent(event.slug);
  };
  for (let time = 0; time < 5; time += 1) await visit();
  const query = vi.spyOn(pg.Client.prototype, "query");
  await visit();
  const asked = query.mock.calls.map(
    ([config]) => config as unknown as { readonly name?: string; readonly text: string },
  );
  query.mockRestore();
  const own = asked.filter(({ text }) => /ticket_order_id"? = |from "ticket_types"/.test(text));
  expect(own.length).toBeGreaterThan(2);
  expect(own.filter(({ name }) => name === undefined)).toEqual([]);
});

test("PERF-8: a key that is not the order’s own reads nothing", async () => {
  const reads = ticketReads(site.services);
  const ask = async () => expect(await reads.findTicketOrder(randomUUID(), "A".repeat(43))).toBeNull();
  expect(await countMessages(ask)).toBe(0);
});
