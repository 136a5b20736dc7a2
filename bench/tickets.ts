import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedDatabase } from "#database/embedded.ts";
import { createDatabase, createPool } from "#shared/database/connect.ts";
import { createTicketClient } from "#test/faults/ticket-client.ts";
import { makeTicketedEvent } from "#test/ticket-buyer.ts";
import { measureDonations, type Rate } from "./donations.ts";
import { median, type Running } from "./processes.ts";
import { paywayUrlOf, startSite } from "./site.ts";
import { printTable } from "./table.ts";

const CLIENTS = 8;
const EACH = 15;
const ROUNDS = 5;
const PAST_ORDERS = 1_000_000;

const say = (line: string) => process.stdout.write(`${line}\n`);
const folder = mkdtempSync(join(tmpdir(), "bench-tickets-"));

/** Orders through HTTP, from the choice of a seat to the answer that its ticket is issued; captchas and card tokens made before. */
async function measureOrders(site: Running, event: string): Promise<Rate> {
  const queues = await Promise.all(
    Array.from({ length: CLIENTS }, async (_, number) => {
      const address = `198.51.100.${number + 1}`;
      const client = createTicketClient({ url: site.url, paywayUrl: paywayUrlOf(site), address });
      const solved: Awaited<ReturnType<typeof client.solve>>[] = [];
      for (let index = 0; index < EACH; index += 1) solved.push(await client.solve());
      return { client, solved };
    }),
  );
  const took: number[] = [];
  const began = performance.now();
  await Promise.all(
    queues.map(async ({ client, solved }) => {
      for (const one of solved) {
        const chosen = performance.now();
        const held = await client.hold(event, [{ type: "standard", quantity: 1 }]);
        if (!held.ok) throw new Error(`A hold was answered ${held.status}: ${held.message}`);
        const paid = await client.pay(held.data, client.bodyOf(held.data, one));
        if (!paid.ok) throw new Error(`A payment was answered ${paid.status}: ${paid.message}`);
        took.push(performance.now() - chosen);
      }
    }),
  );
  return { perSecond: (took.length * 1000) / (performance.now() - began), milliseconds: median(took) };
}

/** Orders of years gone by, each with a payment, its events and two tickets: of this event and of others. */
async function insertPastOrders(pool: ReturnType<typeof createPool>): Promise<void> {
  const client = await pool.connect();
  try {
    // The sums are right by construction; checking each of a million would take an hour.
    await client.query("set statement_timeout = 0; alter table ticket_orders disable trigger ticket_order_sum");
    await client.query(`
      create temporary table past as
        select gen_random_uuid() as id, gen_random_uuid() as attempt, n, (array(select id from ticket_types))[1 + n % 4] as type_id,
               now() - n * interval '1 minute' as at
          from generate_series(1, ${PAST_ORDERS}) as n`);
    await client.query(`
      insert into ticket_orders (id, reference, event_id, request_hash, state, hold_until, total_cents, email, first_name,
        last_name, country, created_at, paid_at)
      select past.id, 'T-' || past.n, event_id, '\\x00', case when past.n % 10 = 0 then 'lapsed' else 'paid' end, at, 10000,
        'past' || past.n || '@example.com', 'Amina', 'Raza', 'Australia', at, at
        from past join ticket_types on ticket_types.id = type_id`);
    await client.query("insert into ticket_order_lines select id, type_id, 2, 'Standard Seat', 5000 from past");
    await client.query(`
      insert into tickets (id, order_id, type_id, position, holder_name, serial)
      select gen_random_uuid(), id, type_id, seat, 'Amina Raza', decode(lpad(to_hex(n * 2 + seat), 16, '0'), 'hex')
        from past, generate_series(1, 2) as seat where n % 10 <> 0`);
    await client.query(`
      insert into payment_attempts (id, ticket_order_id, provider, order_reference, idempotency_key, client_key, request_hash,
        instrument_hash, amount_cents, currency, state, provider_transaction_id, sent_at, settled_at, customer_address, created_at)
      select attempt, id, 'payway', 'P-' || n, gen_random_uuid(), attempt, '\\x00', sha256(attempt::text::bytea), 10000, 'AUD',
        'succeeded', 'past-' || n, at, at, '198.51.100.7', at from past where n % 10 <> 0`);
    await client.query("alter table ticket_orders enable trigger ticket_order_sum");
    await client.query("analyze");
  } finally {
    client.release(true);
  }
}

/** A site with two ticketed events of endless capacity; the first one's name. */
async function openSale(name: string) {
  const dataDir = join(folder, name);
  mkdirSync(dataDir);
  const site = await startSite(dataDir, { LIMITS_TICKET_HOLDS: "1000000", LIMITS_BREAKER_PAYMENTS: "1000000" });
  const server = await startEmbeddedDatabase({ dataDir });
  const pool = createPool(server.url, () => undefined);
  const capacity = { capacity: 10_000_000 };
  const { slug } = await makeTicketedEvent(createDatabase(pool), { vip: capacity, standard: capacity });
  await makeTicketedEvent(createDatabase(pool), { vip: capacity, standard: capacity });
  return {
    site,
    slug,
    pool,
    async close() {
      await pool.end();
      await server.stop();
      await site.stop();
    },
  };
}

const sales = [await openSale("young"), await openSale("old")] as const;
try {
  const [young, old] = sales;
  say(`Writing ${PAST_ORDERS} past orders …`);
  await insertPastOrders(old.pool);
  say("Buying …");
  const rates: [Rate[], Rate[]] = [[], []];
  const gifts: Rate[] = [];
  // In turn, so that a slow moment of the machine meets all of them.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const measured = [await measureOrders(young.site, young.slug), await measureOrders(old.site, old.slug)] as const;
    const given = await measureDonations(young.site, CLIENTS, EACH);
    if (round === 0) continue;
    measured.forEach((rate, index) => void rates[index]!.push(rate));
    gifts.push(given);
  }
  const middle = (of: readonly Rate[], key: keyof Rate) => median(of.map((rate) => rate[key]));
  const row = (what: string, [ours, reference]: [Rate[], Rate[]], to: string) => [
    {
      what: `${what}, ${CLIENTS} clients`,
      ours: middle(ours, "perSecond"),
      reference: middle(reference, "perSecond"),
      unit: "/s",
      to,
    },
    {
      what: `one of them, hold to issued`,
      ours: middle(ours, "milliseconds"),
      reference: middle(reference, "milliseconds"),
      unit: "ms",
      to,
    },
  ];
  const past = PAST_ORDERS.toLocaleString("en-AU");
  printTable([
    ...row("orders", [rates[0], gifts], "donations"),
    ...row(`orders with ${past} past ones`, [rates[1], rates[0]], "orders without"),
  ]);
} finally {
  for (const sale of sales) await sale.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}
