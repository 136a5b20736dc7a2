import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";

const folder = fileURLToPath(new URL("migrations", import.meta.url));
const lockKey = 20_261_121;
/** In databases from before the first release, whose migrations have been replaced by one clean baseline. */
const oldestMigration = "0001_house.sql";

/** The numbered SQL files, oldest first. */
export function listMigrations(): string[] {
  return readdirSync(folder)
    .filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name))
    .sort();
}

/**
 * `expand`: only adds, so that code that does not know it runs on. A file says so in its first line; any other is
 * `contract`, which only the code that brings it can run on.
 */
export type MigrationKind = "expand" | "contract";

export const kindOf = (text: string): MigrationKind => (/^-- expand\b/.test(text) ? "expand" : "contract");

/**
 * Brings a database up to date, forwards only: each file in its own transaction, all under one advisory lock, so that
 * processes started together wait for each other. Returns the names it applied. Migrations of newer code that only expand
 * are left as they are, so that processes of two versions can be started side by side.
 * @param startOver tells the operator how to start with an empty database
 * @throws when a file fails (it is rolled back), or when the database holds any other migration this code does not know.
 */
export async function migrate(url: string, startOver = "Use an empty database."): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [lockKey]);
    await client.query(
      "create table if not exists migrations (name text primary key, applied_at timestamptz(3) not null default now())",
    );
    const rows = await listApplied(client);
    const applied = new Set(rows.map(({ name }) => name));
    if (applied.has(oldestMigration)) {
      throw new Error(`The database is from before the first release and cannot be brought up to date. ${startOver}`);
    }
    const known = listMigrations();
    const foreign = rows.filter(({ name, kind }) => kind !== "expand" && !known.includes(name)).map(({ name }) => name);
    if (foreign.length > 0) throw new Error(`The database is newer than this code: it holds ${foreign.join(", ")}.`);
    const pending = known.filter((name) => !applied.has(name));
    for (const name of pending) await apply(client, name);
    return pending;
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

async function apply(client: pg.Client, name: string) {
  await client.query("begin");
  try {
    await client.query("set local lock_timeout = '5s'");
    const text = readFileSync(join(folder, name), "utf8");
    await client.query(text);
    await client.query("insert into migrations (name, kind) values ($1, $2)", [name, kindOf(text)]);
    await client.query("commit");
  } catch (cause) {
    await client.query("rollback");
    throw new Error(`Migration ${name} failed: ${(cause as Error).message}`, { cause });
  }
}
