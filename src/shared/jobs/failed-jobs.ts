import { sql } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import { FAILED_QUEUE, queues } from "./queues.ts";

export type FailedJob = {
  readonly id: string;
  readonly queue: string;
  readonly data: unknown;
  /** The error of the last attempt. */
  readonly message: string;
  readonly sentAt: Date;
  readonly failedAt: Date;
};

const columns = sql`id, coalesce(source_name, name) as queue, data, coalesce(output ->> 'message', output::text, '') as message,
      coalesce(source_created_on, created_on) as "sentAt", created_on as "failedAt"`;

/** Jobs that failed for good, newest first (REL-2). */
export async function listFailedJobs(connection: Connection, limit = 200): Promise<FailedJob[]> {
  const { rows } = await sql<FailedJob>`
    select ${columns}
    from pgboss.job
    where name = ${FAILED_QUEUE} and state < 'active'
    order by created_on desc, id limit ${limit}`.execute(connection);
  return rows;
}

/** Jobs that wait or run (one that is retried waits), and those that failed for good. */
export async function countJobs(connection: Connection): Promise<{ waiting: number; failed: number }> {
  const { rows } = await sql<{ waiting: number; failed: number }>`
    select count(*) filter (where name = any(${[...queues]}) and state < 'completed') as waiting,
      count(*) filter (where name = ${FAILED_QUEUE} and state < 'active') as failed
    from pgboss.job`.execute(connection);
  return rows[0]!;
}

/** Jobs that failed for good and that nobody has retried or discarded. */
export async function countFailedJobs(connection: Connection): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pgboss.job where name = ${FAILED_QUEUE} and state < 'active'`.execute(connection);
  return rows[0]!.count;
}

/**
 * Removes a failed job and returns it; null if somebody else has taken it. To retry it, send it again in the same
 * transaction.
 */
export async function takeFailedJob(transaction: Connection, id: string): Promise<FailedJob | null> {
  const { rows } = await sql<FailedJob>`
    delete from pgboss.job where name = ${FAILED_QUEUE} and state < 'active' and id = ${id}::uuid
    returning ${columns}`.execute(transaction);
  return rows[0] ?? null;
}
