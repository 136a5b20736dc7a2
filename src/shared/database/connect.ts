import { CompiledQuery, Kysely, PostgresDialect, type Transaction } from "kysely";
import type pg from "pg";
import type { Tables } from "#shared/database/tables.ts";
import { STATEMENT_MS, types } from "./client.ts";
import { createPreparingClient } from "./preparing-client.ts";
import { SitePool } from "./site-pool.ts";

export type Database = Kysely<Tables>;
/** A transaction or the pool. */
export type Connection = Kysely<Tables> | Transaction<Tables>;

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
    options: `-c statement_timeout=${STATEMENT_MS} -c lock_timeout=10000 -c idle_in_transaction_session_timeout=60000`,
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
