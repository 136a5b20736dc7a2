import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseEnv } from "node:util";
import pg from "pg";
import { type Config, readConfig } from "#shared/config/config.ts";
import type { DoctorContext } from "./check.ts";
import { thisMachine } from "./machine.ts";

/** The database that comes with the site, and what its versions are. */
type OwnDatabase = {
  readonly migrations: readonly string[];
  readonly start: (options: {
    dataDir: string;
    archiveDir: string | null;
  }) => Promise<{ readonly url: string; stop(): Promise<unknown> }>;
};

type Opened = { readonly context: DoctorContext; readonly close: () => Promise<unknown> };

/** Opens what the checks look at, as far as it can be opened. Creates and changes nothing. */
export async function openContext(
  given: NodeJS.ProcessEnv,
  own: OwnDatabase,
  settingsFile = resolve(".env"),
): Promise<Opened> {
  const inFile = existsSync(settingsFile) ? parseEnv(readFileSync(settingsFile, "utf8")) : {};
  const { config, configFault } = readSettings({ ...inFile, ...given });
  const { pool, databaseFault, close } = await openDatabase(config, own);
  const context: DoctorContext = {
    settingsFile,
    fileSettings: Object.keys(inFile),
    config,
    configFault,
    pool,
    databaseFault,
    migrations: own.migrations,
    machine: thisMachine,
    now: () => new Date(),
  };
  return { context, close };
}

/** Without a secret key, reading the settings would make one. */
function readSettings(environment: NodeJS.ProcessEnv): Pick<DoctorContext, "config" | "configFault"> {
  const dataDir = environment.DATA_DIR || "./data";
  const hasKey = Boolean(environment.SECRET_KEY) || existsSync(join(dataDir, "secret-key"));
  const readable = hasKey ? environment : { ...environment, SECRET_KEY: "not made yet".repeat(4) };
  try {
    return { config: readConfig(readable), configFault: "" };
  } catch (error) {
    return { config: null, configFault: (error as Error).message };
  }
}

type OpenedDatabase = Pick<DoctorContext, "pool" | "databaseFault"> & Pick<Opened, "close">;

const none = (databaseFault: string): OpenedDatabase => ({ pool: null, databaseFault, close: async () => undefined });

/** Joins the embedded server if the site is running, or else starts it for as long as the doctor looks. */
async function openDatabase(config: Config | null, own: OwnDatabase): Promise<OpenedDatabase> {
  if (config === null) return none("Not checked, because the settings are not valid.");
  if (config.databaseUrl === undefined && !existsSync(join(config.dataDir, "postgres"))) {
    return none("There is no database in the data folder yet.");
  }
  try {
    const embedded = config.databaseUrl === undefined ? await own.start(config) : null;
    const url = config.databaseUrl ?? embedded!.url;
    const pool = new pg.Pool({
      connectionString: url,
      max: 4,
      connectionTimeoutMillis: 4000,
      onConnect: (client) => client.query("set statement_timeout = 4000"),
    });
    pool.on("error", () => undefined);
    // The pool stops listening to a connection that it ends, which may still hear that the server stops.
    pool.on("connect", (client) => client.on("error", () => undefined));
    const close = async () => {
      await pool.end();
      await embedded?.stop();
    };
    const fault = await pool.query("select").then(
      () => null,
      (error: { code?: string }) => describeFault(error.code),
    );
    if (fault === null) return { pool, databaseFault: "", close };
    await close();
    return none(fault);
  } catch {
    return none("The database that comes with the site does not start: its log is in the data folder.");
  }
}

function describeFault(code = ""): string {
  if (code === "28P01" || code === "28000") return "The database refuses the user or the password in DATABASE_URL.";
  if (code === "3D000") return "The database server has no database of the name in DATABASE_URL.";
  if (code === "53300") return "The database has no connection left.";
  return `The database does not answer (${code || "no answer"}).`;
}
