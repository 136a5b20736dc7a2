import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { applyRetention, type RetentionRule } from "./retention.ts";

let db: TestDatabase;
let lines: string[] = [];
const log = pino({ level: "info" }, { write: (line: string) => void lines.push(line) });
beforeAll(async () => {
  db = await createTestDatabase();
});
beforeEach(async () => {
  lines = [];
  await db.pool.query("delete from contact_messages");
  await db.pool.query(`insert into contact_messages (id, client_key, name, email, message, created_at)
    select gen_random_uuid(), gen_random_uuid(), 'Amina Raza', 'amina@example.com', 'x', '2025-01-01' from generate_series(1, 1700)`);
});
afterAll(() => db.stop());

const now = () => new Date("2026-11-22T00:00:00Z");
const count = async () => Number((await db.pool.query("select count(*) from contact_messages")).rows[0].count);

function rule(changes: Partial<RetentionRule> = {}): RetentionRule {
  return {
    name: "messages",
    where: "",
    what: "",
    why: "",
    kept: "",
    afterwards: "",
    columns: [],
    erase: async (transaction, { limit }) => {
      const { numAffectedRows } = await sql`delete from contact_messages where id in (
        select id from contact_messages order by created_at limit ${limit} for update skip locked)`.execute(
        transaction,
      );
      return Number(numAffectedRows);
    },
    ...changes,
  };
}

test("SEC-9: several processes erase everything once, in batches, and the log has only the counts", async () => {
  await Promise.all([1, 2, 3].map(() => applyRetention({ database: db.database, log, now }, [rule()])));
  expect(await count()).toBe(0);
  const erased = lines.map((line) => JSON.parse(line).erased.messages as number);
  expect(erased.reduce((sum, one) => sum + one, 0)).toBe(1700);
  expect(lines.join("")).not.toMatch(/amina/i);
});

test("SEC-9: an interrupted run keeps its finished batches, and the next run continues", async () => {
  let batches = 0;
  const cutOff = rule({
    erase: async (transaction, due) => {
      const erased = await rule().erase!(transaction, due);
      batches += 1;
      if (batches === 2) throw new Error("the process was killed before the commit");
      return erased;
    },
  });
  await applyRetention({ database: db.database, log, now }, [cutOff, rule({ name: "others", erase: async () => 0 })]);
  expect(await count()).toBe(1200);
  expect(lines.join("")).toContain("will be retried");
  await applyRetention({ database: db.database, log, now }, [rule()]);
  expect(await count()).toBe(0);
  await applyRetention({ database: db.database, log, now }, [rule()]);
  expect(lines).toHaveLength(2);
});
