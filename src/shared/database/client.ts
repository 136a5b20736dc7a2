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

/** Sent to every new session: as a startup option, PgBouncer would refuse them. */
export const sessionLimits = `set statement_timeout = ${STATEMENT_MS}; set idle_in_transaction_session_timeout = 60000`;

/** Notices within about twenty seconds that the other side is gone without a word. */
export const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;

class LimitedClient extends pg.Client {
  override connect = (async () => {
    await super.connect();
    await this.query(sessionLimits);
    return this;
  }) as pg.Client["connect"];
}

/** One separate connection, for work that takes minutes. It may stay idle in a transaction for a minute. */
export function createClient(url: string): pg.Client {
  const client = new LimitedClient({ connectionString: url, types, connectionTimeoutMillis: 5000, ...keepAlive });
  // The failing query reports the lost connection.
  client.on("error", () => undefined);
  return client;
}
