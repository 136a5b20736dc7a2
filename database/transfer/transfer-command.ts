import { existsSync } from "node:fs";
import { type Config, readConfig } from "#shared/config/config.ts";
import { throwExplained } from "#shared/database/explain-error.ts";
import { requireEmbeddedDatabase } from "../embedded/require-database.ts";
import { startEmbeddedDatabase } from "../embedded.ts";

const FAILED = 2;

export const print = (line: string) => void process.stdout.write(`${line}\n`);

/**
 * Runs `work` with the site's settings and the address of its database, which is DATABASE_URL or the embedded one.
 * @throws Error if there is no embedded database and `mayCreate` is false
 */
export async function withSite(
  mayCreate: boolean,
  work: (url: string, config: Config) => Promise<void>,
): Promise<void> {
  if (existsSync(".env")) process.loadEnvFile(".env");
  if (!mayCreate) requireEmbeddedDatabase(process.env);
  const config = readConfig(process.env);
  const { databaseUrl, dataDir, archiveDir } = config;
  if (databaseUrl !== undefined) return work(databaseUrl, config).catch(throwExplained);
  const database = await startEmbeddedDatabase({ dataDir, archiveDir });
  await work(database.url, config).finally(() => database.stop());
}

/** Prints an error's message, and sets the exit code. */
export async function runTransfer(work: () => Promise<void>): Promise<void> {
  await work().catch((error: Error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = FAILED;
  });
}
