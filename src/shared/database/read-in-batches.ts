import { createClient } from "./client.ts";

const ROWS_AT_ONCE = 1000;
/** The time limit of a statement. Of a million rows, the first come only once all are joined and sorted. */
const TIMEOUT_MS = 300_000;

/** A statement as plain data, for another thread. */
export type ExportPlan = { readonly text: string; readonly parameters: readonly unknown[] };

/**
 * Reads all rows of a statement in batches, all as of the same moment. Uses a connection of its own, and has the database
 * prepare one batch while the last one is used.
 */
export async function* readInBatches<Row extends object>(
  databaseUrl: string,
  { text, parameters }: ExportPlan,
): AsyncGenerator<readonly Row[]> {
  const client = createClient(databaseUrl);
  await client.connect();
  try {
    await client.query("begin isolation level repeatable read read only");
    // Lets the planner read whole tables and join them in memory if that is faster than looking up each row.
    await client.query(
      `set local jit = off; set local work_mem = '32MB'; set local cursor_tuple_fraction = 1;
       set local statement_timeout = ${TIMEOUT_MS}`,
    );
    await client.query(`declare exported no scroll cursor for ${text}`, [...parameters]);
    const fetch = () => {
      const fetched = client.query<Row>(`fetch ${ROWS_AT_ONCE} from exported`);
      // The reader may have gone before it fails.
      fetched.catch(() => undefined);
      return fetched;
    };
    let next = fetch();
    for (let isLast = false; !isLast; ) {
      const { rows } = await next;
      isLast = rows.length < ROWS_AT_ONCE;
      if (!isLast) next = fetch();
      if (rows.length > 0) yield rows;
    }
  } finally {
    await client.end();
  }
}
