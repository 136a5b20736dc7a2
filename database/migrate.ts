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
 * Brings a database up to date, forwards only: each file in its own transaction, all under one advisory lock, so that
 * processes started together wait for each other. Returns the names it applied.
 * @param startOver tells the operator how to start with an empty database
 * @throws when a file fails (it is rolled back) or when the database holds a migration this code does not know.
 */
export async function migrate(url: string, startOver = "Use an empty database."): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [lockKey]);
    await client.query(
      "create table if not exists migrations (name text primary key, applied_at timestamptz(3) not null default now())",
    );
    const { rows } = await client.query<{ name: string }>("select name from migrations");
    const applied = new Set(rows.map(({ name }) => name));
    if (applied.has(oldestMigration)) {
      throw new Error(`The database is from before the first release and cannot be brought up to date. ${startOver}`);
    }
    const known = listMigrations();
    const foreign = [...applied].filter((name) => !known.includes(name));
    if (foreign.length > 0) throw new Error(`The database is newer than this code: it holds ${foreign.join(", ")}.`);
    const pending = known.filter((name) => !applied.has(name));
    for (const name of pending) await apply(client, name);
    return pending;
  } finally {
    await client.end();
  }
}

async function apply(client: pg.Client, name: string) {
  await client.query("begin");
  try {
    await client.query("set local lock_timeout = '5s'");
    await client.query(readFileSync(join(folder, name), "utf8"));
    await client.query("insert into migrations (name) values ($1)", [name]);
    await client.query("commit");
  } catch (cause) {
    await client.query("rollback");
    throw new Error(`Migration ${name} failed: ${(cause as Error).message}`, { cause });
  }
}
