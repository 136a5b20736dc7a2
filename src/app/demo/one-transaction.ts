import type pg from "pg";
import { createDatabase, type Database } from "#shared/database/connect.ts";

/** Statements that begin or end a transaction: they do nothing inside the outer one. */
const unsent = /^(begin|start transaction .*|commit|rollback)$/;

/**
 * Runs `work` in one transaction on one connection, all or nothing. Transactions that `work` begins become part of it;
 * if one of them fails, everything fails.
 */
export async function inOneTransaction<Result>(
  pool: pg.Pool,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  const borrowed = {
    query: async (text: string, values: unknown[]) =>
      unsent.test(text) ? { rows: [], rowCount: 0 } : client.query(text, values),
    release() {},
  };
  try {
    await client.query("begin");
    const result = await work(createDatabase({ connect: async () => borrowed } as unknown as pg.Pool));
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback").catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}
