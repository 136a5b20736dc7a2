import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { countJobs, listFailedJobs } from "./failed-jobs.ts";
import { createJobs, type Jobs } from "./jobs.ts";

const log = pino({ level: "silent" });
const donationId = "7d8a3ab2-0c1e-4a64-9d0e-3f0c6b1f6a01";
const receipt = (id: string) => ({ template: "receipt", donationId: id }) as const;
let db: TestDatabase;
let started: Jobs[] = [];

beforeAll(async () => {
  db = await createTestDatabase();
});
afterEach(async () => {
  await Promise.all(started.map((jobs) => jobs.stop()));
  started = [];
  await db.pool.query("delete from pgboss.job");
});
afterAll(() => db.stop());

async function start(): Promise<Jobs> {
  const jobs = await createJobs({ pool: db.pool, log });
  started.push(jobs);
  return jobs;
}

async function until(isTrue: () => boolean | Promise<boolean>, milliseconds: number) {
  const deadline = Date.now() + milliseconds;
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error("The job did not run in time.");
    await sleep(50);
  }
}

test("REL-2: processes that start together on an empty database create the queue's schema once, and all work", async () => {
  await db.pool.query("drop schema pgboss cascade");
  const all = await Promise.all(Array.from({ length: 6 }, () => createJobs({ pool: db.pool, log })));
  started.push(...all);
  const { rows } = await db.pool.query("select name from pgboss.queue where name not like '\\_\\_%' order by name");
  expect(rows.map(({ name }) => name)).toEqual(["emails", "failed"]);
  for (const jobs of all) await jobs.send(db.database, "emails", receipt(donationId));
  expect(await countJobs(db.database)).toEqual({ waiting: 6, failed: 0 });
});

test("REL-2, PERF-7: a job that SQL adds has the terms of its queue, as if it had been sent", async () => {
  const jobs = await start();
  await jobs.send(db.database, "emails", receipt(donationId));
  await db.pool.query("select send_jobs('emails', $1)", [JSON.stringify([receipt(donationId)])]);
  const { rows } = await db.pool.query(
    `select to_jsonb(job) - array['id', 'start_after', 'created_on', 'keep_until'] as terms,
            start_after = created_on as "isDueAtOnce", keep_until - start_after as kept from pgboss.job`,
  );
  expect(rows).toHaveLength(2);
  expect(rows[1]).toEqual(rows[0]);
});

test("REL-2: a job exists if its transaction commits, and never if it rolls back", async () => {
  const jobs = await start();
  const abandon = new Error("abandoned");
  await expect(
    db.database.transaction().execute(async (transaction) => {
      await jobs.send(transaction, "emails", receipt(donationId));
      throw abandon;
    }),
  ).rejects.toBe(abandon);
  expect(await countJobs(db.database)).toEqual({ waiting: 0, failed: 0 });
  await db.database.transaction().execute((transaction) => jobs.send(transaction, "emails", receipt(donationId)));
  const seen: string[] = [];
  await jobs.work("emails", async (data) => void seen.push(JSON.stringify(data)));
  await until(() => seen.length === 1, 3000);
  await until(async () => (await countJobs(db.database)).waiting === 0, 3000);
});

test("REL-2: a failing job of a batch is retried without the others", async () => {
  const jobs = await start();
  const tries = new Map<string, number>();
  await db.database.transaction().execute(async (transaction) => {
    for (const id of ["a", "b", "c"]) await jobs.send(transaction, "emails", receipt(id));
  });
  await jobs.work("emails", async (data) => {
    const id = "donationId" in data ? data.donationId : "";
    const nth = (tries.get(id) ?? 0) + 1;
    tries.set(id, nth);
    if (id === "b" && nth === 1) throw new Error("the mail server said no");
  });
  await until(async () => (await countJobs(db.database)).waiting === 0, 10_000);
  expect(Object.fromEntries(tries)).toEqual({ a: 1, b: 2, c: 1 });
});

test("REL-2: a job whose last try failed is kept for staff, with its error and ids", async () => {
  const jobs = await start();
  await jobs.send(db.database, "emails", receipt(donationId));
  await db.pool.query("update pgboss.job set retry_limit = 0 where name = 'emails'");
  await jobs.work("emails", async () => {
    throw new Error("the mail server said no");
  });
  await until(async () => (await countJobs(db.database)).failed === 1, 5000);
  expect(await listFailedJobs(db.database)).toMatchObject([
    { queue: "emails", data: receipt(donationId), message: "the mail server said no" },
  ]);
  expect((await countJobs(db.database)).waiting).toBe(0);
});

test("REL-2: staff are alerted once for each payment and reason", async () => {
  const jobs = await start();
  const alert = (reason: string) => ({ template: "payment-needs-check", attemptId: donationId, reason }) as const;
  for (const reason of ["another amount", "another amount", "two charges"]) {
    await jobs.send(db.database, "emails", alert(reason), { once: `${donationId} ${reason}` });
  }
  expect((await countJobs(db.database)).waiting).toBe(2);
});

test("REL-2: stopping waits for running jobs", async () => {
  const jobs = await start();
  let isDone = false;
  let hasBegun = false;
  await jobs.send(db.database, "emails", receipt(donationId));
  await jobs.work("emails", async () => {
    hasBegun = true;
    await sleep(700);
    isDone = true;
  });
  await until(() => hasBegun, 3000);
  await jobs.stop();
  expect(isDone).toBe(true);
  expect((await countJobs(db.database)).waiting).toBe(0);
});

test("REL-2: a database that is away for a moment is a warning in the log, and anything else an error", async () => {
  const lines: { level: number; msg: string }[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const jobs = await createJobs({ pool: db.pool, log });
  started.push(jobs);
  await jobs.work("emails", async () => undefined);
  const failWith = (code: string) =>
    vi.spyOn(db.pool, "query").mockImplementation(() => Promise.reject(Object.assign(new Error("no"), { code })));
  for (const [code, level, text] of [
    ["08006", 40, /could not reach the database/],
    ["42P01", 50, /failed and will retry/],
  ] as const) {
    lines.splice(0);
    const failing = failWith(code);
    await vi.waitFor(() => expect(lines).not.toEqual([]), { timeout: 10_000 });
    failing.mockRestore();
    expect(
      lines.every((line) => line.level === level && text.test(line.msg)),
      JSON.stringify(lines),
    ).toBe(true);
  }
});

test("REL-10: when the machine's clock goes back an hour while jobs are fetched, they do not stop for that hour", async () => {
  const machine = Date.now.bind(Date);
  let shift = 0;
  vi.spyOn(Date, "now").mockImplementation(() => machine() + shift);
  // The clock goes back after every statement, so after a fetch too.
  const query = db.pool.query.bind(db.pool) as (text: string, values?: unknown[]) => Promise<unknown>;
  vi.spyOn(db.pool, "query").mockImplementation(async (text: string, values?: unknown[]) => {
    const result = await query(text, values);
    shift -= 3_600_000;
    return result;
  });
  try {
    const jobs = await createJobs({ pool: db.pool, log });
    started.push(jobs);
    let handled = 0;
    await jobs.work("emails", async () => {
      handled += 1;
    });
    for (const wanted of [1, 2]) {
      await jobs.send(db.database, "emails", receipt(donationId));
      await vi.waitFor(() => expect(handled).toBe(wanted), { timeout: 5000 });
    }
  } finally {
    vi.restoreAllMocks();
  }
});
