import { type RawBuilder, sql } from "kysely";
import type { Connection, Database } from "./connect.ts";

/** The last statement of a transaction, sent together with the commit. It has no parameters: PostgreSQL takes several statements at once only then. */
export type LastStatement = RawBuilder<unknown>;

/**
 * Runs `work` in one transaction, and its `last` statement and the commit in one message: whoever waits for the locks that
 * this statement takes waits for nothing that is still on its way.
 */
export function transact<Result>(
  database: Database,
  work: (transaction: Connection) => Promise<{ readonly result: Result; readonly last?: LastStatement | undefined }>,
): Promise<Result> {
  return database.connection().execute(async (connection) => {
    await sql`begin`.execute(connection);
    try {
      const { result, last } = await work(connection);
      await (last === undefined ? sql`commit` : sql`${last}; commit`).execute(connection);
      return result;
    } catch (error) {
      // On a connection that is lost there is nothing to undo any more.
      await sql`rollback`.execute(connection).catch(() => undefined);
      throw error;
    }
  });
}
