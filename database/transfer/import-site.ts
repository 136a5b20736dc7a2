import { createReadStream } from "node:fs";
import { mkdir, mkdtemp, rm, statfs } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { pino } from "pino";
import { createPool } from "#shared/database/connect.ts";
import { createJobs } from "#shared/jobs/jobs.ts";
import { unpackArchive } from "../backup/archive.ts";
import { listApplied } from "../backup/manifest.ts";
import { proveBooks } from "../backup/prove.ts";
import { exchangeKey, readIdentity, refuseMissing, suffixOf } from "../backup/restore-backup.ts";
import { listMigrations, migrate } from "../migrate.ts";
import { copyIn } from "./copy.ts";
import { type ExportManifest, exportFormat } from "./export-format.ts";
import { fillUnchecked } from "./fill-unchecked.ts";
import { countTables, listTables, sumLedger, type Table, withClient } from "./tables.ts";

type ImportOptions = {
  readonly url: string;
  readonly file: string;
  /** Gets the site's secret key. */
  readonly dataDir: string;
  /** With the secret key of age for a file that is encrypted. */
  readonly keyFile: string | null;
  readonly now: Date;
};

/**
 * Fills an empty database from the file of an export, in one transaction that also proves it and pauses the site.
 * @throws Error with a sentence for the operator. The database is then empty or as it was, and the data folder as it was
 */
export async function importSite(options: ImportOptions): Promise<ExportManifest> {
  const file = resolve(options.file);
  await refuseMissing(file);
  const identity = await readIdentity(file, options.keyFile);
  const folder = await mkdtemp(join(dirname(file), "importing-"));
  try {
    const { bavail, bsize } = await statfs(folder);
    const manifest = await unpackArchive(file, folder, {
      identity,
      spaceBytes: bavail * bsize,
      format: exportFormat,
    }).catch((cause: Error) => {
      throw new Error(`${file} is not a good export: ${cause.message}. Nothing was changed.`, { cause });
    });
    refuseOtherVersion(file, manifest);
    await prepare(options.url);
    await withClient(options.url, (client) => fill(client, folder, manifest, options));
    return manifest;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function refuseOtherVersion(file: string, { migrations }: ExportManifest): void {
  const known = listMigrations();
  if (migrations.join() === known.join()) return;
  const isNewer = migrations.some((name) => !known.includes(name));
  throw new Error(
    `${file} is from ${isNewer ? "a newer" : "an older"} version of the site. ` +
      "Import it with the version that wrote it, and update afterwards. Nothing was changed.",
  );
}

/** Migrates a database without tables, and creates the tables for jobs. Any other must be as the migrations left it. */
async function prepare(url: string): Promise<void> {
  const isNew = await withClient(url, async (client) => {
    const tables = await listTables(client);
    if (tables.length > 0) await refuseUsed(client, tables);
    return tables.length === 0;
  });
  if (isNew) await migrate(url);
  const pool = createPool(url, () => {});
  try {
    await (await createJobs({ pool, log: pino({ level: "silent" }) })).stop();
  } finally {
    await pool.end();
  }
}

/**
 * Refuses a database in which anything but the migrations has written a row: the rows that a migration wrote are of the
 * same transaction as its own row in the table of migrations. A copy that was loaded in one transaction is refused as well:
 * each migration has a transaction of its own.
 */
async function refuseUsed(client: pg.Client, tables: readonly Table[]): Promise<void> {
  const otherwise = "Name an empty database. Nothing was changed.";
  const applied = await listApplied(client).catch(() => null);
  if (applied === null) throw new Error(`The database is not empty: it has ${tables[0]!.name}. ${otherwise}`);
  if (applied.join() !== listMigrations().join()) {
    throw new Error(`The database is of another version of the site. ${otherwise}`);
  }
  const { rows } = await client.query<{ is_original: boolean }>(
    "select count(distinct xmin::text) = count(*) as is_original from migrations",
  );
  if (!rows[0]!.is_original) throw new Error(`The database is a copy of another one. ${otherwise}`);
  for (const { name } of tables) {
    const { rowCount } = await client.query(
      `select from ${name} where xmin::text not in (select xmin::text from migrations) limit 1`,
    );
    if (rowCount !== 0) throw new Error(`The database is not empty: ${name} has rows. ${otherwise}`);
  }
}

async function fill(
  client: pg.Client,
  folder: string,
  manifest: ExportManifest,
  { dataDir, now }: ImportOptions,
): Promise<void> {
  await client.query("begin");
  // A site that starts now waits here, so that it finds itself paused.
  await client.query("lock table migrations in access exclusive mode");
  await refuseOthers(client);
  const tables = await listTables(client);
  await refuseUsed(client, tables);
  refuseOtherTables(tables, manifest);
  await fillUnchecked(client, tables, async () => {
    for (const { name, columns } of manifest.tables) {
      await copyIn(client, `copy ${name} (${columns}) from stdin`, readParts(folder, name, manifest));
    }
    for (const { name, last, isCalled } of manifest.sequences) {
      await client.query("select setval($1::regclass, $2::bigint, $3)", [name, last, isCalled]);
    }
  });
  const faults = [...(await compare(client, tables, manifest)), ...(await proveBooks(client))];
  if (faults.length > 0) throw new Error(["What was imported is not whole. Nothing was kept:", ...faults].join("\n"));
  await client.query("insert into restores (backup_taken_at, restored_at) values ($1, $2) on conflict do nothing", [
    manifest.createdAt,
    now,
  ]);
  await mkdir(dataDir, { recursive: true });
  await exchangeKey(folder, dataDir, suffixOf(now));
  await client.query("commit");
  await client.query(`analyze ${tables.map(({ name }) => name)}`);
}

/** Nobody else may use the database: what a running site keeps in memory would be of the empty database. */
async function refuseOthers(client: pg.Client): Promise<void> {
  for (let left = 50; left > 0; left -= 1) {
    await client.query("select pg_stat_clear_snapshot()");
    const { rowCount } = await client.query(
      `select from pg_stat_activity where datname = current_database() and usename = current_user
          and pid <> pg_backend_pid() and backend_type = 'client backend'`,
    );
    if (rowCount === 0) return;
    await sleep(100); // Connections that were just closed take a moment to end.
  }
  throw new Error("Another program is connected to the database. Stop the site, and try again. Nothing was changed.");
}

function refuseOtherTables(tables: readonly Table[], manifest: ExportManifest): void {
  const shapes = (list: readonly Table[]) => list.map(({ name, columns }) => `${name} (${columns})`);
  const here = new Set(shapes(tables));
  const missing = shapes(manifest.tables).find((shape) => !here.has(shape));
  if (missing === undefined) return;
  throw new Error(`The database has no table ${missing}, which the export has. Nothing was changed.`);
}

async function* readParts(folder: string, table: string, { files }: ExportManifest): AsyncGenerator<Buffer> {
  for (const { name } of files) {
    if (name.startsWith(`tables/${table}/`)) yield* createReadStream(join(folder, name));
  }
}

async function compare(client: pg.Client, tables: readonly Table[], manifest: ExportManifest): Promise<string[]> {
  const expected = new Map(manifest.tables.map(({ name, rows }) => [name, rows]));
  const counts = Object.entries(await countTables(client, tables));
  const faults = counts
    .filter(([name, count]) => count !== (expected.get(name) ?? 0))
    .map(([name, count]) => `${name} has ${count} rows; the export says ${expected.get(name) ?? 0}.`);
  const sums = await sumLedger(client);
  for (const account of new Set([...Object.keys(sums), ...Object.keys(manifest.ledger)])) {
    const [here, there] = [sums[account] ?? "0", manifest.ledger[account] ?? "0"];
    if (here !== there) faults.push(`The account ${account} has ${here} cents; the export says ${there}.`);
  }
  return faults;
}
