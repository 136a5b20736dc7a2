import type { Duplex } from "node:stream";
import { LRUCache } from "lru-cache";
import pg from "pg";

/** A statement is prepared from this run on: texts that vary, such as lists, would fill the server's memory. */
const OFTEN = 5;
/** On each connection. */
const MOST_PREPARED = 200;

type Callback = (error: Error | null, result: pg.QueryResult) => void;
type Query = (config: unknown, values?: unknown, callback?: Callback) => Promise<pg.QueryResult> | undefined;

/**
 * Prepares the statements with parameters that it runs often, so that the server parses and plans them once. A statement
 * fails once if a migration has changed its result while this process was running, and is not prepared from then on.
 * What runs often is learnt for each pool.
 */
export function createPreparingClient() {
  const runs = new LRUCache<string, number>({ max: 1000 });
  /** Undefined if the text is not prepared any more. */
  const names = new Map<string, string | undefined>();

  function nameOf(text: string): string | undefined {
    if (names.has(text) || names.size === MOST_PREPARED) return names.get(text);
    const times = (runs.get(text) ?? 0) + 1;
    runs.set(text, times);
    if (times < OFTEN) return undefined;
    const name = `s${names.size + 1}`;
    names.set(text, name);
    return name;
  }

  return class PreparingClient extends pg.Client {
    override query = ((config: unknown, values?: unknown, callback?: Callback) => {
      const query = super.query.bind(this) as Query;
      if (typeof config !== "string" || !Array.isArray(values) || values.length === 0) {
        return query(config, values, callback);
      }
      this.#sendOnceAllAreStarted();
      const name = nameOf(config);
      const forgetIfChanged = (error: Error | null) => {
        if (error !== null && /cached plan must not change/.test(error.message)) names.set(config, undefined);
      };
      if (callback === undefined) {
        return query({ name, text: config }, values)?.catch((error: Error) => {
          forgetIfChanged(error);
          throw error;
        });
      }
      return query({ name, text: config }, values, (error, result) => {
        forgetIfChanged(error);
        callback(error, result);
      });
    }) as pg.Client["query"];

    /** Statements started without waiting in between are sent in one message. */
    #sendOnceAllAreStarted() {
      const { stream } = (this as unknown as { connection: { stream: Duplex } }).connection;
      if (stream.writableCorked > 0) return;
      stream.cork();
      process.nextTick(() => stream.uncork());
    }
  };
}
