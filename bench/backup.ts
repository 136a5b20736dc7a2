import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { startEmbeddedDatabase } from "#database/embedded.ts";
import { makeManyDonations, makeUser } from "#database/factories.ts";
import { createDatabase, createPool, type Database } from "#shared/database/connect.ts";
import { isOverAfter, keepDonating } from "./keep-donating.ts";
import { quantile, type RunningProcess, residentMegabytes } from "./processes.ts";
import { startBenchSite, untilIdle } from "./site.ts";
import { type BenchRow, print, printRows } from "./table.ts";

// What a backup costs donors and the machine, and how long it takes to get it back.

const MEGABYTES = Number(process.argv[2] ?? 1000);
const DONORS = 4;
const QUIET_MS = 30_000;
const EACH = 20_000;
/** The goals for a gigabyte, on a quiet machine. */
const goals = { backupSeconds: 60, restoreSeconds: 180, slower: 2 };

const folder = mkdtempSync(join(tmpdir(), "bench-backup-"));
const dataDir = join(folder, "data");
const file = join(folder, "almoner.tar.zst");
mkdirSync(dataDir);
const stops: (() => Promise<unknown>)[] = [];

try {
  print("Starting the site …");
  const site = await startBenchSite(dataDir);
  stops.push(site.stop);
  const embedded = await startEmbeddedDatabase({ dataDir });
  stops.push(embedded.stop);
  const database = createDatabase(createPool(embedded.url, () => undefined));
  stops.push(() => database.destroy());
  print(`Making donations of ${MEGABYTES} MB …`);
  const megabytes = await fill(database);
  printRows([{ what: "database", ours: megabytes, unit: "MB" }, ...(await measure(site))]);
} finally {
  for (const stop of stops.reverse()) await stop().catch((error: Error) => print(error.message));
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}

async function fill(database: Database): Promise<number> {
  for (;;) {
    const { rows } = await sql<{ bytes: number }>`
      select pg_database_size(current_database())::float8 as bytes`.execute(database);
    const megabytes = rows[0]!.bytes / 1e6;
    if (megabytes >= MEGABYTES) return megabytes;
    await makeManyDonations(database, { userId: (await makeUser(database)).id, count: EACH });
  }
}

async function measure(site: RunningProcess): Promise<BenchRow[]> {
  print("Making donations …");
  await keepDonating(site, { clients: DONORS, name: "warm", isOver: isOverAfter(QUIET_MS) });
  await untilIdle(site);
  const quiet = await keepDonating(site, { clients: DONORS, name: "quiet", isOver: isOverAfter(QUIET_MS) });
  await untilIdle(site);
  print("Making donations beside a backup …");
  let isDone = false;
  const taking = run("backup/main.ts", [file]).finally(() => {
    isDone = true;
  });
  const beside = await keepDonating(site, { clients: DONORS, name: "beside", isOver: () => isDone });
  const backup = await taking;
  print("Restoring it …");
  const restore = await run("backup/restore-main.ts", [file, "--to", join(folder, "restored")]);
  const slowest = (given: typeof quiet) =>
    quantile(
      given.map(({ milliseconds }) => milliseconds),
      0.99,
    );
  const slower = slowest(beside) / slowest(quiet);
  const isMissed =
    backup.seconds > goals.backupSeconds || restore.seconds > goals.restoreSeconds || slower > goals.slower;
  const refused = beside.filter(({ answer }) => !answer.ok).length;
  if (isMissed || refused > 0) process.exitCode = 1;
  return [
    { what: "backup beside donations", ours: backup.seconds, unit: "s" },
    { what: "… its file", ours: statSync(file).size / 1e6, unit: "MB" },
    { what: "… memory of its process, at most", ours: backup.megabytes, unit: "MB" },
    { what: "… donations refused", ours: refused, unit: "" },
    {
      what: "… 99th percentile of a donation",
      ours: slowest(beside),
      reference: slowest(quiet),
      unit: "ms",
      to: "without a backup",
    },
    { what: "restore into another folder, read whole", ours: restore.seconds, unit: "s" },
    { what: "… memory of its process, at most", ours: restore.megabytes, unit: "MB" },
  ];
}

/** Runs an operator's command. @throws if it fails. */
async function run(program: string, words: readonly string[]): Promise<{ seconds: number; megabytes: number }> {
  const began = performance.now();
  const child = spawn(process.execPath, [join(import.meta.dirname, "../database", program), ...words], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, DATABASE_URL: "", DATA_DIR: dataDir },
  });
  let megabytes = 0;
  const watching = setInterval(() => {
    megabytes = Math.max(megabytes, residentMegabytes(child.pid!));
  }, 50);
  const [code] = await once(child, "exit");
  clearInterval(watching);
  if (code !== 0) throw new Error(`${program} ended with ${code}.`);
  return { seconds: (performance.now() - began) / 1000, megabytes };
}
