import { existsSync } from "node:fs";
import pg from "pg";
import { pino } from "pino";
import { requireEmbeddedDatabase } from "#database/embedded/require-database.ts";
import { startEmbeddedDatabase } from "#database/embedded.ts";
import { listMigrations } from "#database/migrate.ts";
import { type Config, readConfig } from "#shared/config/config.ts";
import { throwExplained } from "#shared/database/explain-error.ts";
import { newProcessId } from "#shared/database/process-presence.ts";
import { watchDatabase } from "#shared/database/watch-database.ts";
import { createServices, type Services } from "../services.ts";

/**
 * Reads the words after a command's name, and returns the work to run, which resolves to the exit code. @throws Error
 * if the words are wrong.
 */
export type Command = (words: readonly string[]) => (services: Services) => Promise<number>;

/** The database that comes with the site, for commands that open it themselves. */
export const ownDatabase = { migrations: listMigrations(), start: startEmbeddedDatabase };

/** Writes one line for the person at the terminal. */
export const print = (line: string) => void process.stdout.write(`${line}\n`);

/**
 * Runs an operator's command with the site's configuration and database, whether or not the site is running. Then exits
 * with the code that `work` returns, or with `codeOfError` after printing the error's message.
 */
export async function runCommand(command: Command, codeOfError: number): Promise<never> {
  const stops: (() => Promise<unknown>)[] = [];
  let code = codeOfError;
  try {
    const work = command(process.argv.slice(2));
    if (existsSync(".env")) process.loadEnvFile(".env");
    requireEmbeddedDatabase(process.env);
    const config = readConfig(process.env);
    const databaseUrl = await openDatabase(config, stops);
    await requireMigrated(databaseUrl).catch(throwExplained);
    const processId = newProcessId();
    const services = await createServices({ config, databaseUrl, log: pino({ level: "silent" }), processId });
    // If this process is killed, others notice, and take over its refund or comparison.
    const watch = watchDatabase(databaseUrl, services.pool, processId);
    stops.push(async () => {
      await services.payments.finish();
      await services.jobs.stop();
      await watch.stop();
      await services.database.destroy();
    });
    await watch.ready;
    code = await work(services);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
  }
  for (const stop of stops.reverse()) {
    await stop().catch((error: Error) => process.stderr.write(`${error.message}\n`));
  }
  process.exit(code);
}

/** Joins the embedded server if the site is running, or else starts it. */
async function openDatabase(
  { databaseUrl, dataDir, archiveDir }: Config,
  stops: (() => Promise<unknown>)[],
): Promise<string> {
  if (databaseUrl !== undefined) return databaseUrl;
  const embedded = await startEmbeddedDatabase({ dataDir, archiveDir });
  stops.push(embedded.stop);
  return embedded.url;
}

/** Commands never migrate the database: the site, which may be of another version, does so when it starts. */
async function requireMigrated(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  await client.connect();
  const applied = await client
    .query<{ name: string }>("select name from migrations")
    .catch(noTable)
    .finally(() => client.end());
  const names = new Set(applied.rows.map(({ name }) => name));
  const known = listMigrations();
  if (names.size === known.length && known.every((name) => names.has(name))) return;
  throw new Error("The database and this code have different versions. Start the site with this version first.");
}

function noTable(error: { code?: string }): { rows: { name: string }[] } {
  if (error.code === "42P01") return { rows: [] };
  throw error;
}
