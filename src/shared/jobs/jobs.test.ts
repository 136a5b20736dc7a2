import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { countJobs, listFailedJobs } from "./failed-jobs.ts";
import { createJobs, type Jobs } from "./jobs.ts";

const log = pino({ level: "silent" });
const donationId = "7d8a3ab2-0c1e-4a64-9d0e-3f0c6b1f6a01";
const receipt = (id: string) => ({ letter: "receipt", donationId: id }) as const;
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
    if (Date.now() > deadline) throw new Error("It did not happen in time.");
    await sleep(50);
  }
}

test("REL-2: processes that start together on an empty database make the outbox's schema once, and all of them work", async () => {
  const all = await Promise.all(Array.from({ length: 6 }, () => createJobs({ pool: db.pool, log })));
  started.push(...all);
  const { rows } = await db.pool.query("select name from pgboss.queue where name not like '\\_\\_%' order by name");
  expect(rows.map(({ name }) => name)).toEqual(["failed", "letters"]);
  for (const jobs of all) await jobs.send(db.database, "letters", receipt(donationId));
  expect(await countJobs(db.database)).toEqual({ waiting: 6, failed: 0 });
});

test("REL-2: a job is there when its transaction commits, and was never there when it rolls back", async () => {
  const jobs = await start();
  const abandon = new Error("abandoned");
  await expect(
    db.database.transaction().execute(async (transaction) => {
      await jobs.send(transaction, "letters", receipt(donationId));
      throw abandon;
    }),
  ).rejects.toBe(abandon);
  expect(await countJobs(db.database)).toEqual({ waiting: 0, failed: 0 });
  await db.database.transaction().execute((transaction) => jobs.send(transaction, "letters", receipt(donationId)));
  const seen: string[] = [];
  await jobs.work("letters", async (data) => void seen.push(JSON.stringify(data)));
  await until(() => seen.length === 1, 3000);
  await until(async () => (await countJobs(db.database)).waiting === 0, 3000);
});

test("REL-2: one failing job of a batch is tried again without the others", async () => {
  const jobs = await start();
  const tries = new Map<string, number>();
  await db.database.transaction().execute(async (transaction) => {
    for (const id of ["a", "b", "c"]) await jobs.send(transaction, "letters", receipt(id));
  });
  await jobs.work("letters", async (data) => {
    const id = "donationId" in data ? data.donationId : "";
    const nth = (tries.get(id) ?? 0) + 1;
    tries.set(id, nth);
    if (id === "b" && nth === 1) throw new Error("the mail server said no");
  });
  await until(async () => (await countJobs(db.database)).waiting === 0, 10_000);
  expect(Object.fromEntries(tries)).toEqual({ a: 1, b: 2, c: 1 });
});

test("REL-2: a job whose last try failed is kept where staff see it, with its error and its ids", async () => {
  const jobs = await start();
  await jobs.send(db.database, "letters", receipt(donationId));
  await db.pool.query("update pgboss.job set retry_limit = 0 where name = 'letters'");
  await jobs.work("letters", async () => {
    throw new Error("the mail server said no");
  });
  await until(async () => (await countJobs(db.database)).failed === 1, 5000);
  expect(await listFailedJobs(db.database)).toMatchObject([
    { queue: "letters", data: receipt(donationId), message: "the mail server said no" },
  ]);
  expect((await countJobs(db.database)).waiting).toBe(0);
});

test("REL-2: what a person must look at is said once for each payment and reason", async () => {
  const jobs = await start();
  const look = (reason: string) => ({ letter: "payment-needs-look", attemptId: donationId, reason }) as const;
  for (const reason of ["another amount", "another amount", "two charges"]) {
    await jobs.send(db.database, "letters", look(reason), { once: `${donationId} ${reason}` });
  }
  expect((await countJobs(db.database)).waiting).toBe(2);
});

test("REL-2: stopping waits for the jobs that run", async () => {
  const jobs = await start();
  let isDone = false;
  let hasBegun = false;
  await jobs.send(db.database, "letters", receipt(donationId));
  await jobs.work("letters", async () => {
    hasBegun = true;
    await sleep(700);
    isDone = true;
  });
  await until(() => hasBegun, 3000);
  await jobs.stop();
  expect(isDone).toBe(true);
  expect((await countJobs(db.database)).waiting).toBe(0);
});

test("REL-10: a machine's clock that is put back by an hour while jobs are fetched does not stop them for that hour", async () => {
  const machine = Date.now.bind(Date);
  let shift = 0;
  vi.spyOn(Date, "now").mockImplementation(() => machine() + shift);
  // The clock goes back behind every statement, so behind one that fetches too.
  const query = db.pool.query.bind(db.pool) as (text: string, values?: unknown[]) => Promise<unknown>;
  vi.spyOn(db.pool, "query").mockImplementation((async (text: string, values?: unknown[]) => {
    const result = await query(text, values);
    shift -= 3_600_000;
    return result;
  }) as never);
  try {
    const jobs = await createJobs({ pool: db.pool, log });
    started.push(jobs);
    let handled = 0;
    await jobs.work("letters", async () => {
      handled += 1;
    });
    for (const wanted of [1, 2]) {
      await jobs.send(db.database, "letters", receipt(donationId));
      await vi.waitFor(() => expect(handled).toBe(wanted), { timeout: 5000 });
    }
  } finally {
    vi.restoreAllMocks();
  }
});

test("REL-2: the job of a worker killed in the middle is done by another within half a minute", async () => {
  const jobs = await start();
  await jobs.send(db.database, "letters", receipt(donationId));
  const worker = spawn(
    process.execPath,
    [
      "--input-type=module",
      "--eval",
      `import { pino } from "pino";
       import { createPool } from "#shared/database/connect.ts";
       import { createJobs } from "#shared/jobs/jobs.ts";
       const pool = createPool(${JSON.stringify(db.url)}, () => {});
       const jobs = await createJobs({ pool, log: pino({ level: "silent" }) });
       await jobs.work("letters", () => { console.log("taken"); return new Promise(() => {}); });`,
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  await once(worker.stdout, "data");
  worker.kill("SIGKILL");
  const killedAt = Date.now();
  let isDone = false;
  await jobs.work("letters", async () => {
    isDone = true;
  });
  await until(() => isDone, 30_000);
  expect(Date.now() - killedAt).toBeLessThan(30_000);
}, 60_000);
