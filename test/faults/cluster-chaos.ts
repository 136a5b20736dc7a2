import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { migrate } from "#database/migrate.ts";
import { createDatabase, createPool, type Database } from "#shared/database/connect.ts";
import { seededRandom } from "#shared/seeded-random.ts";
import { controlSimulator, type SimulatorControl } from "#simulators/control.ts";
import { type ChildSite, createChildSite, defaultDurations } from "../child-site.ts";
import { type Loss, losses, openPatroniCluster, type PatroniCluster } from "../patroni.ts";
import { openSimulators } from "../simulators.ts";
import { compareTickets } from "../ticket-books.ts";
import { makeTicketedEvent } from "../ticket-buyer.ts";
import { untilQuiet } from "./donations-chaos.ts";
import { type Breaches, findBreaches } from "./donations-chaos-books.ts";
import { createScriptedDonor, type SentDonation } from "./donor.ts";
import { createTicketClient } from "./ticket-client.ts";

const DONORS = 4;
const BUYERS = 2;
/** Between two donations of a donor, so that two cores have time left for three servers. */
const PAUSE_MS = 200;
/** How long donors wait for a definite answer before they leave until the end: the next donation shows that all is well. */
const PATIENCE_MS = 1500;
/** These only end what hangs: emails have a lower priority than donors. */
const AGAIN_MS = 300_000;
const QUIET_MS = 600_000;

type ClusterChaosOptions = {
  /** The source of amounts, and of the moments and order of the losses. */
  readonly seed: number;
  /** How often the primary is lost. */
  readonly kills: number;
  readonly log?: (line: string) => void;
};

/** One loss of the primary, and the milliseconds from it to the first success of a donation and an order sent after it. */
type Recovery = { readonly loss: Loss; readonly donationMs: number; readonly orderMs: number };

type Environment = {
  readonly cluster: PatroniCluster;
  readonly sites: readonly ChildSite[];
  readonly simulator: SimulatorControl;
  readonly pool: pg.Pool;
  readonly database: Database;
  readonly dataDir: string;
};
type Success = { readonly kind: "donation" | "order"; readonly sentAt: number; readonly at: number };

/** What donors and buyers did. */
type Tally = {
  readonly donations: SentDonation[];
  /** The orders that were acknowledged as paid. */
  readonly orders: string[];
  readonly successes: Success[];
  readonly surprises: string[];
  readonly answers: Record<string, number>;
};

/**
 * Donors donate and buyers buy tickets at two processes, one of them through PgBouncer, while the primary of a cluster is
 * lost again and again. Then compares the books with each other and with what everybody was told.
 */
export async function runClusterChaos({ seed, kills, log = () => undefined }: ClusterChaosOptions) {
  const random = seededRandom(seed);
  const stops: (() => Promise<unknown>)[] = [];
  try {
    const environment = await openEnvironment(stops);
    const { sites, pool, database, dataDir, simulator } = environment;
    const event = await makeTicketedEvent(database, { standard: { capacity: 1_000_000 } });
    const pids = sites.map((site) => site.pid());
    const tally: Tally = { donations: [], orders: [], successes: [], surprises: [], answers: {} };
    const visitors = startVisitors(environment, { event: event.slug, random, seed, tally });
    const recoveries = await loseAgainAndAgain(environment.cluster, { kills, random, tally, log });
    await visitors.stop();
    log("the losses are over");
    const { settledMs, drainedMs } = await untilQuiet(database, QUIET_MS);
    await askAgain(environment, tally, random);
    const { donations, answers, surprises } = tally;
    const { breaches, succeeded, failed } = await findBreaches({
      database,
      pool,
      simulator,
      dataDir,
      donations,
      answers,
      findings: [],
      logFiles: sites.map(({ logFile }) => logFile),
      failures: sites.flatMap((site, nth) => [
        ...site.failures,
        ...(site.pid() === pids[nth] ? [] : ["a new process"]),
      ]),
    });
    const all: Breaches = {
      ...breaches,
      ...(await findTicketBreaches(pool, tally)),
      ...(surprises.length > 0 && { surprises }),
    };
    return {
      donations: donations.length,
      succeeded,
      failed,
      orders: tally.orders.length,
      answers,
      recoveries,
      settledMs,
      drainedMs,
      breaches: all,
    };
  } finally {
    for (const stop of stops.reverse()) await stop().catch((error: Error) => log(error.message));
  }
}

async function openEnvironment(stops: (() => Promise<unknown>)[]): Promise<Environment> {
  const dataDir = mkdtempSync(join(tmpdir(), "cluster-chaos-"));
  stops.push(async () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
  const cluster = await openPatroniCluster();
  stops.push(cluster.stop);
  const simulators = await openSimulators(dataDir);
  stops.push(simulators.stop);
  const simulator = controlSimulator(simulators.url);
  await migrate(cluster.urls.haproxy);
  const environment = {
    ...defaultDurations,
    LOG_LEVEL: "warn",
    LIMITS_DECLINES: "1000000",
    LIMITS_TICKET_HOLDS: "1000000",
    LIMITS_BREAKER_PAYMENTS: "1000000",
  };
  const sites = await Promise.all(
    Object.entries(cluster.urls).map(([name, databaseUrl]) =>
      createChildSite({ name, databaseUrl, paywayUrl: simulator.paywayUrl, dataDir, environment }),
    ),
  );
  for (const site of sites) {
    stops.push(site.stop);
    await site.start();
  }
  const pool = createPool(cluster.urls.haproxy, () => undefined);
  const database = createDatabase(pool);
  stops.push(() => database.destroy());
  return { cluster, sites, simulator, pool, database, dataDir };
}

type Visiting = { readonly event: string; readonly random: () => number; readonly seed: number; readonly tally: Tally };

/** Donors and buyers, half at each process, who carry on until `stop`. */
function startVisitors({ sites, simulator: { paywayUrl } }: Environment, { event, random, seed, tally }: Visiting) {
  let isOver = false;
  const onAnswer = (status: number) => {
    tally.answers[status] = (tally.answers[status] ?? 0) + 1;
  };
  const placeOf = (visitor: number) => {
    const { url } = sites[visitor % sites.length]!;
    return { url, paywayUrl, address: `198.51.100.${visitor + 1}`, random };
  };
  const noteSuccess = (kind: Success["kind"], sentAt: number) =>
    tally.successes.push({ kind, sentAt, at: performance.now() });
  async function donate(number: number) {
    const donor = createScriptedDonor({ ...placeOf(number), payPalShare: 0.3, onAnswer });
    for (let nth = 0; !isOver; nth += 1) {
      const { donation, body } = await donor.prepare(`donor-${seed}-${number}-${nth}`);
      tally.donations.push(donation);
      const sentAt = performance.now();
      await donor.submit(donation, body, PATIENCE_MS);
      if (donation.told.at(-1) === "succeeded") noteSuccess("donation", sentAt);
      await sleep(PAUSE_MS);
    }
  }
  async function buy(number: number) {
    const buyer = createTicketClient(placeOf(number));
    while (!isOver) {
      const sentAt = performance.now();
      const order = await buyTickets(buyer, event, tally);
      if (order !== undefined) {
        tally.orders.push(order);
        noteSuccess("order", sentAt);
      }
      await sleep(PAUSE_MS);
    }
  }
  const running = Promise.all([
    ...Array.from({ length: DONORS }, (_, number) => donate(number)),
    ...Array.from({ length: BUYERS }, (_, number) => buy(DONORS + number)),
  ]);
  running.catch(() => undefined);
  return {
    async stop() {
      isOver = true;
      await running;
    },
  };
}

/** Buys two seats, repeating each call with the same key until it has a definite answer. Returns the paid order's id. */
async function buyTickets(buyer: ReturnType<typeof createTicketClient>, event: string, tally: Tally) {
  const [holdKey, payKey] = [randomUUID(), randomUUID()];
  const held = await untilDefinite(() => buyer.hold(event, [{ type: "standard", quantity: 2 }], holdKey));
  if (!held.ok) {
    tally.surprises.push(`hold: ${held.status} ${held.message}`);
    return undefined;
  }
  const body = buyer.bodyOf(held.data, await untilDefinite(() => buyer.solve()));
  const paid = await untilDefinite(() => buyer.pay(held.data, body, payKey));
  if (paid.ok) return held.data.id;
  tally.surprises.push(`pay: ${paid.status} ${paid.message}`);
  return undefined;
}

/** Asks until the answer is neither lost nor 'not yet' (202) or 'not now' (503). */
async function untilDefinite<Answer extends object>(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await ask().catch(() => undefined);
    const status = answer === undefined ? 0 : "status" in answer ? Number(answer.status) : 200;
    if (answer !== undefined && ![0, 202, 502, 503].includes(status)) return answer;
    await sleep(500);
  }
}

type Losing = {
  readonly kills: number;
  readonly random: () => number;
  readonly tally: Tally;
  readonly log: (line: string) => void;
};

/** Loses the primary of a whole cluster at a random moment, and waits for donations, orders and the lost server. */
async function loseAgainAndAgain(cluster: PatroniCluster, { kills, random, tally, log }: Losing): Promise<Recovery[]> {
  const recoveries: Recovery[] = [];
  const kinds = Object.keys(losses) as Loss[];
  for (let kill = 0; kill < kills; kill += 1) {
    await cluster.untilWhole();
    await sleep(2000 + random() * 3000);
    const loss = kinds[kill % kinds.length]!;
    const lostAt = performance.now();
    const name = await cluster.lose(loss);
    const [donationMs, orderMs] = await Promise.all(
      (["donation", "order"] as const).map((kind) => untilSuccess(tally, kind, lostAt)),
    );
    recoveries.push({ loss, donationMs: donationMs!, orderMs: orderMs! });
    const seconds = [donationMs, orderMs].map((ms) => (ms! / 1000).toFixed(1));
    log(`${kill + 1}. ${name}, ${losses[loss]}: donations again after ${seconds[0]} s, orders after ${seconds[1]} s`);
  }
  await cluster.untilWhole();
  return recoveries;
}

async function untilSuccess({ successes }: Tally, kind: Success["kind"], lostAt: number): Promise<number> {
  for (;;) {
    const first = successes.find((success) => success.kind === kind && success.sentAt > lostAt);
    if (first !== undefined) return first.at - lostAt;
    if (performance.now() - lostAt > AGAIN_MS) throw new Error(`No ${kind} succeeded for five minutes after the loss.`);
    await sleep(50);
  }
}

/** Each donor comes back and looks their donation up. */
async function askAgain({ sites, simulator: { paywayUrl } }: Environment, { donations }: Tally, random: () => number) {
  const donor = createScriptedDonor({ url: sites[0]!.url, paywayUrl, address: "203.0.113.1", random });
  for (const donation of donations) await donor.ask(donation);
}

async function findTicketBreaches(pool: pg.Pool, { orders }: Tally): Promise<Breaches> {
  const { rows } = await pool.query<{ id: string }>(
    "select id from ticket_orders where id = any($1) and state = 'paid'",
    [orders],
  );
  const kept = new Set(rows.map(({ id }) => id));
  const all: Breaches = {
    "told of a paid order that was lost": orders.filter((id) => !kept.has(id)),
    ...Object.fromEntries(
      Object.entries(await compareTickets(pool)).map(([name, found]) => [
        name,
        found.map((row) => JSON.stringify(row)),
      ]),
    ),
  };
  return Object.fromEntries(Object.entries(all).filter(([, found]) => found.length > 0));
}
