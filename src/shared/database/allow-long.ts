import { sql } from "kysely";
import type { Connection } from "./connect.ts";

/** A scheduled task may count for longer than a request may wait: ten minutes a statement, in this transaction. */
export async function allowLong(transaction: Connection): Promise<void> {
  await sql`select set_config('statement_timeout', '600000', true)`.execute(transaction);
}
