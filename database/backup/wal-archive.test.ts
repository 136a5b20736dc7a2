import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import { afterAll, afterEach, expect, test } from "vitest";
import { cleanUp, makeDataDir, makeFolder, query, removeTemplate } from "#test/faults/embedded-harness.ts";
import { prepareWalArchive } from "../embedded/wal-archive.ts";
import { startEmbeddedDatabase } from "../embedded.ts";
import { findGap, tidyWalArchive } from "./wal-archive.ts";

afterEach(cleanUp);
afterAll(removeTemplate);

const nameOf = (number: number) => `0000000100000000000000${number.toString(16).toUpperCase().padStart(2, "0")}`;
const segment = (byte: number) => Buffer.alloc(16_777_216, byte);

/** An archive as PostgreSQL leaves it, with segments 1 to 5, and the backups `old` and `new` that begin at 2 and 4. */
function makeArchive() {
  const folder = makeFolder();
  const place = { dataDir: join(folder, "data"), archiveDir: join(folder, "archive") };
  const archive = join(place.archiveDir, "2026-11-24-0a");
  mkdirSync(archive, { recursive: true });
  mkdirSync(join(place.dataDir, "postgres"), { recursive: true });
  writeFileSync(join(place.dataDir, "postgres", "archive-name"), "2026-11-24-0a\n");
  for (const number of [1, 2, 3, 4, 5]) writeFileSync(join(archive, nameOf(number)), segment(number));
  for (const [first, label] of [
    [2, "old"],
    [4, "new"],
  ] as const) {
    writeFileSync(
      join(archive, `${nameOf(first)}.00000028.backup`),
      `START TIME: now\nLABEL: ${label}\nSTART TIMELINE: 1\n`,
    );
  }
  const list = () => readdirSync(archive).sort();
  return { place, archive, list, tidy: (...backups: string[]) => tidyWalArchive({ ...place, backups }) };
}

test("BAK-7: ARCHIVE_DIR alone turns archive_mode on, with its library and folder; without the folder or the library the start is refused", async () => {
  const dataDir = await makeDataDir();
  const show = async (archiveDir: string | null) => {
    const database = await startEmbeddedDatabase({ dataDir, archiveDir });
    const [row] = await query(
      database.url,
      `select current_setting('archive_mode') as mode, current_setting('archive_timeout') as timeout,
              current_setting('basic_archive.archive_directory', true) as folder`,
    );
    await database.stop();
    return row!;
  };
  expect(await show(null)).toEqual({ mode: "off", timeout: "0", folder: null });
  const archiveDir = makeFolder();
  const first = await show(archiveDir);
  expect(first).toMatchObject({ mode: "on", timeout: "5min" });
  expect(readdirSync(archiveDir).map((name) => join(archiveDir, name))).toEqual([first.folder]);
  expect((await show(archiveDir)).folder).toBe(first.folder);
  await expect(show(join(archiveDir, "gone"))).rejects.toThrow(/ARCHIVE_DIR: there is no folder .*gone\. Mount/);
  const account = { prefix: [], ids: {}, uid: 0 };
  expect(() => prepareWalArchive(archiveDir, makeFolder(), makeFolder(), account)).toThrow("without basic_archive");
});

test("BAK-7: segments are packed byte for byte with their times, and what no kept backup needs is deleted", async () => {
  const { place, archive, list, tidy } = makeArchive();
  const at = new Date("2026-11-24T02:00:00Z");
  utimesSync(join(archive, nameOf(3)), at, at);
  writeFileSync(join(archive, `${nameOf(2)}.zst.part`), "of a process that was killed");
  await tidy("old", "new", "from-before-the-archive");
  const names = [2, 3, 4, 5].map((number) => `${nameOf(number)}.zst`);
  const labels = [2, 4].map((number) => `${nameOf(number)}.00000028.backup`);
  expect(list()).toEqual([...names, ...labels].sort());
  expect(zstdDecompressSync(readFileSync(join(archive, names[1]!))).equals(segment(3))).toBe(true);
  expect(statSync(join(archive, names[1]!))).toMatchObject({ mtime: at, mode: expect.any(Number) });
  // Without a backup, as when their disk is not mounted, nothing goes.
  await tidy();
  expect(list()).toHaveLength(6);
  await tidy("new");
  expect(list()).toEqual([`${nameOf(4)}.00000028.backup`, `${nameOf(4)}.zst`, `${nameOf(5)}.zst`]);
  await tidyWalArchive({ ...place, dataDir: makeFolder(), backups: ["new"] });
});

test("BAK-7: a segment that comes again goes if it is the same, and stops everything if it is not", async () => {
  const { archive, list, tidy } = makeArchive();
  await tidy("old");
  const before = list();
  writeFileSync(join(archive, nameOf(3)), segment(3));
  await tidy("old");
  expect(list()).toEqual(before);
  writeFileSync(join(archive, nameOf(3)), segment(9));
  await expect(tidy("new")).rejects.toThrow("differ: two databases write to this folder");
  expect(list()).toEqual([...before, nameOf(3)].sort());
});

test("BAK-8: a gap in the archive is found, and its end is none", async () => {
  const { archive, tidy } = makeArchive();
  await tidy();
  writeFileSync(join(archive, nameOf(8)), "");
  writeFileSync(join(archive, "000000020000000000000009"), "");
  expect(await findGap(archive, nameOf(2))).toBe(nameOf(6));
  expect(await findGap(archive, nameOf(7))).toBeNull();
  expect(await findGap(archive, nameOf(8))).toBeNull();
});
