import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { startEmbeddedDatabase } from "#database/embedded.ts";
import { migrate } from "#database/migrate.ts";
import { undecidedStates } from "#payments/states.ts";
import { createDatabase, createPool, type Database } from "#shared/database/connect.ts";
import { countJobs } from "#shared/jobs/failed-jobs.ts";
import { controlSimulator, type SimulatorControl } from "#simulators/control.ts";
import { seededRandom } from "#simulators/faults.ts";
import { startSimulators } from "#simulators/start.ts";
import { type ChildSite, createChildSite, defaultDurations, shortDurations } from "#test/child-site.ts";
import { type Breaches, findBreaches } from "./donations-under-fire-books.ts";
import { type Deaths, type Fire, installFaults, peace, type Rage, rage } from "./donations-under-fire-faults.ts";
import { createDonor, type Gift } from "./donor.ts";
import { type GivingBack, giveBack, hurryRefunds, openOffice } from "./refunds-under-fire.ts";

export type FireOptions = {
  /** Everything random is drawn from it: amounts, faults, the moments and the order of the kills. */
  readonly seed: number;
  /** At least so many are sent; a few more, until the server has died at each crash point. */
  readonly donations: number;
  readonly clients: number;
  /** How many of the gifts go by PayPal: 0 to 1. */
  readonly payPalShare?: number;
  /** How many of the paid gifts staff give back, whole and in part: 0 to 1. */
  readonly refundShare?: number;
  /** What fails; nothing does without it. */
  readonly fire?: Fire;
  /** Timeouts and waits as a running site has them, instead of the tests' short ones. */
  readonly hasDefaultDurations?: boolean;
  /** How long a donor stays for a definite answer before they leave and come back at the end. */
  readonly patienceMs?: number;
  readonly log?: (line: string) => void;
  /** For twins that must fail: stands between the server and the provider; returns the address to use, and its end. */
  readonly standBetween?: (paywayUrl: string) => Promise<{ url: string; stop(): Promise<void> }>;
  /** For twins that must fail: tampers with the books before they are compared. */
  readonly tamper?: (house: House, gifts: Gift[]) => Promise<void>;
};

export type FireReport = {
  readonly seed: number;
  readonly gifts: number;
  readonly succeeded: number;
  readonly failed: number;
  /** Money given back: by staff, or at the provider itself. */
  readonly refunds: number;
  readonly webhooks: number;
  readonly deaths: Deaths;
  readonly databaseRestarts: number;
  readonly calls: number;
  readonly faultyCalls: number;
  /** From the last fault until every attempt was final, and until every letter was sent. */
  readonly settledMs: number;
  readonly drainedMs: number;
  readonly milliseconds: number;
  readonly answers: Readonly<Record<string, number>>;
  readonly breaches: Breaches;
};

export type House = {
  readonly database: Database;
  readonly pool: pg.Pool;
  readonly simulator: SimulatorControl;
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly logFile: string;
};

const longestSettlingMs = 60_000;

/**
 * Donors give against a server that is killed again and again, on a database that is restarted under it, by a provider
 * that misbehaves in every fifth call; then the provider's books, the ledger and the donations are held against each
 * other and against what every donor was told. All of it on a database and simulators of its own.
 */
export async function runUnderFire(options: FireOptions): Promise<FireReport> {
  const began = Date.now();
  const { seed, log = () => {} } = options;
  const random = seededRandom(seed);
  const dataDir = mkdtempSync(join(tmpdir(), "under-fire-"));
  const stops: (() => Promise<unknown>)[] = [];
  try {
    const { site, ...house } = await openHouse(dataDir, options, stops);
    const { database, simulator } = house;
    await site.start();
    log(`seed ${seed}: ${options.donations} donations from ${options.clients} clients`);
    if (options.fire !== undefined) await installFaults(simulator, random);
    const fire = options.fire === undefined ? peace() : rage({ site, dataDir, random, ...options.fire });
    const staff = await openStaff(options, { ...house, url: site.url, random, stops });
    const gifts = await giveAll(options, { url: site.url, paywayUrl: simulator.paywayUrl, random, fire, staff });
    if (staff !== undefined) {
      await staff.onNextDay(gifts);
      const open = await staff.untilDone(longestSettlingMs);
      log(`${gifts.length} donations sent after ${Date.now() - began} ms; ${open} refunds open, ${fire.describe()}`);
    }
    const { deaths, databaseRestarts } = await fire.stop();
    const requests = (await simulator.listRequests()).filter(
      ({ op }) => op === "charge" || op === "refund" || op === "void",
    );
    await simulator.clearFaults();
    if (options.fire !== undefined) await site.restart();
    log(`the faults are over after ${Date.now() - began} ms`);
    const quiet = await untilQuiet(database);
    const findings = (await staff?.reconcile()) ?? [];
    await untilQuiet(database);
    const donor = createDonor({ url: site.url, paywayUrl: simulator.paywayUrl, address: "203.0.113.1", random });
    for (const gift of gifts) await donor.ask(gift);
    await options.tamper?.(house, gifts);
    const { answers } = fire;
    const books = await findBreaches({ ...house, gifts, failures: site.failures, answers, findings });
    const isBroken = Object.keys(books.breaches).length > 0;
    if (isBroken && options.tamper === undefined) keepLog(house.logFile, options);
    return {
      ...{ seed, gifts: gifts.length, deaths, databaseRestarts, answers },
      ...books,
      refunds: (await staff?.countDone()) ?? 0,
      webhooks: (await simulator.listNotifications()).sent.length,
      calls: requests.length,
      faultyCalls: requests.filter(({ fault }) => fault !== null).length,
      ...quiet,
      milliseconds: Date.now() - began,
    };
  } catch (error) {
    keepLog(join(dataDir, "server.log"), options);
    throw error;
  } finally {
    for (const stop of stops.reverse()) await stop().catch((error: Error) => log(error.message));
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

/** Database, simulators and a server that is not started yet; `stops` gets how each is ended. */
async function openHouse(
  dataDir: string,
  { standBetween, hasDefaultDurations = false }: FireOptions,
  stops: (() => Promise<unknown>)[],
): Promise<House & { site: ChildSite }> {
  const embedded = await startEmbeddedDatabase({ dataDir });
  stops.push(embedded.stop);
  await migrate(embedded.url);
  const simulators = await startSimulators({ port: 0, dataDir });
  stops.push(simulators.stop);
  const simulator = controlSimulator(simulators.url);
  const between = await standBetween?.(simulator.paywayUrl);
  if (between !== undefined) stops.push(between.stop);
  const site = await createChildSite({
    databaseUrl: embedded.url,
    paywayUrl: between?.url ?? simulator.paywayUrl,
    dataDir,
    environment: {
      ...(hasDefaultDurations ? defaultDurations : {}),
      BRAINTREE_URL: simulators.url,
      LIMITS_DECLINES: "100000",
      LIMITS_BREAKER_PAYMENTS: "100000",
      CIRCUIT_FAILURES: "100000",
    },
  });
  stops.push(site.kill);
  const pool = createPool(embedded.url, () => undefined);
  const database = createDatabase(pool);
  stops.push(() => database.destroy());
  return { database, pool, simulator, databaseUrl: embedded.url, dataDir, logFile: site.logFile, site };
}

/** What the server logged, for whoever wants to know how a promise came to be broken. */
function keepLog(logFile: string, { seed, log = () => {} }: FireOptions) {
  if (!existsSync(logFile)) return;
  const kept = join(tmpdir(), `under-fire-${seed}.log`);
  copyFileSync(logFile, kept);
  log(`See ${kept}`);
}

type Staffing = House & {
  readonly url: string;
  readonly random: () => number;
  readonly stops: (() => Promise<unknown>)[];
};

/** Where refunds are given: staff's own process, and the provider's webhooks 0 to 3 times, late and out of order. */
async function openStaff(
  { refundShare: share, seed }: FireOptions,
  { simulator, dataDir, databaseUrl, url, random, stops }: Staffing,
): Promise<GivingBack | undefined> {
  if (share === undefined) return undefined;
  await simulator.sendNotifications({
    url: `${url}/api/webhooks/braintree`,
    copies: [0, 1, 2, 3],
    seed,
    latestMs: 3000,
  });
  const services = await openOffice({
    ...shortDurations,
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    PAYWAY_URL: simulator.paywayUrl,
    BRAINTREE_URL: simulator.url,
  });
  stops.push(async () => {
    await services.jobs.stop();
    await services.database.destroy();
  });
  return giveBack({ services, simulator, random, share });
}

type Giving = {
  readonly url: string;
  readonly paywayUrl: string;
  readonly random: () => number;
  readonly fire: Rage;
  readonly staff: GivingBack | undefined;
};

async function giveAll(options: FireOptions, { url, paywayUrl, random, fire, staff }: Giving): Promise<Gift[]> {
  const gifts: Gift[] = [];
  const { seed, donations, clients, payPalShare = 0, patienceMs = 1500, log = () => {} } = options;
  const most = donations * 5;
  async function giveOneAfterAnother(client: number) {
    const address = `198.51.100.${client + 1}`;
    const donor = createDonor({ url, paywayUrl, address, random, payPalShare, onAnswer: fire.countAnswer });
    while (gifts.length < donations || (!fire.hasDoneAll() && gifts.length < most)) {
      const number = gifts.length;
      const { gift, body } = await donor.prepare(`donor-${seed}-${client}-${number}`);
      gifts.push(gift);
      fire.tellProgress(gifts.length / donations);
      if (gifts.length % 100 === 0) log(`${gifts.length} donations, ${fire.describe()}`);
      await donor.submit(gift, body, patienceMs);
      await staff?.afterGiving(gift);
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, client) => giveOneAfterAnother(client)));
  return gifts;
}

async function untilQuiet(database: Database): Promise<{ settledMs: number; drainedMs: number }> {
  const began = Date.now();
  let settledMs: number | undefined;
  for (;;) {
    const elapsed = Date.now() - began;
    await hurryRefunds(database);
    const { open } = await database
      .selectFrom("payment_attempts")
      .select(({ fn }) => fn.countAll<number>().as("open"))
      .where("state", "in", undecidedStates)
      .executeTakeFirstOrThrow();
    if (open === 0) settledMs ??= elapsed;
    const isDrained = (await countJobs(database)).waiting === 0 && (await countOpenRefunds(database)) === 0;
    if ((settledMs !== undefined && isDrained) || elapsed > longestSettlingMs) {
      return {
        settledMs: settledMs ?? Number.POSITIVE_INFINITY,
        drainedMs: isDrained ? elapsed : Number.POSITIVE_INFINITY,
      };
    }
    await sleep(200);
  }
}

async function countOpenRefunds(database: Database): Promise<number> {
  const { open } = await database
    .selectFrom("refunds")
    .select(({ fn }) => fn.countAll<number>().as("open"))
    .where("state", "in", ["requested", "submitting", "unknown"])
    .executeTakeFirstOrThrow();
  return Number(open);
}
