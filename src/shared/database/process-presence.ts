import { randomInt } from "node:crypto";
import { sql } from "kysely";
import type pg from "pg";
import type { Connection } from "./connect.ts";

/** Sets these advisory locks apart from any others. */
const LOCK_CLASS = 20_261_122;

/**
 * What a process signs its payments and refunds with. It holds a shared advisory lock of this number, which PostgreSQL frees when the
 * process, or its connection, ends: this is how the others see that it has died.
 */
export function newProcessId(): number {
  return randomInt(1, 2 ** 31);
}

/** Takes the lock for as long as this connection stands. Shared, so that a connection which is still ending is no obstacle. */
export async function holdPresence(client: pg.Client, processId: number): Promise<void> {
  await client.query("select pg_advisory_lock_shared($1, $2)", [LOCK_CLASS, processId]);
}

/**
 * The owners that were absent at this look and at the one before: a process whose connection is being made anew, as after a
 * restart of the database, lives.
 */
export function createDeathWatch(connection: Connection): () => Promise<readonly number[]> {
  let absentBefore: readonly number[] = [];
  return async () => {
    const before = absentBefore;
    absentBefore = [];
    absentBefore = await listAbsentOwners(connection);
    return absentBefore.filter((owner) => before.includes(owner));
  };
}

/** The owners of payments and refunds under way whose process, or its connection to the database, is gone. */
export async function listAbsentOwners(connection: Connection): Promise<number[]> {
  const { rows } = await sql<{ owner: number }>`
    select distinct owner from (
      select owner from payment_attempts where state in ('created', 'submitting')
      union select owner from refunds where state = 'submitting') as under_way
     where owner is not null and not exists (
       select from pg_locks
        where locktype = 'advisory' and granted and objsubid = 2 and classid = ${LOCK_CLASS}::oid and objid = owner::oid
          and database = (select oid from pg_database where datname = current_database()))`.execute(connection);
  return rows.map(({ owner }) => owner);
}
