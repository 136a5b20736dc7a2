import { sql } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import { FAILED_QUEUE, queues } from "./queues.ts";

export type FailedJob = {
  readonly id: string;
  readonly queue: string;
  readonly data: unknown;
  /** What the last try failed with. */
  readonly message: string;
  readonly sentAt: Date;
  readonly failedAt: Date;
};

/** Jobs whose last retry failed, newest first, at most 200 (REL-2). */
export async function listFailedJobs(connection: Connection): Promise<FailedJob[]> {
  const { rows } = await sql<FailedJob>`
    select id, coalesce(source_name, name) as queue, data, coalesce(output ->> 'message', output::text, '') as message,
      coalesce(source_created_on, created_on) as "sentAt", created_on as "failedAt"
    from pgboss.job
    where name = ${FAILED_QUEUE} and state < 'active'
    order by created_on desc, id limit 200`.execute(connection);
  return rows;
}

/** How many jobs are still to be done, and how many were given up. */
export async function countJobs(connection: Connection): Promise<{ waiting: number; failed: number }> {
  const { rows } = await sql<{ waiting: number; failed: number }>`
    select count(*) filter (where name = any(${[...queues]}) and state < 'completed') as waiting,
      count(*) filter (where name = ${FAILED_QUEUE} and state < 'active') as failed
    from pgboss.job`.execute(connection);
  return rows[0]!;
}
