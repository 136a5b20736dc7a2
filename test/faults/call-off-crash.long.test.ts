import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeStaff } from "#database/factories.ts";
import { compareBooks, faultsOf, noFaults } from "#test/books.ts";
import type { TestDatabase } from "#test/database.ts";
import { compareTickets, ticketsAgree } from "#test/ticket-books.ts";
import { makeTicketedEvent } from "#test/ticket-buyer.ts";
import { type CrashFixture, openCrashFixture } from "./crash-fixture.ts";
import { createTicketClient } from "./ticket-client.ts";

let fixture: CrashFixture;
beforeAll(async () => {
  fixture = await openCrashFixture("call-off-crash");
});
afterAll(() => fixture.stop());

const ORDERS = 6;

/** Six paid orders of an event, on a server of their own that is stopped again. */
async function sell(name: string) {
  const { db, site } = await fixture.begin(name, { PROVIDER_TIMEOUT_MS: "10000", LIMITS_TICKET_HOLDS: "1000" });
  const event = await makeTicketedEvent(db.database);
  await site.start();
  for (let index = 0; index < ORDERS; index += 1) {
    const address = `198.51.100.${index + 1}`;
    const client = createTicketClient({ url: site.url, paywayUrl: fixture.simulator.paywayUrl, address });
    const held = await client.hold(event.slug, [{ type: "vip", quantity: 1 }]);
    if (!held.ok) throw new Error(held.message);
    expect(await client.pay(held.data, client.bodyOf(held.data, await client.solve()))).toMatchObject({ ok: true });
  }
  await site.stop();
  return { db, site, event };
}

/** As if one person had asked and another had approved. */
async function callOff({ database, pool }: TestDatabase, eventId: number) {
  const [requester, approver] = [await makeStaff(database), await makeStaff(database)];
  await pool.query(
    `insert into call_off_requests (id, event_id, reason, requested_by, requested_at, decision, decided_by, decided_at)
     values ($1, $2, 'A storm', $3, now(), 'approved', $4, now())`,
    [randomUUID(), eventId, requester.id, approver.id],
  );
  await pool.query("update events set called_off_at = now() where id = $1", [eventId]);
}

async function countOpen({ pool }: TestDatabase): Promise<number> {
  const { rows } = await pool.query(
    `select ((select count(*) from ticket_orders where state = 'paid')
           + (select count(*) from refunds where state not in ('succeeded', 'failed'))
           + (select count(*) from call_off_requests where finished_at is null)
           + (select count(*) from pgboss.job where name = 'emails' and state in ('created', 'retry', 'active')))::integer as open`,
  );
  return rows[0].open;
}

/** One site's entries at the simulators, which all sites share. */
async function ledgerOf({ pool }: TestDatabase) {
  const { rows } = await pool.query("select order_reference, provider_transaction_id from payment_attempts");
  const references = new Set(rows.map((row) => row.order_reference));
  const charges = new Set(rows.map((row) => row.provider_transaction_id));
  return (await fixture.simulator.listLedger()).filter(
    ({ orderReference, parentId }) => references.has(orderReference) || charges.has(parentId),
  );
}

test.each(["refund_sending:2", "refund_answered:3", "mail_sent:2"])(
  "EVT-10, EVT-11: killed at '%s' while orders of a called-off event are refunded, every order is refunded and emailed once",
  async (point) => {
    const { db, site, event } = await sell(point.replace(":", "-"));
    await callOff(db, event.id);
    await db.pool.query("delete from pgboss.job where name = 'emails' and state <> 'completed'");
    await db.pool.query("truncate mailbox_messages");
    await site.start({ CRASH_POINT: point });
    expect(await site.hasDied(), "the server dies").toBe(true);
    expect(site.signal()).toBe("SIGKILL");
    await site.start();
    await expect.poll(() => countOpen(db), { timeout: 180_000, interval: 250 }).toBe(0);
    const { rows } = await db.pool.query(
      `select state, (select count(*)::integer from refunds join payment_attempts a on a.id = attempt_id
                       where ticket_order_id = orders.id and refunds.state = 'succeeded') as refunds
         from ticket_orders orders`,
    );
    expect(rows).toEqual(Array(ORDERS).fill({ state: "cancelled", refunds: 1 }));
    const emails = await db.pool.query("select distinct message_id, subject from mailbox_messages");
    expect(emails.rows.map(({ subject }) => subject)).toEqual(Array(ORDERS).fill("Charity dinner has been called off"));
    expect(faultsOf(await compareBooks(db.pool, await ledgerOf(db)))).toEqual(noFaults);
    expect(await compareTickets(db.pool)).toEqual(ticketsAgree);
  },
);
