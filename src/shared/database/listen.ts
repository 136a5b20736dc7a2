import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { keepAlive } from "./client.ts";

const FIRST_WAIT_MS = 100;
const MAX_WAIT_MS = 10_000;

/**
 * Calls `onNotify` for every notification on a channel, over its own connection, which reconnects automatically. Also
 * calls it after each (re)connection, because earlier notifications may have been lost.
 */
export function listen(
  url: string,
  channel: string,
  onNotify: (payload: string) => void,
  onError: (error: Error) => void = () => undefined,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let client: pg.Client | undefined;

  async function run() {
    let wait = FIRST_WAIT_MS;
    while (!stopping.signal.aborted) {
      client = new pg.Client({ connectionString: url, ...keepAlive, connectionTimeoutMillis: 5000 });
      const ended = new Promise<void>((resolve) => client!.once("end", () => resolve()));
      client.on("error", onError);
      client.on("notification", ({ payload }) => onNotify(payload ?? ""));
      try {
        await client.connect();
        await client.query(`listen ${pg.escapeIdentifier(channel)}`);
        wait = FIRST_WAIT_MS;
        onNotify("");
        await ended;
      } catch (error) {
        onError(error as Error);
        await client.end().catch(() => undefined);
      }
      await sleep(wait, undefined, { signal: stopping.signal }).catch(() => undefined);
      wait = Math.min(wait * 2, MAX_WAIT_MS);
    }
  }

  const running = run();
  return {
    stop: async () => {
      stopping.abort();
      await client?.end().catch(() => undefined);
      await running;
    },
  };
}
