import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { startEmbeddedDatabase } from "#database/embedded.ts";
import { makeManyDonors } from "#database/many-donations.ts";
import { migrate } from "#database/migrate.ts";
import { createDatabase, createPool } from "#shared/database/connect.ts";
import { extractRelease, whyNoRelease } from "#test/older-version.ts";
import releases from "../releases.json" with { type: "json" };
import { print, printColumns, round } from "./table.ts";

// For how long the migrations since a release keep others from a table.

/** `npm run bench:migrations [-- DONATIONS [COMMIT]]` */
const DONATIONS = Number(process.argv[2] ?? 1_000_000);
const COMMIT = process.argv[3] ?? releases.last.commit;
const GOAL_MS = 1000;

const missing = whyNoRelease(COMMIT);
if (missing !== null) {
  print(missing);
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), "bench-migrations-"));
const { url, stop } = await startEmbeddedDatabase({ dataDir: folder });
try {
  const release = join(folder, "release");
  extractRelease(release, COMMIT, "database/migrations");
  await migrate(url, { folder: join(release, "database/migrations") });
  print(`Making ${DONATIONS} donations …`);
  const database = createDatabase(createPool(url, () => undefined));
  await makeManyDonors(database, { count: DONATIONS, until: new Date("2026-11-01T00:00:00Z") });
  await database.destroy();
  process.exitCode = await measure();
} finally {
  await stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}

async function measure(): Promise<number> {
  const watcher = await watchTables();
  const began = performance.now();
  const applied = await migrate(url);
  const seconds = (performance.now() - began) / 1000;
  const waits = await watcher.stop();
  if (applied.length === 0) {
    print("There are no migrations since that release.");
    return 0;
  }
  print(`${applied.join(", ")}: ${round(seconds)} s`);
  const [longest] = waits;
  printColumns([["table", "longest wait"], ...waits.slice(0, 5).map(({ table, ms }) => [table, `${round(ms)} ms`])]);
  return longest === undefined || longest.ms <= GOAL_MS ? 0 : 1;
}

/** Asks again and again for the lock that writing a row of each table takes. `stop` returns the waits, longest first. */
async function watchTables() {
  const list = new pg.Client({ connectionString: url });
  await list.connect();
  const { rows } = await list.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'migrations'",
  );
  await list.end();
  let isOver = false;
  const watchers = rows.map(async ({ name }) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    let longest = 0;
    while (!isOver) {
      const began = performance.now();
      await client.query(`begin; lock table "${name}" in row exclusive mode; commit`);
      longest = Math.max(longest, performance.now() - began);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    await client.end();
    return { table: name, ms: longest };
  });
  return {
    stop: async () => {
      isOver = true;
      return (await Promise.all(watchers)).sort((a, b) => b.ms - a.ms);
    },
  };
}
