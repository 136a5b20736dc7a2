import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { withFileLock } from "./embedded/file-lock.ts";
import { claimStalePidFile, findPostmaster, isProcessRunning, type Postmaster } from "./embedded/postmaster.ts";
import { connectPresence, countOthers, databaseUrl, provision } from "./embedded/presence.ts";
import { type Launched, lastLines, launchServer, makePlace, type Place, prepareCluster } from "./embedded/server.ts";
import { hasSocket, makeSocketDirectory, removeSocketDirectory } from "./embedded/socket-directory.ts";

export type EmbeddedDatabase = {
  /** For `pg`, over the unix socket. It stays the same when the server crashes and is started again. */
  readonly url: string;
  /** Whether this call started the server, rather than joined a running one. */
  readonly isOwner: boolean;
  /** What was put right at the start, as a sentence; null when there was nothing. */
  readonly recovered: string | null;
  /** Leaves the server; whoever leaves last stops it. Close your own connections first. */
  stop(): Promise<void>;
};

type Joined = {
  readonly socketDirectory: string;
  readonly presence: pg.Client;
  readonly isOwner: boolean;
  readonly recovered: string | null;
};

const startMs = 120_000;
const stopMs = 60_000;
const pollMs = 20;

/**
 * Starts the PostgreSQL that npm brought on the cluster in `dataDir/postgres`, or joins the one that runs there, and
 * creates the database `almoner`. While this process lives, a server that goes away is started again; when this process
 * is killed the server stays, and the next one to start joins it.
 * @throws an operator's sentence that names the log and DATABASE_URL
 */
export async function startEmbeddedDatabase(options: {
  dataDir: string;
  log?: (line: string) => void;
}): Promise<EmbeddedDatabase> {
  const log = options.log ?? (() => {});
  if (process.platform === "win32") {
    throw new Error("The database that comes with this program does not run on Windows. Set DATABASE_URL, or use WSL.");
  }
  const place = makePlace(options.dataDir);
  const join = (wanted: string | null) =>
    withFileLock(place.lockFile, startMs + stopMs, () => joinOrStart(place, wanted)).catch((cause) => {
      throw new Error(explain(place, cause as Error), { cause });
    });
  const first = await join(null);
  let joined = first;
  let isStopping = false;
  let rejoining: Promise<void> = Promise.resolve();
  let stopped: Promise<void> | undefined;

  const rejoin = async () => {
    log("PostgreSQL went away. Starting it again.");
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
 * Inside the lock. Whoever started the server, one joins it through what its `postmaster.pid` says.
 * `wantedDirectory` is where those who return expect its socket; a running site is never given a new, empty cluster.
 */
async function joinOrStart(place: Place, wantedDirectory: string | null): Promise<Joined> {
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
      if (postmaster) recovered = "PostgreSQL had not been shut down. It has put its data right from its log.";
      directory = makeSocketDirectory(place.data, directory, account);
      claimStalePidFile(place.data);
      launched = launchServer(place, binaries, account, directory);
    }
    await sleep(pollMs);
  }
  throw new Error(`It was not ready within ${startMs / 1000} s. ${launched ? lastLines(launched.output()) : ""}`);
}

async function tryToJoin(postmaster: Postmaster): Promise<pg.Client | null> {
  const isLost = postmaster.status === "ready" && !hasSocket(postmaster.socketDirectory);
  // A server whose socket somebody removed serves nobody new, and one that waits for its clients to leave may wait for ever.
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

/** Back ends of a killed server may live on for a moment, and another start may have come first: both pass. */
function refuseUnlessPassing(launched: Launched, directory: string | null): void {
  const output = launched.output();
  if (/pre-existing shared memory block|lock file "[^"]*" (already exists|is empty)/.test(output)) return;
  if (directory) removeSocketDirectory(directory);
  throw new Error(lastLines(output) || "It ended without a word.");
}

/** Inside the lock, so that nobody joins between the count and the stop. */
async function leave(place: Place, joined: Joined): Promise<void> {
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

/** Our own connection broke, as after a crash of the server: ask through a new one. In doubt the server stays. */
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

function explain(place: Place, cause: Error): string {
  const reason = cause.message.replace(/\.?$/, ".");
  return `PostgreSQL did not start: ${reason} See ${place.logFile}, or set DATABASE_URL to a PostgreSQL server of your own.`;
}
