import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { requireFit } from "./require-fit.ts";

const ownFolder = fileURLToPath(new URL("migrations", import.meta.url));
const lockKey = 20_261_121;
/** While a migration waits for a lock, everybody else waits behind it: it gives way soon, and tries again. */
const LOCK_MS = 500;
const LOCK_TRIES = 40;
const LOCK_PAUSE_MS = 250;
/** A machine that is down does not even refuse. */
const CONNECT_MS = 10_000;
const LOCK_NOT_AVAILABLE = "55P03";
/** In databases from before the first release, whose migrations have been replaced by one clean baseline. */
const oldestMigration = "0001_house.sql";

/** The numbered SQL files, oldest first. */
export function listMigrations(folder = ownFolder): string[] {
  return readdirSync(folder)
    .filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name))
    .sort();
}

/**
 * `expand`: only adds, so that code that does not know it runs on. A file says so in its first line; any other is
 * `contract`, which only the code that brings it can run on.
 */
type MigrationKind = "expand" | "contract";

export const kindOf = (text: string): MigrationKind => (/^-- expand\b/.test(text) ? "expand" : "contract");

type MigrateOptions = {
  /** Tells the operator how to start with an empty database. */
  readonly startOver?: string;
  /**
   * Called before a database in use gets a migration that does not only add, with the name of the first: the last moment
   * for a backup to which the version before can go back. If it fails, nothing is changed.
   */
  readonly beforeContract?: (name: string) => Promise<unknown>;
  /** The folder of the SQL files. */
  readonly folder?: string;
};

/**
 * Brings a database up to date, forwards only: each file in its own transaction, all under one advisory lock, so that
 * processes started together wait for each other. Returns the names it applied. Migrations of newer code that only expand
 * are left as they are, so that processes of two versions can be started side by side.
 * @throws when a file fails (it is rolled back), or when the database holds any other migration this code does not know.
 */
export async function migrate(
  url: string,
  { startOver = "Use an empty database.", beforeContract, folder = ownFolder }: MigrateOptions = {},
): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS });
  // An unhandled error event ends the process. If the connection is lost, the next statement fails.
  client.on("error", () => undefined);
  await client.connect();
  try {
    await requireFit(client);
    await client.query("select pg_advisory_lock($1)", [lockKey]);
    await client.query(
      "create table if not exists migrations (name text primary key, applied_at timestamptz(3) not null default now())",
    );
    const rows = await listApplied(client);
    const applied = new Set(rows.map(({ name }) => name));
    if (applied.has(oldestMigration)) {
      throw new Error(`The database is from before the first release and cannot be brought up to date. ${startOver}`);
    }
    const known = listMigrations(folder);
    const foreign = rows.filter(({ name, kind }) => kind !== "expand" && !known.includes(name)).map(({ name }) => name);
    if (foreign.length > 0) throw new Error(`The database is newer than this code: it holds ${foreign.join(", ")}.`);
    const pending = known
      .filter((name) => !applied.has(name))
      .map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }));
    const contract = pending.find(({ text }) => kindOf(text) === "contract");
    if (contract !== undefined && applied.size > 0) await beforeContract?.(contract.name);
    for (const migration of pending) await applyPatiently(client, migration);
    return pending.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

/** Adds the column for the kind to the table of a database that an earlier version made. */
async function listApplied(client: pg.Client): Promise<{ name: string; kind: MigrationKind }[]> {
  const { rows } = await client.query(
    "select from pg_attribute where attrelid = 'migrations'::regclass and attname = 'kind' and not attisdropped",
  );
  if (rows.length === 0) {
    await client.query("alter table migrations add column kind text not null default 'contract'");
  }
  return (await client.query<{ name: string; kind: MigrationKind }>("select name, kind from migrations")).rows;
}

type Migration = { readonly name: string; readonly text: string };

async function applyPatiently(client: pg.Client, migration: Migration): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await apply(client, migration);
    } catch (cause) {
      const isLocked = (cause as { code?: string }).code === LOCK_NOT_AVAILABLE;
      if (isLocked && attempt < LOCK_TRIES) {
        await sleep(LOCK_PAUSE_MS * (1 + Math.random()));
        continue;
      }
      throw new Error(
        isLocked
          ? `Migration ${migration.name} found what it changes in use ${LOCK_TRIES} times. End what runs long on the database (pg_stat_activity shows it), then start again.`
          : `Migration ${migration.name} failed: ${(cause as Error).message}`,
        { cause },
      );
    }
  }
}

async function apply(client: pg.Client, { name, text }: Migration): Promise<void> {
  await client.query("begin");
  try {
    await client.query(`set local lock_timeout = ${LOCK_MS}`);
    await client.query(text);
    await client.query("insert into migrations (name, kind) values ($1, $2)", [name, kindOf(text)]);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}
