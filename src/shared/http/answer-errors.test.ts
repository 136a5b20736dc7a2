import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { toAppError } from "./answer-errors.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.stop());

/** Two clients of their own, because one has a lock that the other waits for. */
async function openTwo(options: pg.ClientConfig = {}) {
  const clients = [0, 1].map(() => new pg.Client({ connectionString: db.url, ...options }));
  await Promise.all(clients.map((client) => client.connect()));
  return clients as [pg.Client, pg.Client];
}

const lock = (client: pg.Client, key: number) => client.query(`select pg_advisory_xact_lock(${key})`);
const problemOf = (work: Promise<unknown>) =>
  work.then(
    () => "none",
    (error) => toAppError(error).problem,
  );

test("REL-7: a statement that takes too long, waits too long for a lock or meets a deadlock is answered with busy", async () => {
  const [one, other] = await openTwo();
  try {
    await one.query("set statement_timeout = 50");
    expect(await problemOf(one.query("select pg_sleep(5)"))).toBe("busy");
    await one.query("set statement_timeout = 0");

    for (const client of [one, other]) await client.query("begin");
    await lock(one, 1);
    await lock(other, 2);
    const deadlocked = Promise.all([lock(one, 2), lock(other, 1)]);
    expect(await problemOf(deadlocked)).toBe("busy");
    for (const client of [one, other]) await client.query("rollback");

    await one.query("begin");
    await lock(one, 3);
    await other.query("set lock_timeout = 50");
    expect(await problemOf(lock(other, 3))).toBe("busy");
  } finally {
    await Promise.all([one.end(), other.end()]);
  }
});

test("REL-7: an answer that does not come in time is busy, and a mistake in a statement is not", async () => {
  const [one, other] = await openTwo({ query_timeout: 50 });
  try {
    expect(await problemOf(one.query("select pg_sleep(0.5)"))).toBe("busy");
    expect(await problemOf(other.query("select nothing_like_it"))).toBe("unexpected");
  } finally {
    await Promise.all([one.end(), other.end()]);
  }
});

test("API-11: a zero byte that reaches the database, as text or as JSON, is malformed and no fault of ours", async () => {
  const client = new pg.Client({ connectionString: db.url });
  await client.connect();
  try {
    expect(await problemOf(client.query("select $1::text", ["a\0b"]))).toBe("malformed");
    expect(await problemOf(client.query("select $1::jsonb", [{ text: "a\0b" }]))).toBe("malformed");
  } finally {
    await client.end();
  }
});
