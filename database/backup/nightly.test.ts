import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, expect, test } from "vitest";
import { addDays } from "#shared/language.ts";
import { cleanUp, makeDataDir, makeFolder, query, removeTemplate } from "#test/faults/embedded-harness.ts";
import { startEmbeddedDatabase } from "../embedded.ts";
import { migrate } from "../migrate.ts";
import { chooseKept, takeNightly } from "./nightly.ts";

const patient = 300_000;
afterEach(cleanUp, patient);
afterAll(removeTemplate);

test("BAK-5: of backups of every night, the last 7 days, 5 weeks and 12 months stay", () => {
  const days = Array.from({ length: 800 }, (_, index) => addDays("2026-11-24", -index));
  const kept = [...chooseKept(days, [7, 5, 12])].sort();
  expect(kept.slice(-7)).toEqual(days.slice(0, 7).reverse());
  // Mondays, and the first of each month.
  for (const monday of ["2026-11-23", "2026-11-16", "2026-11-09", "2026-11-02", "2026-10-26"])
    expect(kept).toContain(monday);
  expect(kept[0]).toBe("2025-12-01");
  expect(kept.filter((day) => day.endsWith("-01"))).toHaveLength(12);
  expect(kept).toHaveLength(7 + 4 + 12);
});

test("BAK-5: nights without a backup do not shorten what is kept", () => {
  const kept = chooseKept(["2026-11-24", "2026-11-03", "2026-08-20", "2026-01-10"], [2, 1, 2]);
  expect([...kept].sort()).toEqual(["2026-08-20", "2026-11-03", "2026-11-24"]);
});

test(
  "BAK-5: a backup is taken once a night and proved, and after a restore of it the file that was restored stays",
  async () => {
    const dataDir = await makeDataDir();
    const folder = makeFolder();
    const database = await startEmbeddedDatabase({ dataDir });
    await migrate(database.url);
    const said: string[] = [];
    const takeAt = (time: string, prove: "daily" | "off", after: string | null = null) =>
      takeNightly({
        dataDir,
        archiveDir: null,
        backup: { folder, hour: 2, keep: [2, 1, 1], prove, recipient: null, after, takenBefore: null },
        now: new Date(time),
        print: (line) => said.push(line),
      });
    const files = () => readdirSync(folder).sort();

    await takeAt("2026-11-23T16:00:00Z", "daily");
    await takeAt("2026-11-23T17:00:00Z", "daily");
    expect(said).toEqual([
      `The backup of 2026-11-24 is in ${join(folder, "almoner-2026-11-24.tar.zst")}.`,
      "It was restored and read whole: it is good.",
      "There is a backup of 2026-11-24, or another process is taking it.",
    ]);
    const first = readFileSync(join(folder, "almoner-2026-11-24.tar.zst"));

    // What a restore of that file leaves: the row as it was while the backup was taken.
    await query(database.url, "update backups set file = null, bytes = null, taken_at = null, proved_at = null");
    await takeAt("2026-11-23T17:30:00Z", "off");
    expect(files()).toEqual(["almoner-2026-11-24.tar.zst"]);
    writeFileSync(join(folder, "almoner-2026-11-24-2.tar.zst.part"), "interrupted");
    await takeAt("2026-11-23T18:30:00Z", "daily");
    expect(files()).toEqual(["almoner-2026-11-24-2.tar.zst", "almoner-2026-11-24.tar.zst"]);
    expect(readFileSync(join(folder, "almoner-2026-11-24.tar.zst")).equals(first)).toBe(true);

    await takeAt("2026-11-24T16:00:00Z", "off");
    await takeAt("2026-11-25T16:00:00Z", "off");
    await takeAt("2026-11-26T16:00:00Z", "off");
    // The latest two, and both of the day that was proved last, which is also the first of its week and month.
    expect(files()).toEqual([
      "almoner-2026-11-24-2.tar.zst",
      "almoner-2026-11-24.tar.zst",
      "almoner-2026-11-26.tar.zst",
      "almoner-2026-11-27.tar.zst",
    ]);

    const carry = join(makeFolder(), "carry");
    writeFileSync(carry, "#!/bin/sh\necho no network >&2; exit 4\n");
    chmodSync(carry, 0o755);
    await expect(takeAt("2026-11-27T16:00:00Z", "off", carry)).rejects.toThrow("no network");
    expect(statSync(join(folder, "almoner-2026-11-28.tar.zst")).size).toBeGreaterThan(1_000_000);
    expect(await query(database.url, "select fault from backups where fault is not null")).toEqual([
      { fault: expect.stringContaining("no network") },
    ]);
    await expect(takeAt("2026-11-27T16:30:00Z", "off")).resolves.toBeUndefined();
    expect(existsSync(join(folder, "almoner-2026-11-28-2.tar.zst"))).toBe(false);
    await database.stop();
  },
  patient,
);
