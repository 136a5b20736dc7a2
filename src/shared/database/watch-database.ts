import { setImmediate as afterNextRead, setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { holdPresence } from "./process-presence.ts";
import { cutConnection, type SitePool } from "./site-pool.ts";

const PING_MS = 500;
/** After this time without an answer the database counts as away: new queries are refused. */
const AWAY_MS = 1500;
/** After this time, the waiting queries are ended too. */
const CUT_MS = 2500;
const RECONNECT_MS = 100;
/** Makes the server notice within ten seconds that this machine is gone, and release its locks. */
const KEEPALIVES = "set tcp_keepalives_idle = 4; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3";

/** True on a standby, such as a primary that has been replaced, and on a server that refuses changes. */
const READ_ONLY = `select current_setting('transaction_read_only')::boolean as "isReadOnly"`;

/** SQLSTATE 53300, too many connections: the database is up, and the pool's connections still work. */
const TOO_MANY_CONNECTIONS = "53300";

/**
 * Pings the database every half second over its own connection, and tells the pool. A database that hangs (a stopped
 * process, a dead disk, a network that drops everything) sends no error; without this, requests would wait for TCP or
 * the statement timeout. `onChange` is called with true when the database goes away and with false when it is back. The
 * same connection holds the process's presence once `ready` resolves.
 */
export function watchDatabase(
  url: string,
  pool: SitePool,
  processId: number,
  onChange: (isAway: boolean) => void = () => undefined,
): { readonly ready: Promise<void>; stop(): Promise<void> } {
  const stopping = new AbortController();
  const ready = Promise.withResolvers<void>();
  const { signal } = stopping;
  let client: pg.Client | undefined;

  const setAway = (isAway: boolean) => {
    if (pool.isAway === isAway || signal.aborted) return;
    pool.setAway(isAway);
    onChange(isAway);
  };

  async function run() {
    while (!signal.aborted) {
      const isThere = await ping();
      if (isThere) setAway(false);
      ready.resolve();
      await sleep(isThere ? PING_MS : RECONNECT_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Whether the database answered, possibly after it was already marked as away. */
  async function ping(): Promise<boolean> {
    const answer = ask();
    const within = (milliseconds: number) => Promise.race([answer, noAnswerWithin(milliseconds)]);
    let isThere = await within(AWAY_MS);
    if (isThere === undefined) {
      setAway(true);
      isThere = await within(CUT_MS - AWAY_MS);
    }
    if (isThere === undefined) {
      pool.cut();
      drop(client);
    }
    return isThere ?? false;
  }

  /** False if the connection was lost; if a new one fails too, the database is away. */
  async function ask(): Promise<boolean> {
    const asked = client ?? new pg.Client({ connectionString: url, connectionTimeoutMillis: CUT_MS });
    try {
      if (client === undefined) {
        client = asked;
        asked.on("error", () => undefined);
        await asked.connect().catch((error: Error & { code?: string }) => {
          if (error.code !== TOO_MANY_CONNECTIONS) setAway(true);
          throw error;
        });
        await asked.query(KEEPALIVES);
        await holdPresence(asked, processId);
      }
      const { rows } = await asked.query<{ isReadOnly: boolean }>(READ_ONLY);
      if (!rows[0]!.isReadOnly) return true;
      // Nothing can be written here. The other connections lead to the same server.
      setAway(true);
      pool.cut();
      drop(asked);
      return false;
    } catch {
      drop(asked);
      return false;
    }
  }

  function drop(dropped: pg.Client | undefined) {
    if (dropped === undefined) return;
    if (client === dropped) client = undefined;
    cutConnection(dropped);
    dropped.end().catch(() => undefined);
  }

  const running = run();
  return {
    ready: ready.promise,
    stop: async () => {
      stopping.abort();
      drop(client);
      await running;
    },
  };
}

/** Resolves after the time. If this process was busy, an answer that has arrived is read first. */
export async function noAnswerWithin(milliseconds: number): Promise<undefined> {
  await sleep(milliseconds, undefined, { ref: false });
  await afterNextRead();
  await afterNextRead();
}
