import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TicketOrder } from "#features/tickets/contract.ts";
import { crashPoints } from "#payments/crash-points.ts";
import { compareBooks, faultsOf, noFaults } from "#test/books.ts";
import type { TestDatabase } from "#test/database.ts";
import { compareTickets, ticketsAgree } from "#test/ticket-books.ts";
import { makeTicketedEvent } from "#test/ticket-buyer.ts";
import { type CrashFixture, type CrashLife, openCrashFixture } from "./crash-fixture.ts";
import { createTicketClient } from "./ticket-client.ts";

type Life = CrashLife & { client: ReturnType<typeof createTicketClient> };

let fixture: CrashFixture;

beforeAll(async () => {
  fixture = await openCrashFixture("tickets-crash");
});
afterAll(() => fixture.stop());

/** A server with its own process and database, and a buyer who holds three seats there. */
async function begin(name: string, crashPoint: string) {
  const { db, site } = await fixture.begin(name, { PROVIDER_TIMEOUT_MS: "10000", UNKNOWN_GIVE_UP_S: "60" });
  const { paywayUrl } = fixture.simulator;
  const client = createTicketClient({ url: site.url, paywayUrl, address: "198.51.100.7" });
  const { slug } = await makeTicketedEvent(db.database);
  await site.start({ CRASH_POINT: crashPoint });
  const held = await client.hold(slug, [
    { type: "standard", quantity: 2 },
    { type: "vip", quantity: 1 },
  ]);
  if (!held.ok) throw new Error(held.message);
  return { db, site, client, order: held.data };
}

/** The order, once its money is settled and its emails are sent. */
async function untilSettled({ db, client }: Life, order: TicketOrder): Promise<TicketOrder> {
  const deadline = Date.now() + 180_000;
  for (;;) {
    const { rows } = await db.pool.query(
      `select (select count(*) from payment_attempts where state in ('submitting', 'unknown', 'processing'))
            + (select count(*) from refunds where state not in ('succeeded', 'failed'))
            + (select count(*) from pgboss.job where name = 'emails' and state in ('created', 'retry', 'active')) as open`,
    );
    const found = await client.find(order);
    if (found.ok && (Number(rows[0].open) === 0 || Date.now() > deadline)) return found.data;
    await sleep(250);
  }
}

/** One site's charges at the simulators, which all sites share. */
async function ledgerOf({ pool }: TestDatabase) {
  const { rows } = await pool.query("select order_reference, provider_transaction_id from payment_attempts");
  const references = new Set(rows.map((row) => row.order_reference));
  const charges = new Set(rows.map((row) => row.provider_transaction_id));
  return (await fixture.simulator.listLedger()).filter(
    ({ orderReference, parentId }) => references.has(orderReference) || charges.has(parentId),
  );
}

const emailsOf = async ({ pool }: TestDatabase) =>
  (await pool.query("select subject from mailbox_messages order by id")).rows.map(({ subject }) => subject as string);

// The slow ones first: they run concurrently, five at a time.
test.concurrent.each(crashPoints.toReversed())(
  "TIC-6, REL-1: killed at '%s', repeating the payment charges once and issues the tickets once",
  async (point) => {
    const life = await begin(`pay-${point}`, point);
    const { db, site, client, order } = life;
    const body = client.bodyOf(order, await client.solve());
    const key = randomUUID();
    await client.pay(order, body, key).catch(() => undefined);
    expect(await site.hasDied(), "the server dies").toBe(true);
    expect(site.signal()).toBe("SIGKILL");

    await site.start();
    expect([200, 202]).toContain((await client.pay(order, body, key)).status);
    const paid = await untilSettled(life, order);
    expect(paid).toMatchObject({ state: "paid", email: body.email });
    expect(paid.tickets).toHaveLength(3);
    expect(await client.pay(order, body, key)).toMatchObject({ ok: true, status: 200 });
    expect(faultsOf(await compareBooks(db.pool, await ledgerOf(db)))).toEqual(noFaults);
    expect(await compareTickets(db.pool)).toEqual(ticketsAgree);
    expect(await emailsOf(db)).toEqual([expect.stringMatching(/^Your tickets/)]);
  },
);

test.each(["refund_answered"])(
  "TIC-6, REL-1: killed at '%s' while cancelled tickets are refunded, they are refunded once",
  async (point) => {
    const life = await begin("cancel", point);
    const { db, site, client, order } = life;
    expect(await client.pay(order, client.bodyOf(order, await client.solve()))).toMatchObject({ ok: true });
    const { tickets } = await untilSettled(life, order);
    await client.cancel(order, tickets);
    expect(await site.hasDied(), "the server dies").toBe(true);
    await site.start();
    await client.cancel(order, tickets);
    expect(await untilSettled(life, order)).toMatchObject({ state: "cancelled", refundedCents: 20_000 });
    expect(faultsOf(await compareBooks(db.pool, await ledgerOf(db)))).toEqual(noFaults);
    expect(await compareTickets(db.pool)).toEqual(ticketsAgree);
  },
);
