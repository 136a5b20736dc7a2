import { setImmediate as afterNextRead, setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { holdPresence } from "./process-presence.ts";
import { cutConnection, type SitePool } from "./site-pool.ts";

const PING_MS = 500;
/** An answer that takes longer means that the database is away: new queries are refused. */
const AWAY_MS = 1500;
/** After so long without an answer the queries that wait are ended too. */
const CUT_MS = 2500;
const RECONNECT_MS = 100;
/** Has the server notice within ten seconds that this process's machine is gone, and end what the process held. */
const KEEPALIVES = "-c tcp_keepalives_idle=4 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3";

/** SQLSTATE 53300, too many connections: the database answers, and the pool's own connections go on. */
const TOO_MANY_CONNECTIONS = "53300";

/**
 * Asks the database every half second, over a connection of its own, whether it is there, and tells the pool. A database
 * that hangs (a stopped process, a dead disk, a network that drops everything) sends no error: without this every request
 * would wait for TCP or the statement's own limit. `onChange` is called with true when the database goes away, and with
 * false when it is back. The same connection holds the process's presence, from `ready` on.
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

  /** Whether the database answered. It may answer late, after it was taken to be away. */
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

  /** False when the connection was lost; where a new one cannot be had either, the database is away. */
  async function ask(): Promise<boolean> {
    const asked =
      client ?? new pg.Client({ connectionString: url, connectionTimeoutMillis: CUT_MS, options: KEEPALIVES });
    try {
      if (client === undefined) {
        client = asked;
        asked.on("error", () => undefined);
        await asked.connect().catch((error: Error & { code?: string }) => {
          if (error.code !== TOO_MANY_CONNECTIONS) setAway(true);
          throw error;
        });
        await holdPresence(asked, processId);
      }
      await asked.query("select 1");
      return true;
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

/** Undefined after so long. An answer that came while this process was busy is read before the time counts as over. */
async function noAnswerWithin(milliseconds: number): Promise<undefined> {
  await sleep(milliseconds, undefined, { ref: false });
  await afterNextRead();
  await afterNextRead();
}
