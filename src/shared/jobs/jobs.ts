import { createHash } from "node:crypto";
import type { FastifyBaseLogger } from "fastify";
import type pg from "pg";
import { type JobResult, PgBoss, systemClock } from "pg-boss";
import { type Connection, sqlRunner } from "#shared/database/connect.ts";
import { withoutAddresses } from "#shared/logging/describe-error.ts";
import { FAILED_QUEUE, type JobData, type Queue, queues } from "./queues.ts";

/** The durable outbox (REL-2): a job sent in a transaction runs if, and only if, that transaction commits. */
export type Jobs = {
  /** Adds a job in the caller's transaction. `once` names it: no job of that name is added for a week after it. */
  send<Q extends Queue>(connection: Connection, queue: Q, data: JobData[Q], options?: { once?: string }): Promise<void>;
  /** Adds any number of jobs in one statement. */
  sendAll<Q extends Queue>(connection: Connection, queue: Q, data: readonly JobData[Q][]): Promise<void>;
  /** Runs `handler` for each job, at least once; if it throws, the job is retried later. The job keeps what it returns. */
  work<Q extends Queue>(queue: Q, handler: (data: JobData[Q]) => Promise<unknown>): Promise<void>;
  /** Takes no more jobs and waits up to 5 s for running ones; others retry those that do not finish. */
  stop(): Promise<void>;
};

const day = 86_400;
/** Only one process at a time prepares the schema. */
const lockKey = 20_261_122;

const queueOptions = {
  expireInSeconds: 300,
  // A killed worker's job is released after ten seconds without a heartbeat.
  heartbeatSeconds: 10,
  // 1, 2, 4 … seconds, up to an hour apart: about a day of retries.
  retryLimit: 36,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 3600,
  retentionSeconds: 90 * day,
  deleteAfterSeconds: 7 * day,
};

/** Independent of the machine's clock: if that goes back an hour, workers would sleep for an hour (REL-10). */
const clock = { ...systemClock, now: () => performance.timeOrigin + performance.now() };

/** Starts the outbox on the site's pool, in any number of processes. */
export async function createJobs({ pool, log }: { pool: pg.Pool; log: FastifyBaseLogger }): Promise<Jobs> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values) },
    clock,
    schedule: false,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
  });
  boss.on("error", (error: Error & { code?: string }) => {
    // SQLSTATE 08, a lost connection: `watchDatabase` has a warning of its own, and nobody needs to act.
    if (error.code?.startsWith("08"))
      log.warn({ err: error }, "the outbox could not reach the database and will retry");
    else log.error({ err: error }, "the outbox failed and will retry");
  });
  boss.on("warning", ({ message }) => log.warn({ warning: message }, "warning from the outbox"));
  await prepare(boss, pool);

  return {
    send: async (connection, queue, data, { once } = {}) => {
      const id = once === undefined ? {} : { id: idOf(queue, once) };
      await boss.insert(queue, [{ data, ...id }], { db: sqlRunner(connection) });
    },
    sendAll: async (connection, queue, data) => {
      if (data.length === 0) return;
      const jobs = data.map((each) => ({ data: each }));
      await boss.insert(queue, jobs, { db: sqlRunner(connection) });
    },
    work: async (queue, handler) => {
      const options = {
        pollingIntervalSeconds: 0.5,
        batchSize: 8,
        burstWhenBatchFull: true,
        perJobResults: true,
      } as const;
      await boss.work<JobData[typeof queue], unknown, typeof options>(queue, options, (batch) =>
        Promise.all(batch.map((job) => run(job, handler, log))),
      );
    },
    stop: () => boss.stop({ graceful: true, timeout: 5000 }),
  };
}

/** The first start creates the schema, which two processes must not do at the same time. */
async function prepare(boss: PgBoss, pool: pg.Pool) {
  const client = await pool.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [lockKey]);
    await boss.start();
    await boss.createQueue(FAILED_QUEUE, { retentionSeconds: 90 * day });
    for (const queue of queues) {
      await boss.createQueue(queue, { ...queueOptions, deadLetter: FAILED_QUEUE });
      await boss.updateQueue(queue, { ...queueOptions, deadLetter: FAILED_QUEUE });
    }
    await client.query("select pg_advisory_unlock($1)", [lockKey]);
    client.release();
  } catch (error) {
    client.release(true);
    await boss.stop({ graceful: false }).catch(() => undefined);
    throw error;
  }
}

async function run<Data>(
  { id, name, data }: { id: string; name: string; data: Data },
  handler: (data: Data) => Promise<unknown>,
  log: FastifyBaseLogger,
): Promise<JobResult> {
  try {
    const output = await handler(data);
    return { id, status: "completed", ...(output !== undefined && { output }) };
  } catch (error) {
    log.warn({ err: error, queue: name, job: id }, "a job failed and will be retried");
    const message = withoutAddresses(error instanceof Error ? error.message : String(error));
    return { id, status: "failed", output: { message } };
  }
}

/** A version 8 UUID derived from a name. */
function idOf(queue: Queue, once: string): string {
  const hex = createHash("sha256").update(`${queue}\n${once}`).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
