import { rmSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { startEmbeddedDatabase } from "#database/embedded.ts";
import { createPool } from "#shared/database/connect.ts";
import { cleanUp, makeDataDir, makeFolder, query, removeTemplate } from "#test/faults/embedded-harness.ts";
import { checks, runChecks } from "./run-checks.ts";

afterAll(async () => {
  await cleanUp();
  removeTemplate();
});

test("DOC-1, BAK-7: an archive that works and one whose disk has gone are told apart by what the database says", async () => {
  const archiveDir = makeFolder();
  const database = await startEmbeddedDatabase({ dataDir: await makeDataDir(), archiveDir });
  const pool = createPool(database.url, () => undefined);
  const look = async () => {
    const wanted = checks.filter(({ id }) => ["database.archiver", "backup.archive"].includes(id));
    const context = { pool, config: { archiveDir }, now: () => new Date() } as unknown as Parameters<
      typeof runChecks
    >[1];
    return (await runChecks(wanted, context)).map(({ id, state }) => [id, state]);
  };
  const write = async () => {
    await query(database.url, "create table if not exists anything (id integer)");
    await query(database.url, "insert into anything values (1)");
    await query(database.url.replace("//app@", "//postgres@"), "select pg_switch_wal()");
  };
  const readStatistics = async () => (await query(database.url, "select * from pg_stat_archiver"))[0]!;
  await write();
  await expect.poll(async () => Number((await readStatistics()).archived_count)).toBeGreaterThan(0);
  expect(await look()).toEqual([
    ["database.archiver", "ok"],
    ["backup.archive", "ok"],
  ]);
  rmSync(archiveDir, { recursive: true });
  await write();
  await expect.poll(async () => Number((await readStatistics()).failed_count)).toBeGreaterThan(0);
  expect(await look()).toContainEqual(["database.archiver", "fail"]);
  await pool.end();
  await database.stop();
});
