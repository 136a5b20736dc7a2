import { randomInt } from "node:crypto";
import { sql } from "kysely";
import type pg from "pg";
import type { Connection } from "./connect.ts";

/** Sets these advisory locks apart from any others. */
const LOCK_CLASS = 20_261_122;

/**
 * What a process signs its payments with. It holds a shared advisory lock of this number, which PostgreSQL frees when the
 * process, or its connection, ends: this is how the others see that it has died.
 */
export function newProcessId(): number {
  return randomInt(1, 2 ** 31);
}

/** Takes the lock for as long as this connection stands. Shared, so that a connection which is still ending is no obstacle. */
export async function holdPresence(client: pg.Client, processId: number): Promise<void> {
  await client.query("select pg_advisory_lock_shared($1, $2)", [LOCK_CLASS, processId]);
}

/** The owners of payments under way whose process, or its connection to the database, is gone. */
export async function listAbsentOwners(connection: Connection): Promise<number[]> {
  const { rows } = await sql<{ owner: number }>`
    select distinct owner from payment_attempts
     where state in ('created', 'submitting') and owner is not null and not exists (
       select from pg_locks
        where locktype = 'advisory' and granted and objsubid = 2 and classid = ${LOCK_CLASS}::oid and objid = owner::oid
          and database = (select oid from pg_database where datname = current_database()))`.execute(connection);
  return rows.map(({ owner }) => owner);
}
