import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Ending } from "#admin/export/export-formats.ts";
import processSettings from "#app/process-settings.json" with { type: "json" };
import { startEmbeddedDatabase } from "#database/embedded.ts";
import { makeManyDonors } from "#database/many-donations.ts";
import { migrate } from "#database/migrate.ts";
import type { WriteInput } from "#features/donations/admin/export/write-donations.ts";
import { keepDonationDays } from "#features/donations/server/search/donation-days.ts";
import { noFilter } from "#features/donations/server/search/donation-filter.ts";
import { planExport } from "#features/donations/server/search/export-donations.ts";
import { listDonations } from "#features/donations/server/search/list-donations.ts";
import { sumDonations } from "#features/donations/server/search/sum-donations.ts";
import { createDatabase, createPool } from "#shared/database/connect.ts";
import { streamFromWorker } from "#shared/workers/stream-from-worker.ts";
import { explainSearch } from "#test/explain-search.ts";
import { searchKinds } from "#test/search-kinds.ts";
import { logIn, startBenchSite } from "./site.ts";
import { printColumns, round } from "./table.ts";

// Runs with the limits and the compile cache of a site: see src/app/start.js.
if (!("MALLOC_ARENA_MAX" in process.env)) {
  const settings = { ...processSettings, NODE_COMPILE_CACHE: resolve("node_modules/.cache/start") };
  process.execve?.(process.execPath, [process.execPath, ...process.argv.slice(1)], { ...settings, ...process.env });
}

/** `npm run bench:search [-- DONATIONS]` */
const DONATIONS = Number(process.argv[2] ?? 1_000_000);
const RUNS = 12;
const RUNS_OF_SUMS = 4;
const GOAL_MS = 200;
const DASHBOARDS = 60;
const DASHBOARD_MS = 100;

const given = process.env.BENCH_DATABASE_URL;
const folder = mkdtempSync(join(tmpdir(), "bench-search-"));
const server = given === undefined ? await startEmbeddedDatabase({ dataDir: folder }) : null;
const url = given ?? server!.url;
await migrate(url);
const pool = createPool(url, () => undefined);
const database = createDatabase(pool);
const percentile = (times: readonly number[], share: number) =>
  times.toSorted((one, other) => one - other)[Math.min(times.length - 1, Math.floor(times.length * share))]!;
const load = () => loadavg()[0]!.toFixed(1);
let hasFailed = false;

async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

async function measureSearches(until: Date) {
  const rows = [["search", "p50 ms", "p95 ms", "largest first p95 ms", "sums p95 ms", "rows examined", "found"]];
  for (const [name, filters] of searchKinds(until, DONATIONS)) {
    const [list, largest, sums]: [number[], number[], number[]] = [[], [], []];
    for (let run = 0; run < RUNS; run += 1) {
      const filter = { ...noFilter, ...filters[run % filters.length]! };
      list.push(await timeOf(() => listDonations(database, { filter, limit: 25 })));
      largest.push(await timeOf(() => listDonations(database, { filter, order: "largest", limit: 25 })));
      if (run < RUNS_OF_SUMS) sums.push(await timeOf(() => sumDonations(database, filter)));
    }
    const explained = [];
    for (const filter of filters) explained.push(await explainSearch(pool, filter));
    const examined = Math.max(...explained.map((each) => each.examined));
    const [p95, largestP95] = [percentile(list, 0.95), percentile(largest, 0.95)];
    hasFailed ||= p95 > GOAL_MS || largestP95 > GOAL_MS || examined > DONATIONS / 10;
    rows.push([
      name,
      round(percentile(list, 0.5)),
      round(p95),
      round(largestP95),
      round(percentile(sums, 0.95)),
      String(examined),
      String(explained[0]!.found),
    ]);
  }
  printColumns(rows);
}

/** Reads a list ten times a second until `isDone`. Returns how long each took. */
async function readLists(isDone: () => boolean): Promise<number[]> {
  const waits: number[] = [];
  while (!isDone()) {
    waits.push(await timeOf(() => listDonations(database, { filter: noFilter, limit: 25 })));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return waits;
}

async function measureExport(ending: Ending, goalSeconds: number, before: number) {
  const input: WriteInput = {
    databaseUrl: url,
    ending,
    withGifts: true,
    plan: await planExport(database, { filter: noFilter, withGifts: true }),
    note: { person: "Bench", at: "2026-01-01T00:00:00+11:00", filter: [] },
  };
  const module = new URL("../src/features/donations/admin/export/write-donations.ts", import.meta.url);
  let [most, bytes, isDone] = [before, 0, false];
  const others = readLists(() => isDone);
  const start = process.cpuUsage();
  const ms = await timeOf(async () => {
    for await (const bytesOfPart of streamFromWorker({ module, run: "writeDonations", input })) {
      bytes += bytesOfPart.length;
      most = Math.max(most, process.memoryUsage.rss());
      // Waits as a response does between its parts.
      await new Promise((resolve) => setImmediate(resolve));
    }
  });
  const { user, system } = process.cpuUsage(start);
  isDone = true;
  const waits = await others;
  const [growth, wait] = [(most - before) / 2 ** 20, percentile(waits, 0.95)];
  hasFailed ||= ms > goalSeconds * 1000 || growth > 100 || wait > 300;
  const cpuSeconds = (user + system) / 1_000_000;
  return [ending, round(ms / 1000), round(cpuSeconds), round(bytes / 2 ** 20), round(growth), round(wait), load()];
}

/** How long the dashboard of an administrator takes, fetched one after another. */
async function measureDashboard() {
  const site = await startBenchSite(folder, { DATABASE_URL: url });
  try {
    const { url: address, extraHeaders } = await logIn(folder);
    const times: number[] = [];
    for (let run = 0; run < DASHBOARDS; run += 1) {
      times.push(
        await timeOf(async () => {
          const answer = await fetch(`${address}/admin`, { headers: extraHeaders!, redirect: "error" });
          await answer.text();
          if (!answer.ok) throw new Error(`The dashboard was answered ${answer.status}.`);
        }),
      );
    }
    const p95 = percentile(times, 0.95);
    hasFailed ||= p95 > DASHBOARD_MS;
    return ["dashboard", round(percentile(times, 0.5)), round(p95), load()];
  } finally {
    await site.stop();
  }
}

try {
  const until = new Date("2026-11-01T00:00:00Z");
  const { rowCount } = await pool.query("select from donations limit 1");
  if (rowCount === 0) {
    const ms = await timeOf(() => makeManyDonors(database, { count: DONATIONS, until }));
    process.stdout.write(`${DONATIONS} donations made in ${round(ms / 1000)} s, load ${load()}\n`);
  }
  await keepDonationDays({ database, now: () => until });
  if (!process.argv.includes("exports")) await measureSearches(until);
  process.stdout.write(`load ${load()}\n`);
  // Reading lists takes memory of its own. What the first export leaves behind counts for the second too.
  const over = performance.now() + 5000;
  await readLists(() => performance.now() > over);
  const before = process.memoryUsage.rss();
  printColumns([
    ["export", "seconds", "CPU s", "MB", "more memory, MB", "a list meanwhile, p95 ms", "load"],
    await measureExport("csv", 60, before),
    await measureExport("xlsx", 120, before),
  ]);
  printColumns([["screen", "p50 ms", "p95 ms", "load"], await measureDashboard()]);
  process.exitCode = hasFailed ? 1 : 0;
} finally {
  await pool.end();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}
