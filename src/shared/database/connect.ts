import { CompiledQuery, Kysely, PostgresDialect, type Transaction } from "kysely";
import pg from "pg";
import type { Tables } from "#shared/database/tables.ts";
import { SitePool } from "./site-pool.ts";

export type Database = Kysely<Tables>;
/** A connection inside one transaction, or the pool: what a query needs either way. */
export type Connection = Kysely<Tables> | Transaction<Tables>;

const int8 = 20;
const date = 1082;

// Cents and counts stay below 2^53, so numbers hold them whole; a date without a time must not become an instant.
const types = {
  getTypeParser: ((oid: number, format?: "text" | "binary") => {
    if (oid === int8) return Number;
    if (oid === date) return (text: string) => text;
    return pg.types.getTypeParser(oid, format);
  }) as typeof pg.types.getTypeParser,
};

/** The longest that a statement may take. */
export const STATEMENT_MS = 30_000;

/** One pool for queries, rate limits and jobs. A connection that the server closed is dropped, not thrown. */
export function createPool(url: string, onError: (error: Error) => void): SitePool {
  const pool = new SitePool({
    connectionString: url,
    max: 20,
    types,
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 30_000,
    options: `-c statement_timeout=${STATEMENT_MS} -c lock_timeout=10000 -c idle_in_transaction_session_timeout=60000`,
  });
  pool.on("error", onError);
  // A client that is in use has no listener of the pool's, and an error event without one ends the process. Whoever uses
  // it hears of the loss through the query that fails.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

export function createDatabase(pool: pg.Pool): Database {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

/** Runs SQL text with $1 parameters on the pool or in the caller's transaction; what pg-boss asks of its caller. */
export function sqlRunner(connection: Connection) {
  return {
    executeSql: async (text: string, values: unknown[] = []) => {
      const { rows } = await connection.executeQuery(CompiledQuery.raw(text, values));
      return { rows: rows as never[] };
    },
  };
}
