import { existsSync } from "node:fs";
import pg from "pg";
import { pino } from "pino";
import { startEmbeddedDatabase } from "#database/embedded.ts";
import { listMigrations } from "#database/migrate.ts";
import { type Config, readConfig } from "#shared/config.ts";
import { createServices, type Services } from "../services.ts";

/** Writes one line for the person at the terminal. */
export const say = (line: string) => void process.stdout.write(`${line}\n`);

/**
 * Runs one command of the operator's on the site's own configuration and database, whether or not the site runs, and
 * ends the process with the code that it returns; with `codeOfError` where it throws, the reason in words.
 */
export async function runCommand(work: (services: Services) => Promise<number>, codeOfError: number): Promise<never> {
  const stops: (() => Promise<unknown>)[] = [];
  let code = codeOfError;
  try {
    if (existsSync(".env")) process.loadEnvFile(".env");
    const config = readConfig(process.env);
    const databaseUrl = await openDatabase(config, stops);
    await requireMigrated(databaseUrl);
    const services = await createServices({ config, databaseUrl, log: pino({ level: "silent" }) });
    stops.push(async () => {
      await services.payments.finish();
      await services.jobs.stop();
      await services.database.destroy();
    });
    code = await work(services);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
  }
  for (const stop of stops.reverse()) {
    await stop().catch((error: Error) => process.stderr.write(`${error.message}\n`));
  }
  process.exit(code);
}

/** The embedded server is joined where the site runs, and started where it does not. */
async function openDatabase({ databaseUrl, dataDir }: Config, stops: (() => Promise<unknown>)[]): Promise<string> {
  if (databaseUrl !== undefined) return databaseUrl;
  if (!existsSync(dataDir))
    throw new Error(`There is no ${dataDir}. Start the site once, or set DATA_DIR to its folder.`);
  const embedded = await startEmbeddedDatabase({ dataDir });
  stops.push(embedded.stop);
  return embedded.url;
}

/** A command changes no schema: the site, which may be of another version, brings it up to date when it starts. */
async function requireMigrated(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const applied = await client
    .query<{ name: string }>("select name from migrations")
    .catch(noTable)
    .finally(() => client.end());
  const names = new Set(applied.rows.map(({ name }) => name));
  const known = listMigrations();
  if (names.size === known.length && known.every((name) => names.has(name))) return;
  throw new Error("The database and this code are of different versions. Start the site of this version first.");
}

/** An empty database, which no site has used yet. */
function noTable(error: { code?: string }): { rows: { name: string }[] } {
  if (error.code === "42P01") return { rows: [] };
  throw error;
}
