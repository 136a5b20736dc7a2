import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyBaseLogger } from "fastify";
import type pg from "pg";
import { createClient } from "./client.ts";
import { createDatabase, createPool, type Database } from "./connect.ts";
import { type Position, primaryPosition, refuseReplica, replicaPosition } from "./replica.ts";
import { cutConnection } from "./site-pool.ts";
import { noAnswerWithin } from "./watch-database.ts";

const CHECK_MS = 2000;
const NO_ANSWER_MS = 2000;
/** A replica that is further behind is not read. */
const MAX_BEHIND_MS = 60_000;

/** The database that a heavy read goes to. */
export type Reading = {
  readonly url: string;
  readonly database: Database;
  /** A replica has everything that was committed before this time. Null for the primary, which has everything. */
  readonly asOf: Date | null;
  /** Aborts when the replica is lost, so that nobody waits for one that hangs. */
  readonly lost?: AbortSignal;
};

/**
 * Where reports and exports read from: the replica at DATABASE_READ_URL, or the primary without that setting and while
 * the replica is late or away. Never for money, nor for anything that decides.
 */
export type ReadingDatabase = {
  readonly primary: Reading;
  current(): Reading;
  /** Repeats on the primary what fails on the replica. */
  read<Result>(work: (database: Database) => Promise<Result>): Promise<{ result: Result; asOf: Date | null }>;
  /** Finds out whether the replica can be read. */
  check(): Promise<void>;
  /** Whether the replica is read; null without one in the settings. */
  isInUse(): boolean | null;
  /** Checks every two seconds. Until then the primary is read. */
  watch(): void;
  stop(): Promise<void>;
};

type ReadingOptions = {
  readonly primaryUrl: string;
  readonly pool: pg.Pool;
  readonly database: Database;
  readonly replicaUrl: string | undefined;
  readonly log: FastifyBaseLogger;
  readonly now: () => Date;
};

export function createReadingDatabase({ replicaUrl, ...options }: ReadingOptions): ReadingDatabase {
  if (replicaUrl !== undefined) return followReplica({ ...options, replicaUrl });
  const primary: Reading = { url: options.primaryUrl, database: options.database, asOf: null };
  return {
    primary,
    current: () => primary,
    isInUse: () => null,
    read: async (work) => ({ result: await work(primary.database), asOf: null }),
    check: async () => undefined,
    watch: () => undefined,
    stop: async () => undefined,
  };
}

function followReplica({
  primaryUrl,
  database,
  replicaUrl,
  ...options
}: ReadingOptions & { readonly replicaUrl: string }): ReadingDatabase {
  const primary: Reading = { url: primaryUrl, database, asOf: null };
  const replicaPool = createPool(replicaUrl, () => undefined);
  const replica = createDatabase(replicaPool);
  let lost = new AbortController();
  const follower = createFollower({
    ...options,
    replicaUrl,
    onLost(message) {
      lost.abort(new Error(message));
      lost = new AbortController();
      replicaPool.cut();
    },
  });
  const current = (): Reading => {
    const asOf = follower.asOf();
    return asOf === null ? primary : { url: replicaUrl, database: replica, asOf, lost: lost.signal };
  };
  return {
    primary,
    current,
    async read(work) {
      const reading = current();
      if (reading.asOf !== null) {
        try {
          return { result: await work(reading.database), asOf: reading.asOf };
        } catch {
          // A replica also ends reads that are in the way of its changes.
          await follower.check();
        }
      }
      return { result: await work(primary.database), asOf: null };
    },
    check: follower.check,
    isInUse: () => follower.asOf() !== null,
    watch: follower.watch,
    async stop() {
      await follower.stop();
      replicaPool.cut();
      await replica.destroy();
    },
  };
}

type State = "not checked" | "in use" | "late" | "away" | "refused";
type FollowerOptions = Pick<ReadingOptions, "pool" | "log" | "now"> & {
  readonly replicaUrl: string;
  readonly onLost: (message: string) => void;
};

/** Compares the replica with the primary, and logs what changes. */
function createFollower({ pool, replicaUrl, log, now, onLost }: FollowerOptions) {
  const asker = createAsker(replicaUrl);
  const stopping = new AbortController();
  /** Where the primary was in the last minute, and when; oldest first. */
  let seen: { readonly at: Date; readonly position: Position }[] = [];
  let state: State = "not checked";
  let firstAt: Date | undefined;
  let asOf: Date | null = null;
  let watching = Promise.resolve();

  async function check() {
    const at = now();
    firstAt ??= at;
    seen = seen.filter((one) => at.getTime() - one.at.getTime() <= MAX_BEHIND_MS);
    // If the primary is away, what it answered before still says how old the replica is.
    const asked = await pool.query<Position>(primaryPosition).catch(() => null);
    if (asked !== null) seen.push({ at, position: asked.rows[0]! });
    const latest = seen.at(-1)?.position;
    const position = latest === undefined ? null : await asker.ask();
    if (latest === undefined || stopping.signal.aborted) return;
    if (position === null) return become("away", "the replica does not answer: reports read from the primary");
    const refusal = refuseReplica(position, latest);
    if (refusal !== null) return become("refused", `${refusal} It is ignored`);
    const reached = seen.findLast((one) => one.position.bytes <= position.bytes);
    if (reached !== undefined) return become("in use", "reports and exports read from the replica", reached.at);
    // A busy primary is always a little ahead of its replica, which the first checks can't tell from a late one.
    if (state === "not checked" && at.getTime() - firstAt.getTime() <= MAX_BEHIND_MS) return;
    return become("late", "the replica is more than a minute behind: reports read from the primary");
  }

  function become(next: State, message: string, at: Date | null = null) {
    asOf = at;
    if (next === "away" || next === "refused") onLost(message);
    if (state === next) return;
    state = next;
    log[next === "in use" ? "info" : next === "refused" ? "error" : "warn"](message);
  }

  const checkOnce = oneAtATime(check);
  async function checkAgain() {
    while (!stopping.signal.aborted) {
      await checkOnce();
      await sleep(CHECK_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    }
  }
  return {
    /** Null while the replica must not be read. */
    asOf: () => asOf,
    check: checkOnce,
    watch() {
      watching = checkAgain();
    },
    async stop() {
      stopping.abort();
      asker.drop();
      await watching;
    },
  };
}

/** Those who ask while it runs wait for the same run. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= work().finally(() => {
      running = undefined;
    });
    return running;
  };
}

/** Asks the replica where it is, over a connection of its own, so that busy ones do not make it look away. */
function createAsker(url: string) {
  let client: pg.Client | undefined;
  function drop() {
    if (client === undefined) return;
    cutConnection(client);
    client.end().catch(() => undefined);
    client = undefined;
  }
  async function query(): Promise<Position> {
    if (client === undefined) {
      client = createClient(url);
      await client.connect();
    }
    return (await client.query<Position>(replicaPosition)).rows[0]!;
  }
  return {
    drop,
    /** Null without an answer in time. */
    async ask(): Promise<Position | null> {
      const answer = await Promise.race([query().catch(() => undefined), noAnswerWithin(NO_ANSWER_MS)]);
      if (answer === undefined) drop();
      return answer ?? null;
    },
  };
}
