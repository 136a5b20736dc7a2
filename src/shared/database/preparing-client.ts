import type { Duplex } from "node:stream";
import { LRUCache } from "lru-cache";
import pg from "pg";
import { reportUnknownOutcomes } from "./report-unknown.ts";

/** A statement is prepared from this run on: texts that vary, such as lists, would fill the server's memory. */
const OFTEN = 5;
/** On each connection. */
const MAX_PREPARED = 200;
/** Its result has other columns once a newer version has added one, and a prepared statement fails then. */
const allColumns = /\b(?:select|returning)\s+\*|\.\*/i;

type Callback = (error: Error | null, result: pg.QueryResult) => void;
type Query = (config: unknown, values?: unknown, callback?: Callback) => Promise<pg.QueryResult> | undefined;

/**
 * Prepares the statements with parameters that it runs often, so that the server parses and plans them once, unless they
 * ask for all columns of a table. What runs often is learnt for each pool.
 */
export function createPreparingClient() {
  const runs = new LRUCache<string, number>({ max: 1000 });
  const names = new Map<string, string>();

  function nameOf(text: string): string | undefined {
    if (names.has(text) || names.size === MAX_PREPARED) return names.get(text);
    const times = (runs.get(text) ?? 0) + 1;
    runs.set(text, times);
    if (times < OFTEN || allColumns.test(text)) return undefined;
    const name = `s${names.size + 1}`;
    names.set(text, name);
    return name;
  }

  return class PreparingClient extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super(config);
      reportUnknownOutcomes(this);
    }

    override query = ((config: unknown, values?: unknown, callback?: Callback) => {
      const query = super.query.bind(this) as Query;
      if (typeof config !== "string" || !Array.isArray(values) || values.length === 0) {
        return query(config, values, callback);
      }
      this.#sendOnceAllAreStarted();
      return query({ name: nameOf(config), text: config }, values, callback);
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
