import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig } from "#shared/config/config.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { backUpNightly, isBackupDue } from "./back-up-nightly.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.stop());

const config = readConfig({ BACKUP_DIR: "/backups", BACKUP_HOUR: "4" });
const isDueAt = (time: string) => isBackupDue({ config, database: db.database, now: () => new Date(time) });

test.each([
  ["in winter", "2026-07-01T17:59:00Z", "2026-07-01T18:00:00Z"],
  ["on the day when clocks go forward", "2026-10-03T16:59:00Z", "2026-10-03T17:00:00Z"],
  ["on the day when clocks go back", "2027-04-03T17:59:00Z", "2027-04-03T18:00:00Z"],
])("BAK-5: %s the backup is due from its hour on the clock in Sydney", async (_, before, from) => {
  expect([await isDueAt(before), await isDueAt(from)]).toEqual([false, true]);
});

test("BAK-5: a backup that failed is due again after an hour, one that was interrupted after two, one that was taken never", async () => {
  const begun = { day: "2026-11-24", started_at: new Date("2026-11-23T18:00:00Z") };
  const replace = async (outcome: { fault?: string; file?: string; bytes?: number; taken_at?: Date }) => {
    await db.database.deleteFrom("backups").execute();
    await db.database
      .insertInto("backups")
      .values({ ...begun, ...outcome })
      .execute();
  };
  const dueAt = ["2026-11-23T18:59:00Z", "2026-11-23T19:00:00Z", "2026-11-23T19:59:00Z", "2026-11-23T20:00:00Z"];
  const listDue = () => Promise.all(dueAt.map(isDueAt));
  await replace({ fault: "no room" });
  expect(await listDue()).toEqual([false, true, true, true]);
  await replace({});
  expect(await listDue()).toEqual([false, false, false, true]);
  // Another try would leave another file, every hour.
  await replace({ file: "backup", bytes: 1, taken_at: begun.started_at, fault: "not carried to another machine" });
  expect(await listDue()).toEqual([false, false, false, false]);
});

test("BAK-5: the log has what the process of a nightly backup said", async () => {
  await db.database.deleteFrom("backups").execute();
  const lines: string[] = [];
  const log = { info: (line: string) => lines.push(line) } as never;
  const now = () => new Date("2026-11-23T18:00:00Z");
  await backUpNightly({ config, database: db.database, now, log }, async () => "It is in a file.\nIt is good.\n");
  expect(lines).toEqual(["It is in a file.", "It is good."]);
});
