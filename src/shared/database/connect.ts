import { CompiledQuery, Kysely, PostgresDialect, type Transaction } from "kysely";
import type pg from "pg";
import type { Tables } from "#shared/database/tables.ts";
import { keepAlive, sessionLimits, types } from "./client.ts";
import { createPreparingClient } from "./preparing-client.ts";
import { SitePool } from "./site-pool.ts";

export type Database = Kysely<Tables>;
/** A transaction or the pool. */
export type Connection = Kysely<Tables> | Transaction<Tables>;

// The types leave out the time after which a query without an answer fails.
const poolLimits: pg.QueryConfig & { query_timeout: number } = {
  text: `${sessionLimits}; set lock_timeout = 10000`,
  query_timeout: 5000,
};

/** One pool for queries, rate limits and jobs. A connection that the server has closed is dropped without throwing. */
export function createPool(url: string, onError: (error: Error) => void): SitePool {
  const pool = new SitePool({
    Client: createPreparingClient(),
    connectionString: url,
    max: 20,
    // Within a transaction, statements need not wait for each other.
    pipeline: true,
    types,
    connectionTimeoutMillis: 5000,
    // Kept for the next rush: a new connection's first donation costs the database as much as twenty on an old one.
    idleTimeoutMillis: 300_000,
    ...keepAlive,
    // One that is not answered would keep its place in the pool.
    onConnect: (client) => client.query(poolLimits),
  });
  pool.on("error", onError);
  // A client in use has no error listener of the pool, and an unhandled error event ends the process. Its user learns
  // of the loss from the failing query.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

/** Kysely on this pool; its `destroy` ends the pool too. */
export function createDatabase(pool: pg.Pool): Database {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

/** Runs SQL text with $1 parameters on the pool or in a transaction, as pg-boss requires. */
export function sqlRunner(connection: Connection) {
  return {
    executeSql: async <Row>(text: string, values: unknown[] = []) => {
      const { rows } = await connection.executeQuery<Row>(CompiledQuery.raw(text, values));
      return { rows };
    },
  };
}
