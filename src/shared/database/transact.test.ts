import { type RawBuilder, sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { countMessages } from "#test/count-messages.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import type { Connection } from "./connect.ts";
import { together, transact } from "./transact.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
  await db.pool.query("create table notes (id serial, note text primary key)");
});
beforeEach(() => db.pool.query("truncate notes"));
afterAll(() => db.stop());

const writing = (note: string): RawBuilder<unknown> => sql`insert into notes (note) values (${note})`;
const write = (transaction: Connection, note: string) => writing(note).execute(transaction);
const listNotes = async () => (await db.pool.query("select note from notes order by id")).rows.map(({ note }) => note);

test("PERF-6: statements started together are one message and run in order; the last one goes with the commit", async () => {
  const messages = await countMessages(() =>
    transact(db.database, async (transaction) => {
      await together(write(transaction, "b"), write(transaction, "a"));
      return { result: null, last: writing("c") };
    }),
  );
  // begin; a and b; c and commit.
  expect(messages).toBe(3);
  expect(await listNotes()).toEqual(["b", "a", "c"]);
});

test("PERF-6: the first statement that fails is reported, and nothing of the transaction stays", async () => {
  const failing = transact(db.database, async (transaction) => {
    await together(write(transaction, "a"), sql`select 1 / 0`.execute(transaction), write(transaction, "b"));
    return { result: null };
  });
  await expect(failing).rejects.toThrow("division by zero");
  expect(await listNotes()).toEqual([]);
});

test("PERF-6: if the last statement fails, nothing is committed", async () => {
  const failing = transact(db.database, async (transaction) => {
    await write(transaction, "a");
    return { result: null, last: writing("a") };
  });
  await expect(failing).rejects.toThrow("duplicate key");
  expect(await listNotes()).toEqual([]);
});

test("PERF-6: what is started too late is refused, because its connection may serve somebody else", async () => {
  let kept: Connection | undefined;
  const failing = transact(db.database, async (transaction) => {
    kept = transaction;
    await write(transaction, "a");
    throw new Error("given up");
  });
  await expect(failing).rejects.toThrow("given up");
  await expect(write(kept!, "late")).rejects.toThrow("after its transaction had ended");
  await transact(db.database, async (transaction) => {
    kept = transaction;
    return { result: await write(transaction, "b") };
  });
  await expect(write(kept!, "late")).rejects.toThrow("after its transaction had ended");
  expect(await listNotes()).toEqual(["b"]);
});
