import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import type pg from "pg";
import { startEmbeddedDatabase } from "#database/embedded.ts";
import { createPool } from "#shared/database/connect.ts";
import { controlSimulator } from "#simulators/control.ts";
import { provideChromium } from "#test/chromium.ts";
import { openPatroniCluster, whyNoCluster } from "#test/patroni.ts";
import { measureDonations } from "./donations.ts";
import { measureLoads } from "./home.ts";
import { isOverAfter, keepDonating } from "./keep-donating.ts";
import { cpuSeconds, quantile, type RunningProcess } from "./processes.ts";
import { serverSeconds } from "./server-seconds.ts";
import { paywayUrlOf, startBenchSite, untilIdle } from "./site.ts";
import { type BenchRow, print, printRows } from "./table.ts";

// What one visit and one donation take of each part of the site: the figures that docs/growth.md multiplies.

/** What a bank takes to answer a charge, about. */
const BANK_MS = 900;
const BANK_CLIENTS = 200;
const BANK_SECONDS = 30;
const DONATIONS = 1000;

const folder = mkdtempSync(join(tmpdir(), "bench-growth-"));
const data = join(folder, "postgres", "data");
const stops: (() => Promise<unknown>)[] = [
  async () => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }),
];

try {
  print("Starting the site …");
  const site = await startBenchSite(folder);
  stops.push(site.stop);
  const database = await startEmbeddedDatabase({ dataDir: folder });
  stops.push(database.stop);
  const pool = createPool(database.url, () => undefined);
  stops.push(() => pool.end());
  const rows = [...(await measureVisits(site)), ...(await measurePages(site))];
  print("Making donations …");
  await measureDonations(site, 8, 150);
  rows.push(...(await measureStored(site, pool)));
  print(`Making donations at a bank that takes ${BANK_MS} ms …`);
  rows.push(...(await measureSlowBank(site)));
  print("Starting a second process …");
  const two = await measureTwo(site, database.url);
  rows.push(two, ...(await measureCluster(two.ours)));
  printRows(rows);
} finally {
  for (const stop of stops.reverse()) await stop().catch((error: Error) => print(error.message));
}

/** What a browser on a phone fetches, with nothing in its cache. */
async function measureVisits({ url }: RunningProcess): Promise<BenchRow[]> {
  const browser = await chromium.launch({ executablePath: provideChromium() });
  const rows: BenchRow[] = [];
  for (const [name, path] of [
    ["home", "/"],
    ["the donation form", "/donation"],
  ] as const) {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
    const session = await page.context().newCDPSession(page);
    await session.send("Network.enable");
    let [bytes, requests] = [0, 0];
    session.on("Network.loadingFinished", ({ encodedDataLength }) => {
      bytes += encodedDataLength;
      requests += 1;
    });
    await page.goto(url + path, { waitUntil: "networkidle" });
    await page.close();
    rows.push({ what: `first visit to ${name}`, ours: bytes / 1000, unit: "kB" });
    rows.push({ what: "… its requests", ours: requests, unit: "" });
  }
  await browser.close();
  return rows;
}

async function measurePages(site: RunningProcess): Promise<BenchRow[]> {
  const load = (await measureLoads(new Map([["site", site]]))).get("site")!;
  return [{ what: "cached home page, CPU of the site", ours: load.cpuMicroseconds, unit: "µs" }];
}

/** Of donations by 8 clients, with their receipts and emails. */
async function measureStored(site: RunningProcess, pool: pg.Pool): Promise<BenchRow[]> {
  await untilIdle(site);
  const before = await readSizes(pool);
  const cpu = { site: cpuSeconds(site.pid), database: serverSeconds(data) };
  const { cpuMilliseconds } = await measureDonations(site, 8, DONATIONS / 8);
  await untilIdle(site);
  const after = await readSizes(pool);
  const each = (difference: number) => difference / DONATIONS;
  return [
    {
      what: "donation with its form's calls, receipt and emails, CPU of the site",
      ours: each(cpuSeconds(site.pid) - cpu.site) * 1000,
      unit: "ms",
    },
    { what: "… of it from the request to the answer", ours: cpuMilliseconds, unit: "ms" },
    { what: "… CPU of PostgreSQL", ours: each(serverSeconds(data) - cpu.database) * 1000, unit: "ms" },
    { what: "… stored, without the demo's mailbox", ours: each(after.stored - before.stored) / 1000, unit: "kB" },
    { what: "… written to the WAL", ours: each(after.wal - before.wal) / 1000, unit: "kB" },
    { what: "… transactions", ours: each(after.commits - before.commits), unit: "" },
  ];
}

async function readSizes(pool: pg.Pool): Promise<{ stored: number; wal: number; commits: number }> {
  const { rows } = await pool.query(
    `select (pg_database_size(current_database()) - pg_total_relation_size('mailbox_messages'))::float8 as stored,
            pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as wal,
            (select xact_commit::float8 from pg_stat_database where datname = current_database()) as commits`,
  );
  return rows[0]!;
}

/** Donors who each send the next donation when the bank has answered the last. */
async function measureSlowBank(site: RunningProcess): Promise<BenchRow[]> {
  const simulator = controlSimulator(new URL(paywayUrlOf(site)).origin);
  await simulator.installFault({ match: { op: "charge" }, do: "slow", ms: BANK_MS });
  const before = cpuSeconds(site.pid);
  const isOver = isOverAfter(BANK_SECONDS * 1000);
  const given = await keepDonating(site, { clients: BANK_CLIENTS, name: "growth", isOver });
  const refused = given.find(({ answer }) => !answer.ok)?.answer;
  if (refused !== undefined) throw new Error(`A donation was answered ${refused.status}.`);
  const took = given.map(({ milliseconds }) => milliseconds);
  const used = cpuSeconds(site.pid) - before;
  await simulator.clearFaults();
  await untilIdle(site);
  const what = `${BANK_CLIENTS} clients at a bank that takes ${BANK_MS} ms, donations`;
  return [
    { what: `${what} a second`, ours: took.length / BANK_SECONDS, unit: "/s" },
    { what: "… median answer", ours: quantile(took, 0.5), unit: "ms" },
    { what: "… 95th percentile", ours: quantile(took, 0.95), unit: "ms" },
    { what: "… share of a core for the site", ours: (used / BANK_SECONDS) * 100, unit: "%" },
  ];
}

/** Donations by one process, and by two at the same time, each with a bank of its own. */
async function measureTwo(first: RunningProcess, databaseUrl: string): Promise<BenchRow> {
  const alone = await measureDonations(first, 16, 40);
  await untilIdle(first);
  const other = await startAnother("second-", databaseUrl);
  return {
    what: "donations a second, two processes with 8 clients each",
    ours: await measureBoth([first, other]),
    reference: alone.perSecond,
    unit: "/s",
    to: "one process with 16 clients",
  };
}

/** The same on a cluster, whose three servers share the cores with everything else. */
async function measureCluster(onOneServer: number): Promise<BenchRow[]> {
  const reason = whyNoCluster();
  if (reason !== undefined) {
    print(`${reason} So the line of a cluster is missing.`);
    return [];
  }
  print("Starting a cluster …");
  const cluster = await openPatroniCluster();
  stops.push(cluster.stop);
  const sites = [
    await startAnother("cluster-one-", cluster.urls.haproxy),
    await startAnother("cluster-two-", cluster.urls.haproxy),
  ];
  await measureBoth(sites);
  for (const site of sites) await untilIdle(site);
  return [
    {
      what: "the same on a cluster with a synchronous standby",
      ours: await measureBoth(sites),
      reference: onOneServer,
      unit: "/s",
      to: "on one server",
    },
  ];
}

async function startAnother(name: string, databaseUrl: string): Promise<RunningProcess> {
  const site = await startBenchSite(mkdtempSync(join(folder, name)), {
    DATABASE_URL: databaseUrl,
    SECRET_KEY: "one key for all the processes of the bench",
  });
  stops.push(site.stop);
  return site;
}

async function measureBoth(sites: readonly RunningProcess[]): Promise<number> {
  const rates = await Promise.all(sites.map((site) => measureDonations(site, 8, 80)));
  return rates.reduce((sum, { perSecond }) => sum + perSecond, 0);
}
