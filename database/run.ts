import { existsSync } from "node:fs";
import { readConfig } from "#shared/config/config.ts";
import { startEmbeddedDatabase } from "./embedded.ts";

// `npm run database`: the embedded database alone, until it is told to stop, so that processes of the site come and go.
if (existsSync(".env")) process.loadEnvFile(".env");
const print = (line: string) => process.stdout.write(`${line}\n`);

const fail = (error: Error): never => {
  process.stderr.write(`The database did not start. ${error.message}\n`);
  process.exit(1);
};

let dataDir = "";
let archiveDir: string | null = null;
try {
  const config = readConfig(process.env);
  if (config.databaseUrl !== undefined) {
    fail(new Error("DATABASE_URL is set, so the site uses that database and needs no other."));
  }
  ({ dataDir, archiveDir } = config);
} catch (error) {
  fail(error as Error);
}
const database = await startEmbeddedDatabase({ dataDir, archiveDir, log: print }).catch(fail);
print(`The database of ${dataDir} runs.`);
for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.once(signal, () => void database.stop().then(() => process.exit(0)));
}
