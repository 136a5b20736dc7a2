import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedDatabase } from "#database/embedded.ts";
import { createDatabase, createPool } from "#shared/database/connect.ts";
import { makeTicketedEvent } from "#test/ticket-buyer.ts";
import { measureDonations, type Rate } from "./donations.ts";
import { measureOrders } from "./orders.ts";
import { median } from "./processes.ts";
import { startBenchSite } from "./site.ts";
import { print, printRows } from "./table.ts";

const CLIENTS = 8;
const EACH = 15;
const load = { clients: CLIENTS, each: EACH };
const ROUNDS = 5;
const PAST_ORDERS = 1_000_000;

const folder = mkdtempSync(join(tmpdir(), "bench-tickets-"));

/** Orders of past years, each with a payment, its events and two tickets, for this event and others. */
async function insertPastOrders(pool: ReturnType<typeof createPool>): Promise<void> {
  const client = await pool.connect();
  try {
    // In one transaction, because the running site removes old holds. The sums are right by construction, and checking
    // a million would take an hour.
    await client.query("begin; set statement_timeout = 0; alter table ticket_orders disable trigger ticket_order_sum");
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
        instrument_hash, amount_cents, currency, state, provider_transaction_id, sent_at, settled_at, customer_ip_address, created_at)
      select attempt, id, 'payway', 'P-' || n, gen_random_uuid(), attempt, '\\x00', sha256(attempt::text::bytea), 10000, 'AUD',
        'succeeded', 'past-' || n, at, at, '198.51.100.7', at from past where n % 10 <> 0`);
    await client.query("commit; alter table ticket_orders enable trigger ticket_order_sum");
    await client.query("analyze");
  } finally {
    client.release(true);
  }
}

/** A site with two ticketed events of unlimited capacity; returns the first one's name. */
async function openSale(name: string) {
  const dataDir = join(folder, name);
  mkdirSync(dataDir);
  const site = await startBenchSite(dataDir, { LIMITS_TICKET_HOLDS: "1000000", LIMITS_BREAKER_PAYMENTS: "1000000" });
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
  print(`Writing ${PAST_ORDERS} past orders …`);
  await insertPastOrders(old.pool);
  print("Buying …");
  const rates: [Rate[], Rate[]] = [[], []];
  const donations: Rate[] = [];
  // In turn, so that a slow moment affects all of them.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const measured = [
      await measureOrders(young.site, young.slug, load),
      await measureOrders(old.site, old.slug, load),
    ] as const;
    const given = await measureDonations(young.site, CLIENTS, EACH);
    if (round === 0) continue;
    measured.forEach((rate, index) => void rates[index]!.push(rate));
    donations.push(given);
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
  printRows([
    ...row("orders", [rates[0], donations], "donations"),
    ...row(`orders with ${past} past ones`, [rates[1], rates[0]], "orders without"),
  ]);
} finally {
  for (const sale of sales) await sale.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}
