import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { sendEmails } from "#app/emails.ts";
import { createTestDatabase } from "#test/database.ts";
import { openTestSite, type TestSite } from "#test/site.ts";
import { createBuyer, makeTicketedEvent } from "#test/ticket-buyer.ts";

const TIMES = 12;

/** How often each text with parameters runs from now on, and how often as a prepared statement. */
function countRuns() {
  const runs = new Map<string, { times: number; prepared: number }>();
  const { query } = pg.Client.prototype;
  const spy = vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const [statement, values] = args as [{ text?: string; name?: string }, unknown];
    if (Array.isArray(values) && statement.text !== undefined) {
      const { times, prepared } = runs.get(statement.text) ?? { times: 0, prepared: 0 };
      runs.set(statement.text, { times: times + 1, prepared: prepared + (statement.name === undefined ? 0 : 1) });
    }
    return Reflect.apply(query, this, args);
  } as never);
  onTestFinished(() => spy.mockRestore());
  return runs;
}

const list = async ({ pool }: TestSite, table: string) => (await pool.query(`select id from ${table}`)).rows;

test("PERF-13: what donations, ticket orders and their emails read is prepared", async () => {
  const site = await openTestSite({ LIMITS_TICKET_HOLDS: "1000" });
  onTestFinished(() => site.close());
  const runs = countRuns();
  const visitor = await site.visitor();
  for (let time = 0; time < TIMES; time += 1) await site.give(visitor, { changes: { repeat: true } });
  const event = await makeTicketedEvent(site.database);
  const buyer = createBuyer(site, visitor);
  for (let time = 0; time < TIMES; time += 1) await buyer.book(event.slug, [{ type: "standard", quantity: 1 }]);
  const send = sendEmails(site.services);
  for (const { id: donationId } of await list(site, "donations")) {
    await send({ template: "receipt", donationId });
    await send({ template: "new-donation", donationId });
  }
  for (const { id: orderId } of await list(site, "ticket_orders")) await send({ template: "tickets", orderId });
  expect(await list(site, "mailbox_messages")).toHaveLength(3 * TIMES);

  const often = [...runs].filter(([, { times }]) => times >= TIMES);
  expect(often.length).toBeGreaterThan(12);
  expect(often.filter(([, { prepared }]) => prepared === 0).map(([text]) => text)).toEqual([]);
});

test("PERF-13: a connection plans the statements of a donation’s and an order’s functions once", async () => {
  const db = await createTestDatabase();
  onTestFinished(() => db.stop());
  const { rows } = await db.pool.query(
    "select proname from pg_proc where 'plan_cache_mode=force_generic_plan' = any(proconfig) order by proname",
  );
  // Whoever replaces one of them has to set this again.
  expect(rows.map(({ proname }) => proname)).toEqual([
    "hold_seats",
    "record_donation",
    "record_ticket_payment",
    "see_holds",
    "settle_donation",
    "settle_ticket_order",
  ]);
});
