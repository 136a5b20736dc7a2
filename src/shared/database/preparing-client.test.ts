import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { createPool } from "./connect.ts";

let db: TestDatabase;
let pool: pg.Pool;
beforeAll(async () => {
  db = await createTestDatabase();
  pool = createPool(db.url, () => undefined);
});
afterAll(async () => {
  await pool.end();
  await db.stop();
});

async function listPrepared(client: pg.PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ statement: string }>("select statement from pg_prepared_statements");
  return rows.map(({ statement }) => statement);
}

test("PERF-2: a statement with parameters is prepared once it has run often", async () => {
  const client = await pool.connect();
  const text = "select $1::int + 1 as sum";
  for (let value = 0; value < 4; value += 1) await client.query(text, [value]);
  expect(await listPrepared(client)).not.toContain(text);
  for (let value = 0; value < 4; value += 1) {
    expect((await client.query(text, [value])).rows).toEqual([{ sum: value + 1 }]);
  }
  expect(await listPrepared(client)).toContain(text);
  client.release();
});

test("UPG-4: what asks for all columns of a table is not prepared, because it would fail once a newer version adds one", async () => {
  const client = await pool.connect();
  await client.query("create temporary table things (name text)");
  const texts = [
    "select * from things where name = $1",
    "select things.* from things where name = $1",
    "insert into things values ($1) returning *",
    "with found as (SELECT  * from things where name = $1) select name from found",
  ];
  const runAll = async () => {
    for (const text of texts) await client.query(text, ["one"]);
  };
  for (let time = 0; time < 6; time += 1) await runAll();
  await client.query("alter table things add column size int");
  await client.query("begin");
  await runAll();
  await client.query("commit");
  for (const text of texts) expect(await listPrepared(client)).not.toContain(text);
  client.release();
});

test("PERF-2: at most 200 statements are prepared, so those whose text varies do not fill the server's memory", async () => {
  const client = await pool.connect();
  for (let index = 0; index < 300; index += 1) {
    for (let time = 0; time < 6; time += 1) await client.query(`select $1::int as n${index}`, [index]);
  }
  expect((await listPrepared(client)).length).toBeLessThanOrEqual(200);
  client.release();
});
