import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { withFileLock } from "./embedded/file-lock.ts";
import { claimStalePidFile, findPostmaster, isProcessRunning, type Postmaster } from "./embedded/postmaster.ts";
import { connectPresence, countOthers, databaseUrl, provision } from "./embedded/presence.ts";
import {
  type Launched,
  lastLines,
  launchServer,
  makePlace,
  prepareCluster,
  type ServerFolder,
} from "./embedded/server.ts";
import { hasSocket, makeSocketDirectory, removeSocketDirectory } from "./embedded/socket-directory.ts";

export type EmbeddedDatabase = {
  /** For `pg`, over the Unix socket. It stays the same after a crash and restart. */
  readonly url: string;
  /** Whether this call started the server, rather than joined a running one. */
  readonly isOwner: boolean;
  /** What the start repaired, as a sentence; null if nothing. */
  readonly recovered: string | null;
  /** Leaves the server; the last process to leave stops it. Close your own connections first. */
  stop(): Promise<void>;
};

type Joined = {
  readonly socketDirectory: string;
  readonly presence: pg.Client;
  readonly isOwner: boolean;
  readonly recovered: string | null;
};

const usualStartMs = 120_000;
const stopMs = 60_000;
const pollMs = 20;

type EmbeddedOptions = {
  readonly dataDir: string;
  /** The default fits two servers with a pool of 20 each, jobs and the launchers. */
  readonly maxConnections?: number;
  /** ARCHIVE_DIR: every process that may start a site's database names it, or the archive would have gaps. */
  readonly archiveDir?: string | null;
  /** Further settings, if this call starts the server. */
  readonly settings?: Readonly<Record<string, string>>;
  /** How long a start may take. */
  readonly startMs?: number;
  readonly log?: (line: string) => void;
  /** Called when a server has been launched, before it is ready. */
  readonly onLaunched?: () => void;
};

/**
 * Starts npm's PostgreSQL on the cluster in `dataDir/postgres`, or joins the one running there, and creates the database
 * `almoner`. While this process lives, a server that stops is restarted; when this process is killed the server keeps
 * running, and the next process joins it.
 * @throws an operator's sentence that names the log and DATABASE_URL
 */
export async function startEmbeddedDatabase(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const log = options.log ?? (() => {});
  if (process.platform === "win32") {
    throw new Error("The database that comes with this program does not run on Windows. Set DATABASE_URL, or use WSL.");
  }
  const place = makePlace(options.dataDir, options);
  const startMs = options.startMs ?? usualStartMs;
  const join = (wanted: string | null) =>
    withFileLock(place.lockFile, startMs + stopMs, () => joinOrStart(place, wanted, startMs, options.onLaunched)).catch(
      (cause) => {
        throw new Error(explain(place, cause as Error), { cause });
      },
    );
  const first = await join(null);
  let joined = first;
  let isStopping = false;
  let rejoining: Promise<void> = Promise.resolve();
  let stopped: Promise<void> | undefined;

  const rejoin = async () => {
    log("PostgreSQL stopped. Starting it again.");
    while (!isStopping) {
      try {
        joined = await join(joined.socketDirectory);
        watch();
        return log("PostgreSQL is back.");
      } catch (error) {
        log((error as Error).message);
        await sleep(1000);
      }
    }
  };
  const watch = () => {
    joined.presence.once("end", () => {
      if (!isStopping) rejoining = rejoin();
    });
  };
  watch();

  const stop = async () => {
    isStopping = true;
    await rejoining;
    await withFileLock(place.lockFile, startMs + stopMs, () => leave(place, joined));
  };
  return {
    url: databaseUrl(first.socketDirectory),
    isOwner: first.isOwner,
    recovered: first.recovered,
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}

/**
 * Inside the lock. Joins a running server through its `postmaster.pid`, whoever started it. Processes that reconnect expect
 * its socket in `wantedDirectory`; a running site never gets a new, empty cluster.
 */
async function joinOrStart(
  place: ServerFolder,
  wantedDirectory: string | null,
  startMs: number,
  onLaunched = () => {},
): Promise<Joined> {
  if (wantedDirectory !== null && !existsSync(place.data)) throw new Error(`The folder ${place.data} is gone.`);
  const { binaries, account } = await prepareCluster(place);
  let launched: Launched | null = null;
  let recovered: string | null = null;
  let directory = wantedDirectory;
  const deadline = Date.now() + startMs;
  while (Date.now() < deadline) {
    const postmaster = findPostmaster(place.data);
    directory ??= postmaster?.socketDirectory ?? null;
    if (postmaster?.isRunning) {
      const presence = await tryToJoin(postmaster);
      if (presence) {
        const isOwner = postmaster.pid === launched?.pid;
        return { socketDirectory: postmaster.socketDirectory, presence, isOwner, recovered };
      }
    } else if (!launched || launched.hasExited()) {
      if (launched) refuseUnlessPassing(launched, directory);
      if (postmaster) recovered = "PostgreSQL had not been shut down. It has repaired its data from its log.";
      directory = makeSocketDirectory(place.data, directory, account);
      claimStalePidFile(place.data);
      launched = launchServer(place, binaries, account, directory);
      onLaunched();
    }
    await sleep(pollMs);
  }
  throw new Error(`It was not ready within ${startMs / 1000} s. ${launched ? lastLines(launched.output()) : ""}`);
}

async function tryToJoin(postmaster: Postmaster): Promise<pg.Client | null> {
  const isLost = postmaster.status === "ready" && !hasSocket(postmaster.socketDirectory);
  // A server without its socket accepts nobody, and one that waits for its clients to leave may wait for ever.
  if (isLost || postmaster.status === "stopping") signal(postmaster.pid, "SIGINT");
  if (isLost || postmaster.status !== "ready") return null;
  const presence = await connectPresence(postmaster.socketDirectory);
  if (!presence) return null;
  try {
    await provision(presence);
    return presence;
  } catch (error) {
    await presence.end().catch(() => {});
    throw error;
  }
}

/** Retries, because a killed server's back ends may live for a moment, or another start may have come first. */
function refuseUnlessPassing(launched: Launched, directory: string | null): void {
  const output = launched.output();
  if (/pre-existing shared memory block|lock file "[^"]*" (already exists|is empty)/.test(output)) return;
  if (directory) removeSocketDirectory(directory);
  throw new Error(lastLines(output) || "It ended without a message.");
}

/** Called inside the lock, so that nobody joins between the count and the stop. */
async function leave(place: ServerFolder, joined: Joined): Promise<void> {
  const postmaster = findPostmaster(place.data);
  if (!postmaster?.isRunning) return joined.presence.end().catch(() => {});
  const others = await countOthers(joined.presence).catch(() => countAgain(postmaster));
  await joined.presence.end().catch(() => {});
  if (others > 0) return;
  signal(postmaster.pid, "SIGINT");
  const deadline = Date.now() + stopMs;
  while (isProcessRunning(postmaster.pid)) {
    if (Date.now() > deadline)
      throw new Error(`PostgreSQL did not stop within ${stopMs / 1000} s. See ${place.logFile}.`);
    await sleep(pollMs);
  }
  removeSocketDirectory(postmaster.socketDirectory);
}

/** Counts over a new connection if ours broke, as after a crash. In doubt the server keeps running. */
async function countAgain(postmaster: Postmaster): Promise<number> {
  const deadline = Date.now() + 5000;
  while (Date.now() < deadline) {
    const presence = await connectPresence(postmaster.socketDirectory).catch(() => null);
    if (presence) return countOthers(presence).finally(() => presence.end().catch(() => {}));
    await sleep(pollMs);
  }
  return 1;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

function explain(place: ServerFolder, cause: Error): string {
  const reason = cause.message.replace(/\.?$/, ".");
  return `PostgreSQL did not start: ${reason} See ${place.logFile}, or set DATABASE_URL to a PostgreSQL server of your own.`;
}
