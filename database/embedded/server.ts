import { execFile, spawn } from "node:child_process";
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { type Account, chooseAccount } from "./account.ts";
import { findNativeFolder, type PostgresBinaries, prepareBinaries } from "./binaries.ts";
import { prepareWalArchive } from "./wal-archive.ts";

/** The paths of one embedded database, resolved, so that two spellings mean the same server. */
export type ServerFolder = {
  readonly folder: string;
  readonly data: string;
  readonly lockFile: string;
  readonly logFile: string;
  /** Marks that a database was created here, so that a lost one is not silently replaced by an empty one. */
  readonly marker: string;
  readonly maxConnections: number;
  /** Where a folder with the archive of the WAL is made; null for none. */
  readonly archiveDir: string | null;
  /** Further settings of the server. */
  readonly settings: Readonly<Record<string, string>>;
};

export type Launched = { readonly pid: number; hasExited(): boolean; output(): string };

const MAX_LOG_BYTES = 5_000_000;

/** The files of the server below DATA_DIR, whose folders it creates. @throws Error with a sentence if it cannot. */
export function makePlace(
  dataDir: string,
  { maxConnections = 100, archiveDir = null, settings = {} }: Partial<ServerFolder> = {},
): ServerFolder {
  const wanted = join(resolve(dataDir), "postgres");
  try {
    mkdirSync(dirname(wanted), { recursive: true });
    mkdirSync(wanted, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new Error(`The folder ${wanted} cannot be created: ${(cause as Error).message}. Set DATA_DIR.`, { cause });
  }
  const folder = realpathSync(wanted);
  const inside = (name: string) => join(folder, name);
  return {
    folder,
    data: inside("data"),
    lockFile: inside("launcher.lock"),
    logFile: inside("postgres.log"),
    marker: join(dirname(wanted), "database-created"),
    maxConnections,
    archiveDir,
    settings,
  };
}

/** Creates the cluster when there is none. Call inside the lock: it removes what a killed attempt left. */
export async function prepareCluster(place: ServerFolder): Promise<{ binaries: PostgresBinaries; account: Account }> {
  const binaries = prepareBinaries(findNativeFolder(), join(place.folder, "libraries"));
  const account = chooseAccount(place.folder, binaries.postgres);
  for (const name of readdirSync(place.folder).filter((name) => name.startsWith("data.init"))) {
    rmSync(join(place.folder, name), { recursive: true, force: true, maxRetries: 20, retryDelay: 20 });
  }
  if (!existsSync(join(place.data, "PG_VERSION"))) {
    refuseToReplace(place);
    await createCluster(place, binaries, account);
  }
  if (!existsSync(place.marker)) writeFileSync(place.marker, `The database of this site is in ${place.data}\n`);
  return { binaries, account };
}

/** A folder that is not mounted, or was deleted, must not look like a first start. */
function refuseToReplace({ data, marker }: ServerFolder): void {
  if (existsSync(marker)) {
    throw new Error(
      `The database is missing: there was one in ${data}. Mount or restore that folder. ` +
        `To give it up and begin with an empty database, delete ${marker} and start again.`,
    );
  }
  if (existsSync(data) && readdirSync(data).length > 0) {
    throw new Error(`${data} holds files that are no PostgreSQL database. Restore the database, or move them away.`);
  }
}

/** `initdb` is not atomic, but a rename is. The unique name keeps out an initdb that outlived its killed parent. */
async function createCluster(place: ServerFolder, binaries: PostgresBinaries, account: Account): Promise<void> {
  const draft = mkdtempSync(join(place.folder, "data.init-"));
  if (account.ids.uid !== undefined) chownSync(draft, account.ids.uid, account.ids.gid!);
  const locale = ["-E", "UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
  const command = [
    ...account.prefix,
    binaries.initdb,
    "-D",
    draft,
    "-U",
    "postgres",
    "-A",
    "trust",
    "--no-instructions",
  ];
  try {
    await promisify(execFile)(command[0]!, [...command.slice(1), ...locale], { env: binaries.env, ...account.ids });
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    const { stderr, message } = error as { stderr?: string; message: string };
    throw new Error(`The database could not be created: ${lastLines(stderr || message)}`, { cause: error });
  }
  renameSync(draft, place.data);
  const parent = openSync(place.folder, "r");
  fsyncSync(parent);
  closeSync(parent);
}

/**
 * Starts the server and returns immediately. It outlives this process: its own session is out of reach of Ctrl-C, and it
 * writes to a file, which does not break as a pipe would.
 */
export function launchServer(
  place: ServerFolder,
  binaries: PostgresBinaries,
  account: Account,
  socketDirectory: string,
): Launched {
  if (existsSync(place.logFile) && statSync(place.logFile).size > MAX_LOG_BYTES) {
    renameSync(place.logFile, `${place.logFile}.old`);
  }
  const archive =
    place.archiveDir === null ? {} : prepareWalArchive(place.archiveDir, place.folder, binaries.libraries, account);
  const log = openSync(place.logFile, "a", 0o600);
  const start = statSync(place.logFile).size;
  const command = [
    ...account.prefix,
    binaries.postgres,
    "-D",
    place.data,
    ...listSettings(socketDirectory, place.maxConnections, { ...archive, ...place.settings }),
  ];
  const child = spawn(command[0]!, command.slice(1), {
    env: binaries.env,
    ...account.ids,
    stdio: ["ignore", "ignore", log],
    detached: true,
  });
  closeSync(log);
  let failure = "";
  child.on("error", (error) => {
    failure = error.message;
  });
  child.unref();
  return {
    pid: child.pid ?? 0,
    hasExited: () => failure !== "" || child.exitCode !== null || child.signalCode !== null,
    output: () => failure || readFileSync(place.logFile).subarray(start).toString("utf8"),
  };
}

function listSettings(socketDirectory: string, maxConnections: number, more: Record<string, string>): string[] {
  const settings = {
    listen_addresses: "",
    port: "5432",
    unix_socket_directories: socketDirectory,
    unix_socket_permissions: "0700",
    max_connections: String(maxConnections),
    shared_buffers: "64MB",
    // DETAIL lines quote the values of a row, which may be personal data.
    log_error_verbosity: "terse",
    // Containers often have 64 MB of /dev/shm, which one parallel query can fill; ours are short anyway.
    max_parallel_workers_per_gather: "0",
    ...more,
  };
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

/** The last lines of a program's output, without timestamps, as part of a sentence. */
export function lastLines(text: string): string {
  const lines = text.split("\n").map((line) => line.replace(/^\d{4}-\S+ \S+ \S+ \[\d+\] /, "").trim());
  return lines.filter(Boolean).slice(-4).join(" ");
}
