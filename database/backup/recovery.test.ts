import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, expect, test } from "vitest";
import { keepSecretKey } from "#shared/config/secret-key.ts";
import { cleanUp, makeDataDir, makeFolder, query, removeTemplate } from "#test/faults/embedded-harness.ts";
import { startEmbeddedDatabase } from "../embedded.ts";
import { migrate } from "../migrate.ts";
import { type Recovery, readUntil } from "./recovery.ts";
import { restoreBackup } from "./restore-backup.ts";
import { takeBackup } from "./take-backup.ts";
import { tidyWalArchive } from "./wal-archive.ts";

afterEach(cleanUp);
afterAll(removeTemplate);

const now = new Date("2026-11-24T02:00:00Z");

test.each([
  ["2026-11-27 14:05", "2026-11-27T03:05:00.000Z"],
  ["2026-07-01T14:05:09.5", "2026-07-01T04:05:09.500Z"],
  ["2026-11-27T14:05:00+11:00", "2026-11-27T03:05:00.000Z"],
  ["2026-11-27T14:05Z", "2026-11-27T14:05:00.000Z"],
  ["2026-04-05T02:30+10:00", "2026-04-04T16:30:00.000Z"],
])("BAK-8: --until %s is %s", (text, moment) => {
  expect((readUntil(text) as Date).toISOString()).toBe(moment);
});

test.each([
  ["yesterday", "is not a time"],
  ["2026-02-30 10:00", "is not a time"],
  ["2026-11-27", "is not a time"],
  ["2026-11-27 25:00", "is not a time"],
  ["2026-10-04 02:30", "clocks skipped"],
  ["2026-04-05 02:30", "happened twice"],
])("BAK-8: --until %s is refused with a sentence: it %s", (text, sentence) => {
  expect(() => readUntil(text)).toThrow(sentence);
});

/** A site with an archive, a backup, and rows 1 to 3 after it, each with the moment after which it was committed. */
async function makeHistory() {
  const dataDir = await makeDataDir();
  const [archiveDir, backups] = [makeFolder(), makeFolder()];
  keepSecretKey(dataDir);
  const database = await startEmbeddedDatabase({ dataDir, archiveDir });
  await migrate(database.url);
  await query(database.url, "create table rows (id integer)");
  const file = join(backups, "almoner-2026-11-24.tar.zst");
  const beforeBackup = new Date();
  await takeBackup({ dataDir, archiveDir, file, recipient: null });
  const asAdministrator = (sql: string) => query(database.url.replace("//app@", "//postgres@"), sql);
  const after: Date[] = [];
  for (const id of [1, 2, 3]) {
    await query(database.url, `insert into rows values (${id})`);
    // Times are given in milliseconds, and two rows must not have the same.
    await sleep(2);
    after.push(new Date());
    await sleep(2);
    await asAdministrator("select pg_switch_wal()");
  }
  await database.stop();
  const tidy = () => tidyWalArchive({ dataDir, archiveDir, backups: readdirSync(backups) });
  const archive = join(archiveDir, readdirSync(archiveDir)[0]!);
  const restore = (until: Recovery["until"], dataDir = join(makeFolder(), "restored")) =>
    restoreBackup({ file, dataDir, keyFile: null, replace: false, recovery: { archiveDir, until }, now });
  return { dataDir, archiveDir, archive, file, beforeBackup, after, tidy, restore };
}

async function readRows(dataDir: string, archiveDir: string | null = null) {
  const database = await startEmbeddedDatabase({ dataDir, archiveDir });
  const rows = await query(database.url, "select id from rows order by id");
  const [paused] = await query(database.url, "select backup_taken_at, opened_at from restores");
  await database.stop();
  return { ids: rows.map(({ id }) => id), paused: paused! };
}

test("BAK-8: a restore brings a backup to a moment or to the end, proves it and opens paused; what the archive lacks is refused in a sentence", async () => {
  const { archiveDir, archive, beforeBackup, after, tidy, restore } = await makeHistory();
  await tidy();
  expect(readdirSync(archive).filter((name) => /^[0-9A-F]{24}$/.test(name))).toEqual([]);

  const target = join(makeFolder(), "second");
  const { reachedAt } = await restore(after[1]!, target);
  const { ids, paused } = await readRows(target, archiveDir);
  expect([ids, paused]).toEqual([[1, 2], { backup_taken_at: reachedAt, opened_at: null }]);
  expect(reachedAt > after[0]! && reachedAt <= after[1]!).toBe(true);
  expect(existsSync(join(target, "postgres", "data", "recovery.signal"))).toBe(false);
  // What it writes now has the names of what the other has written after that moment.
  expect(readdirSync(archiveDir)).toHaveLength(2);

  const whole = join(makeFolder(), "whole");
  await restore("end", whole);
  expect((await readRows(whole)).ids).toEqual([1, 2, 3]);

  await expect(restore(beforeBackup)).rejects.toThrow(/ended at .*Name a later time, or an earlier backup/);
  await expect(restore(new Date(Date.now() + 60_000))).rejects.toThrow(/ends with the transaction of .*--until end/);

  const segments = readdirSync(archive)
    .filter((name) => name.endsWith(".zst"))
    .sort();
  const missing = segments.at(-2)!;
  const bytes = readFileSync(join(archive, missing));
  writeFileSync(join(archive, missing), bytes.subarray(0, bytes.length / 2));
  await expect(restore("end")).rejects.toThrow(/0{7}1\w{16} in .* is damaged\. Name a time before/);
  rmSync(join(archive, missing));
  const refused = join(makeFolder(), "refused");
  await expect(restore("end", refused)).rejects.toThrow(`The segment ${missing.slice(0, 24)} is missing`);
  await expect(restore(after[2]!, refused)).rejects.toThrow("is missing");
  expect(readdirSync(refused)).toEqual([]);
});

test("BAK-8: a backup without an archive is refused with --until", async () => {
  const dataDir = await makeDataDir();
  const database = await startEmbeddedDatabase({ dataDir });
  await migrate(database.url);
  const file = join(makeFolder(), "site.tar.zst");
  await takeBackup({ dataDir, file, recipient: null });
  await database.stop();
  const target = join(makeFolder(), "restored");
  const recovery = { archiveDir: makeFolder(), until: "end" } as const;
  await expect(restoreBackup({ file, dataDir: target, keyFile: null, replace: false, recovery, now })).rejects.toThrow(
    "was taken without ARCHIVE_DIR",
  );
});
