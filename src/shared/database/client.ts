import pg from "pg";

// Threads that export read through this file alone: Kysely would take more memory than their rows.

const int8 = 20;
const date = 1082;

// Cents and counts stay below 2^53, so numbers are exact; dates without a time stay text, so that they do not become
// instants.
export const types = {
  getTypeParser: ((oid: number, format?: "text" | "binary") => {
    if (oid === int8) return Number;
    if (oid === date) return (text: string) => text;
    return pg.types.getTypeParser(oid, format);
  }) as typeof pg.types.getTypeParser,
};

export const STATEMENT_MS = 30_000;

/** One separate connection, for work that takes minutes. It may stay idle in a transaction for a minute. */
export function createClient(url: string): pg.Client {
  const options = `-c statement_timeout=${STATEMENT_MS} -c idle_in_transaction_session_timeout=60000`;
  const client = new pg.Client({ connectionString: url, types, connectionTimeoutMillis: 5000, options });
  // The failing query reports the lost connection.
  client.on("error", () => undefined);
  return client;
}
