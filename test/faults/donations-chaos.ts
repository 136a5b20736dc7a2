import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type pg from "pg";
import { startEmbeddedDatabase } from "#database/embedded.ts";
import { migrate } from "#database/migrate.ts";
import { undecidedStates } from "#payments/states.ts";
import { createDatabase, createPool, type Database } from "#shared/database/connect.ts";
import { countJobs } from "#shared/jobs/failed-jobs.ts";
import { seededRandom } from "#shared/seeded-random.ts";
import { controlSimulator, type SimulatorControl } from "#simulators/control.ts";
import { type ChildSite, createChildSite, defaultDurations, shortDurations } from "../child-site.ts";
import { openSimulators } from "../simulators.ts";
import { type Breaches, findBreaches } from "./donations-chaos-books.ts";
import {
  type ChaosSettings,
  type Deaths,
  type FaultInjection,
  injectFaults,
  injectNothing,
  installFaults,
} from "./donations-chaos-faults.ts";
import { createScriptedDonor, type SentDonation } from "./donor.ts";
import { makeRefundsDue, openServices, refundSome, type StaffRefunds } from "./refunds-chaos.ts";

type ChaosOptions = {
  /** The source of everything random: amounts, faults, and the moments and order of the kills. */
  readonly seed: number;
  /** How many are sent at least; more, if the server has not yet died at each crash point. */
  readonly donations: number;
  readonly clients: number;
  /** The share of donations by PayPal: 0 to 1. */
  readonly payPalShare?: number;
  /** The share of paid donations that staff refund, in full or in part: 0 to 1. */
  readonly refundShare?: number;
  /** What fails; nothing, unless given. */
  readonly chaos?: ChaosSettings;
  /** Uses the timeouts and waits of a real site, instead of the tests' short ones. */
  readonly hasDefaultDurations?: boolean;
  /** How long a donor waits for a definite answer before leaving until the end. */
  readonly patienceMs?: number;
  readonly log?: (line: string) => void;
  /** For negative controls that must fail: a proxy between server and provider; returns its address and how to stop it. */
  readonly openProxy?: (paywayUrl: string) => Promise<{ url: string; stop(): Promise<void> }>;
  /** For negative controls that must fail: tampers with the books before they are compared. */
  readonly tamper?: (environment: Environment, donations: SentDonation[]) => Promise<void>;
};

type ChaosReport = {
  readonly seed: number;
  readonly donations: number;
  readonly succeeded: number;
  readonly failed: number;
  /** Refunds, by staff or at the provider. */
  readonly refunds: number;
  readonly webhooks: number;
  readonly deaths: Deaths;
  readonly databaseRestarts: number;
  readonly calls: number;
  readonly faultyCalls: number;
  /** Milliseconds from the last fault until every attempt was final, and until every email was sent. */
  readonly settledMs: number;
  readonly drainedMs: number;
  readonly milliseconds: number;
  readonly answers: Readonly<Record<string, number>>;
  readonly breaches: Breaches;
};

export type Environment = {
  readonly database: Database;
  readonly pool: pg.Pool;
  readonly simulator: SimulatorControl;
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly logFile: string;
};

const longestSettlingMs = 60_000;

/**
 * Donors donate while the server is killed again and again, the database restarts and every fifth call to the provider
 * goes wrong. Then compares the provider's books, the ledger and the donations with each other and with what every donor
 * was told. Uses its own database and simulators.
 */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const began = Date.now();
  const { seed, log = () => {} } = options;
  const random = seededRandom(seed);
  const dataDir = mkdtempSync(join(tmpdir(), "chaos-"));
  const stops: (() => Promise<unknown>)[] = [];
  try {
    const { site, ...environment } = await openEnvironment(dataDir, options, stops);
    const { database, simulator } = environment;
    await site.start();
    log(`seed ${seed}: ${options.donations} donations from ${options.clients} clients`);
    if (options.chaos !== undefined) await installFaults(simulator, random);
    const chaos =
      options.chaos === undefined ? injectNothing() : injectFaults({ site, dataDir, random, ...options.chaos });
    const staff = await openStaff(options, { ...environment, url: site.url, random, stops });
    const donations = await giveAll(options, { url: site.url, paywayUrl: simulator.paywayUrl, random, chaos, staff });
    if (staff !== undefined) {
      await staff.onNextDay(donations);
      const open = await staff.untilDone(longestSettlingMs);
      log(
        `${donations.length} donations sent after ${Date.now() - began} ms; ${open} refunds open, ${chaos.describe()}`,
      );
    }
    const { deaths, databaseRestarts } = await chaos.stop();
    const requests = (await simulator.listRequests()).filter(
      ({ op }) => op === "charge" || op === "refund" || op === "void",
    );
    await simulator.clearFaults();
    if (options.chaos !== undefined) await site.restart();
    log(`the faults are over after ${Date.now() - began} ms`);
    const quiet = await untilQuiet(database);
    const findings = (await staff?.reconcile()) ?? [];
    await untilQuiet(database);
    const donor = createScriptedDonor({
      url: site.url,
      paywayUrl: simulator.paywayUrl,
      address: "203.0.113.1",
      random,
    });
    for (const donation of donations) await donor.ask(donation);
    await options.tamper?.(environment, donations);
    const { answers } = chaos;
    const logFiles = [environment.logFile];
    const books = await findBreaches({
      ...environment,
      logFiles,
      donations,
      failures: site.failures,
      answers,
      findings,
    });
    const isBroken = Object.keys(books.breaches).length > 0;
    if (isBroken && options.tamper === undefined) keepLog(environment.logFile, options);
    return {
      seed,
      donations: donations.length,
      deaths,
      databaseRestarts,
      answers,
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

/** Prepares database, simulators and a server that is not started yet; adds a function to `stops` for each. */
async function openEnvironment(
  dataDir: string,
  { openProxy, hasDefaultDurations = false }: ChaosOptions,
  stops: (() => Promise<unknown>)[],
): Promise<Environment & { site: ChildSite }> {
  const embedded = await startEmbeddedDatabase({ dataDir });
  stops.push(embedded.stop);
  await migrate(embedded.url);
  const simulators = await openSimulators(dataDir);
  stops.push(simulators.stop);
  const simulator = controlSimulator(simulators.url);
  const between = await openProxy?.(simulator.paywayUrl);
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

/** Keeps the server's log, to find out why a promise was broken. */
function keepLog(logFile: string, { seed, log = () => {} }: ChaosOptions) {
  if (!existsSync(logFile)) return;
  const kept = join(tmpdir(), `chaos-${seed}.log`);
  copyFileSync(logFile, kept);
  log(`See ${kept}`);
}

type Staffing = Environment & {
  readonly url: string;
  readonly random: () => number;
  readonly stops: (() => Promise<unknown>)[];
};

/** Sets up refunds: a process for staff, and webhooks that come 0 to 3 times, late and out of order. */
async function openStaff(
  { refundShare: share, seed }: ChaosOptions,
  { simulator, dataDir, databaseUrl, url, random, stops }: Staffing,
): Promise<StaffRefunds | undefined> {
  if (share === undefined) return undefined;
  await simulator.sendNotifications({
    url: `${url}/api/webhooks/braintree`,
    copies: [0, 1, 2, 3],
    seed,
    latestMs: 3000,
  });
  const services = await openServices({
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
  return refundSome({ services, simulator, random, share });
}

type DonorsRun = {
  readonly url: string;
  readonly paywayUrl: string;
  readonly random: () => number;
  readonly chaos: FaultInjection;
  readonly staff: StaffRefunds | undefined;
};

async function giveAll(
  options: ChaosOptions,
  { url, paywayUrl, random, chaos, staff }: DonorsRun,
): Promise<SentDonation[]> {
  const made: SentDonation[] = [];
  const { seed, donations, clients, payPalShare = 0, patienceMs = 1500, log = () => {} } = options;
  const most = donations * 5;
  async function giveOneAfterAnother(client: number) {
    const address = `198.51.100.${client + 1}`;
    const donor = createScriptedDonor({ url, paywayUrl, address, random, payPalShare, onAnswer: chaos.countAnswer });
    while (made.length < donations || (!chaos.hasDoneAll() && made.length < most)) {
      const number = made.length;
      const { donation, body } = await donor.prepare(`donor-${seed}-${client}-${number}`);
      made.push(donation);
      chaos.noteProgress(made.length / donations);
      if (made.length % 100 === 0) log(`${made.length} donations, ${chaos.describe()}`);
      await donor.submit(donation, body, patienceMs);
      await staff?.afterDonation(donation);
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, client) => giveOneAfterAnother(client)));
  return made;
}

/** Waits until every payment is decided and every email sent; infinite where that takes longer than `longestMs`. */
export async function untilQuiet(
  database: Database,
  longestMs = longestSettlingMs,
): Promise<{ settledMs: number; drainedMs: number }> {
  const began = Date.now();
  let settledMs: number | undefined;
  for (;;) {
    const elapsed = Date.now() - began;
    await makeRefundsDue(database);
    await makeRetriesDue(database);
    const { open } = await database
      .selectFrom("payment_attempts")
      .select(({ fn }) => fn.countAll<number>().as("open"))
      .where("state", "in", undecidedStates)
      .executeTakeFirstOrThrow();
    if (open === 0) settledMs ??= elapsed;
    const isDrained = (await countJobs(database)).waiting === 0 && (await countOpenRefunds(database)) === 0;
    if ((settledMs !== undefined && isDrained) || elapsed > longestMs) {
      return {
        settledMs: settledMs ?? Number.POSITIVE_INFINITY,
        drainedMs: isDrained ? elapsed : Number.POSITIVE_INFINITY,
      };
    }
    await sleep(200);
  }
}

/** Skips the wait of jobs before their next try: it doubles each time, and some were killed many times. */
async function makeRetriesDue(database: Database): Promise<void> {
  await sql`update pgboss.job set start_after = now() where state = 'retry' and start_after > now()`.execute(database);
}

async function countOpenRefunds(database: Database): Promise<number> {
  const { open } = await database
    .selectFrom("refunds")
    .select(({ fn }) => fn.countAll<number>().as("open"))
    .where("state", "in", ["requested", "submitting", "unknown"])
    .executeTakeFirstOrThrow();
  return Number(open);
}
