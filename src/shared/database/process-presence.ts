import { randomInt } from "node:crypto";
import { type RawBuilder, sql } from "kysely";
import type pg from "pg";
import type { Connection } from "./connect.ts";

/** Separates these advisory locks from others. */
const LOCK_CLASS = 20_261_122;

/**
 * Identifies the process in its payments, refunds and comparisons. The process holds a shared advisory lock of this
 * number, which PostgreSQL releases when its connection ends; that is how others notice that it has died.
 */
export function newProcessId(): number {
  return randomInt(1, 2 ** 31);
}

/** Holds the lock for this connection. Shared, so that an old connection that is ending does not block it. */
export async function holdPresence(client: pg.Client, processId: number): Promise<void> {
  await client.query("select pg_advisory_lock_shared($1, $2)", [LOCK_CLASS, processId]);
}

/** Lists owners absent at this check and the previous one: a process may be reconnecting after a database restart. */
export function createDeadProcessFinder(connection: Connection): () => Promise<readonly number[]> {
  let absentBefore: readonly number[] = [];
  return async () => {
    const before = absentBefore;
    absentBefore = [];
    absentBefore = await listAbsentOwners(connection);
    return absentBefore.filter((owner) => before.includes(owner));
  };
}

/** Whether the process that this names is alive and connected. */
export const isPresent = (owner: RawBuilder<unknown>) => sql<boolean>`exists (
  select from pg_locks
   where locktype = 'advisory' and granted and objsubid = 2 and classid = ${LOCK_CLASS}::oid and objid = ${owner}::oid
     and database = (select oid from pg_database where datname = current_database()))`;

/** The owners of payments and refunds in progress whose process or connection is gone. */
export async function listAbsentOwners(connection: Connection): Promise<number[]> {
  const { rows } = await sql<{ owner: number }>`
    select distinct owner from (
      select owner from payment_attempts where state in ('created', 'submitting')
      union select owner from refunds where state = 'submitting') as under_way
     where owner is not null and not ${isPresent(sql.ref("owner"))}`.execute(connection);
  return rows.map(({ owner }) => owner);
}
