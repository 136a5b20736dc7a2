import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { TicketOrder } from "#features/tickets/contract.ts";
import { readTypes } from "#features/tickets/server/seats.ts";
import { sellByStaff } from "#features/tickets/server/staff/sell-by-staff.ts";
import { controlSimulator, testCards } from "#simulators/control.ts";
import { quantile } from "../../bench/processes.ts";
import { compareBooks, faultsOf } from "../books.ts";
import { createChildSite } from "../child-site.ts";
import { createTestDatabase, type TestDatabase } from "../database.ts";
import { openSimulators } from "../simulators.ts";
import { createRandom, type Random } from "../states/random.ts";
import { compareTickets } from "../ticket-books.ts";
import { makeTicketedEvent } from "../ticket-buyer.ts";
import { createTicketClient } from "./ticket-client.ts";

const HOLD_SECONDS = 5;
const VIP_SHARE = 0.2;
/** Orders that are cancelled once the event is sold out, so that those who wait are offered seats. */
const CANCELLED = 10;

type Sale = {
  /** Seats of both types in total. */
  readonly capacity: number;
  readonly buyers: number;
  readonly attempts: number;
  readonly seed: number;
  readonly log?: (line: string) => void;
};

type Client = ReturnType<typeof createTicketClient>;
type Tally = ReturnType<typeof createTally>;

const createTally = () => ({
  holds: 0,
  soldOut: 0,
  abandoned: 0,
  paid: 0,
  declined: 0,
  uncertain: 0,
  tooLate: 0,
  /** Free orders, and refused discount codes. */
  booked: 0,
  codeRefused: 0,
  /** Entries of the waiting list, their offers that were bought, and tickets that staff gave. */
  waited: 0,
  offersBought: 0,
  given: 0,
  /** Paid orders with their buyers. */
  orders: [] as { readonly client: Client; readonly order: TicketOrder }[],
  /** Unexpected answers. */
  surprises: [] as string[],
  /** A whole hold with its captchas, which the buyers solve on one thread, and each answer alone. */
  holdMs: [] as number[],
  answerMs: [] as number[],
});

/**
 * A sale at two server processes on one database. Buyers try again and again; some abandon their holds, some cards are
 * declined and some answers are lost. Some have a discount code with few uses; one makes the order free. Some who find
 * no seats join the waiting list, and buy what it offers them; staff give tickets away. Then single seats are bought until
 * none is left.
 */
export async function runSale({ capacity, buyers, attempts, seed, log = () => undefined }: Sale) {
  const environment = await openEnvironment();
  const { db, simulator, sites } = environment;
  const vip = Math.round(capacity * VIP_SHARE);
  const event = await makeTicketedEvent(db.database, {
    vip: { capacity: vip },
    standard: { capacity: capacity - vip },
  });
  await db.database
    .insertInto("discount_codes")
    .values([
      {
        event_id: event.id,
        code: "TWENTY",
        percent: 20,
        cents: null,
        most_uses: Math.ceil(capacity / 10),
        most_per_order: 3,
      },
      {
        event_id: event.id,
        code: "FREE",
        percent: 100,
        cents: null,
        most_uses: Math.ceil(capacity / 20),
        most_per_order: 9,
      },
    ])
    .execute();
  try {
    await Promise.all(sites.map((site) => site.start()));
    for (const fault of ["error_500_after", "reset_after", "error_500_before"] as const) {
      await simulator.installFault({ match: { op: "charge", share: 0.017 }, do: fault, seed });
    }
    const watch = watchSeats(db);
    const tally = createTally();
    const began = performance.now();
    const offers = buyOffers(db, tally, environment.client(buyers + 1));
    const gifts = giveTickets(db, tally, { eventId: event.id, seconds: 3 });
    await Promise.all([
      gifts,
      ...Array.from({ length: buyers }, async (_, number) => {
        const random = createRandom(seed + number);
        const client = environment.client(number, (milliseconds) => tally.answerMs.push(milliseconds));
        for (let attempt = 0; attempt < attempts; attempt += 1) {
          await buy(tally, client, { event: event.slug, seats: chooseSeats(random), random });
        }
      }),
    ]);
    const rushSeconds = (performance.now() - began) / 1000;
    const { holdMs, answerMs, surprises, orders, ...counts } = tally;
    log(`the rush took ${rushSeconds.toFixed(1)} s: ${JSON.stringify(counts)}`);
    log(`a hold with its captcha: ${describe(holdMs)}; an answer to one: ${describe(answerMs)}`);
    await simulator.clearFaults();
    for (const { client, order } of orders.slice(0, CANCELLED)) await cancelOrder(tally, client, order);
    const last = { client: environment.client(buyers), random: createRandom(seed - 1) };
    await sellTheRest(db, (type) =>
      buy(tally, last.client, { event: event.slug, seats: [[type, 1]], random: last.random }),
    );
    await offers.stop();
    await untilDecided(db);
    return {
      ...tally,
      ...(await watch.stop()),
      rushSeconds,
      sold: Number((await db.pool.query("select sum(sold) as sold from ticket_types")).rows[0].sold),
      tickets: await compareTickets(db.pool),
      books: faultsOf(await compareBooks(db.pool, await simulator.listLedger())),
      failures: sites.flatMap(({ failures }) => failures),
      surprises,
    };
  } finally {
    await environment.close();
  }
}

function describe(milliseconds: readonly number[]): string {
  const [p50, p99] = [0.5, 0.99].map((share) => quantile(milliseconds, share).toFixed(0));
  return `p50 ${p50}, p99 ${p99}, at most ${Math.max(...milliseconds).toFixed(0)} ms`;
}

/** Two server processes on one database, and a bank. */
async function openEnvironment() {
  const dataDir = mkdtempSync(join(tmpdir(), "tickets-chaos-"));
  const [db, simulators] = await Promise.all([createTestDatabase(), openSimulators(dataDir)]);
  const simulator = controlSimulator(simulators.url);
  const { paywayUrl } = simulator;
  const environment = {
    TICKET_HOLD_S: String(HOLD_SECONDS),
    LIMITS_TICKET_HOLDS: "1000000",
    LIMITS_DECLINES: "1000000",
    LIMITS_BREAKER_PAYMENTS: "1000000",
    PROVIDER_TIMEOUT_MS: "4000",
    LOG_LEVEL: "warn",
  };
  const settings = { databaseUrl: db.url, paywayUrl, dataDir, environment };
  const sites = await Promise.all(["one", "two"].map((name) => createChildSite({ ...settings, name })));
  return {
    db,
    simulator,
    sites,
    /** Buyers alternate between the processes; each has their own address. */
    client: (number: number, onHoldAnswer: (milliseconds: number) => void = () => undefined) => {
      const address = `198.51.100.${number + 1}`;
      return createTicketClient({ url: sites[number % 2]!.url, paywayUrl, address, onHoldAnswer });
    },
    async close() {
      for (const site of sites) await site.kill();
      await Promise.all([db.stop(), simulators.stop()]);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

type Purchase = {
  readonly event: string;
  readonly seats: readonly (readonly [type: string, quantity: number])[];
  readonly random: Random;
};

/** One attempt: holds seats, then abandons them or pays; one card in twenty is declined. */
async function buy(tally: Tally, client: Client, { event, seats, random }: Purchase): Promise<void> {
  const began = performance.now();
  const lines = seats.map(([type, quantity]) => ({ type, quantity }));
  const code = random.isHit(0.1) ? "FREE" : random.isHit(0.3) ? "TWENTY" : undefined;
  let held = await client.hold(event, lines, randomUUID(), code);
  if (!held.ok && held.error === "code_refused") {
    tally.codeRefused += 1;
    held = await client.hold(event, lines);
  }
  tally.holdMs.push(performance.now() - began);
  tally.holds += 1;
  if (!held.ok) {
    if (held.error === "seats_gone") {
      tally.soldOut += 1;
      if (random.isHit(0.2)) await joinList(tally, client, { event, type: lines[0]!.type, random });
    } else tally.surprises.push(`hold: ${held.status} ${held.error} ${held.message}`);
    return;
  }
  if (random.isHit(0.1)) {
    tally.abandoned += 1;
    return;
  }
  if (held.data.totalCents === 0) {
    const booked = await client.book(held.data);
    if (booked.ok) tally.booked += 1;
    else if (booked.error === "hold_lapsed") tally.tooLate += 1;
    else tally.surprises.push(`book: ${booked.status} ${booked.error} ${booked.message}`);
    return;
  }
  const card = random.isHit(0.05) ? testCards.declined : testCards.approved;
  const answer = await client.pay(held.data, client.bodyOf(held.data, await client.solve(card)));
  if (answer.ok) {
    tally.paid += 1;
    tally.orders.push({ client, order: held.data });
  } else if (answer.status === 402) tally.declined += 1;
  else if (answer.status === 202) tally.uncertain += 1;
  else if (answer.error === "hold_lapsed") tally.tooLate += 1;
  else tally.surprises.push(`pay: ${answer.status} ${answer.error} ${answer.message}`);
}

/** The whole order: a refund of a part would wait until the bank has settled the charge. */
async function cancelOrder(tally: Tally, client: Client, order: TicketOrder): Promise<void> {
  const found = await client.find(order);
  const answer = found.ok ? await client.cancel(order, found.data.tickets) : found;
  if (!answer.ok) tally.surprises.push(`cancel: ${answer.status} ${answer.error} ${answer.message}`);
}

type Joining = {
  readonly event: string;
  readonly type: string;
  readonly random: Random;
};

/** For one seat each, since a larger entry would keep seats for a day. */
async function joinList(tally: Tally, client: Client, { event, type, random }: Joining): Promise<void> {
  const email = `waits-${random.below(1_000_000)}@buyers.example`;
  const answer = await client.waitFor(event, type, 1, email);
  if (answer.ok) tally.waited += 1;
  // Seats may have come free meanwhile, and thirty people of one address may join in an hour.
  else if (answer.error !== "not_sold_out" && answer.error !== "too_many_entries")
    tally.surprises.push(`wait: ${answer.status} ${answer.error} ${answer.message}`);
}

/** Buys whatever is offered to those who wait, by the links in their emails. */
function buyOffers({ pool }: TestDatabase, tally: Tally, client: Client) {
  let isOver = false;
  const bought = new Set<string>();
  const buying = (async () => {
    while (!isOver) {
      const { rows } = await pool.query("select text_body from mailbox_messages where subject like 'Your seats for %'");
      for (const { text_body } of rows) {
        const [link, id, key] = /\/ticket-orders\/([0-9a-f-]{36})\?key=(\S+)/.exec(text_body)!;
        if (bought.has(link)) continue;
        const found = await client.find({ id: id!, key: key! });
        if (!found.ok || found.data.state !== "held") continue;
        const answer = await client.pay(found.data, client.bodyOf(found.data, await client.solve()));
        // A lost answer is found out by the site; the order then is paid or held again.
        if (answer.ok) tally.offersBought += 1;
        if (answer.ok) bought.add(link);
      }
      await sleep(200);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await buying;
    },
  };
}

/** Staff give two tickets at a time, now and then, while seats are left. */
async function giveTickets(
  { database, pool }: TestDatabase,
  tally: Tally,
  { eventId, seconds }: { readonly eventId: number; readonly seconds: number },
): Promise<void> {
  const { rows } = await pool.query(
    "insert into staff (name, email, roles, state, created_at) values ('Sana Malik', 'sana@example.org', '{events}', 'active', now()) returning id",
  );
  const type = (await readTypes(database, eventId))[0]!;
  const buyer = { firstName: "Guest", lastName: "Of Honour", email: "guest@buyers.example" };
  for (let time = 0; time < 10; time += 1) {
    await sleep((seconds * 1000) / 10);
    const sold = await database
      .transaction()
      .execute((transaction) =>
        sellByStaff(transaction, {
          eventId,
          key: randomUUID(),
          wanted: [{ type, quantity: 2 }],
          buyer,
          isPaidAtDoor: false,
          staffId: Number(rows[0].id),
          at: new Date(),
        }),
      )
      // A refusal ends the transaction.
      .catch(() => undefined);
    if (sold?.kind === "sold") tally.given += 1;
  }
}

/** One to four seats: in every third choice two lines of one type, otherwise both types in either order. */
function chooseSeats(random: Random): [string, number][] {
  const type = random.isHit(0.3) ? "vip" : "standard";
  const quantity = 1 + random.below(4);
  if (quantity === 1 || random.isHit(0.4)) return [[type, quantity]];
  const second = random.isHit(0.5) ? type : type === "vip" ? "standard" : "vip";
  return [
    [type, quantity - 1],
    [second, 1],
  ];
}

/** Keeps checking from outside how many seats are promised, by the counters and by orders and tickets. */
function watchSeats({ pool }: TestDatabase) {
  const seen = { checks: 0, oversold: 0, longestOverdueMs: 0 };
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const { rows } = await pool.query(
        `select t.capacity, t.sold + t.held as counted,
           (select count(*) from tickets k where k.type_id = t.id and k.cancelled_at is null)
           + (select coalesce(sum(l.quantity), 0) from ticket_order_lines l join ticket_orders o on o.id = l.order_id
               where l.type_id = t.id and o.state = 'held') as promised,
           (select coalesce(extract(epoch from now() - min(hold_until)) * 1000, 0) from ticket_orders
             where state = 'held' and hold_until < now()) as overdue
         from ticket_types t`,
      );
      seen.checks += 1;
      for (const { capacity, counted, promised, overdue } of rows) {
        if (counted > capacity || Number(promised) > capacity) seen.oversold += 1;
        seen.longestOverdueMs = Math.max(seen.longestOverdueMs, Number(overdue));
      }
      await sleep(20);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await watching;
      return seen;
    },
  };
}

/** Buys single seats as abandoned ones become free, until every type is sold out. */
async function sellTheRest({ pool }: TestDatabase, buyOne: (type: string) => Promise<void>) {
  const deadline = Date.now() + 90_000;
  for (;;) {
    const { rows } = await pool.query("select code, capacity - sold as left from ticket_types where sold < capacity");
    if (rows.length === 0) return;
    if (Date.now() > deadline) throw new Error(`Seats could not be sold: ${JSON.stringify(rows)}`);
    for (const { code, left } of rows) {
      for (let seat = 0; seat < Math.min(left, 20); seat += 1) await buyOne(code);
    }
    await sleep(250);
  }
}

async function untilDecided({ pool }: TestDatabase) {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const { rows } = await pool.query(
      `select (select count(*) from payment_attempts where state in ('submitting', 'unknown', 'processing'))
            + (select count(*) from refunds where state not in ('succeeded', 'failed')) as open`,
    );
    if (Number(rows[0].open) === 0 || Date.now() > deadline) return;
    await sleep(250);
  }
}
