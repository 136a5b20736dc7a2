import { existsSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, expect, test } from "vitest";
import { keepSecretKey } from "#shared/config/secret-key.ts";
import {
  cleanUp,
  makeDataDir,
  makeFolder,
  query,
  readNumbers,
  removeTemplate,
  startUser,
  until,
} from "#test/faults/embedded-harness.ts";
import { longTest } from "#test/long-test.ts";
import { startEmbeddedDatabase } from "../embedded.ts";
import { migrate } from "../migrate.ts";
import { proveDatabase } from "./prove.ts";
import { proveBackup, restoreBackup } from "./restore-backup.ts";
import { takeBackup } from "./take-backup.ts";

const patient = 300_000;
const now = new Date("2026-11-24T02:00:00Z");
afterEach(cleanUp, patient);
afterAll(removeTemplate);

/** A site's data folder, with its database running. */
async function openSite() {
  const dataDir = await makeDataDir();
  keepSecretKey(dataDir);
  const database = await startEmbeddedDatabase({ dataDir });
  await migrate(database.url);
  return { dataDir, database };
}

test(
  "BAK-1, BAK-2, BAK-3, STO-9: a backup taken while others write has all that was acknowledged before it, and restores into another folder while the site runs",
  async () => {
    const { dataDir, database } = await openSite();
    const acknowledged = join(makeFolder(), "acknowledged");
    await startUser(dataDir, acknowledged);
    await until("some rows are written", () => readNumbers(acknowledged).length > 200);
    const before = readNumbers(acknowledged);
    const file = join(makeFolder(), "site.tar.zst");
    await query(
      database.url,
      `insert into private_files (id, media_type, width, height, created_at, object_key, object_sha256, object_bytes)
       values (gen_random_uuid(), 'image/png', 1, 1, now(), gen_random_uuid(), 'x', 1)`,
    );
    const taken = await takeBackup({ dataDir, file, recipient: null });
    expect(taken.bucketFiles).toBe(1);
    expect(taken.bytes).toBeGreaterThan(1_000_000);
    expect(readNumbers(acknowledged).length).toBeGreaterThan(before.length);
    await expect(takeBackup({ dataDir, file, recipient: null })).rejects.toThrow("exists already");

    const target = join(makeFolder(), "restored");
    await restoreBackup({ file, dataDir: target, keyFile: null, replace: false, now });
    const restored = await startEmbeddedDatabase({ dataDir: target });
    const rows = await query(restored.url, "select id from promises");
    const found = new Set(rows.map(({ id }) => Number(id)));
    expect(before.filter((id) => !found.has(id))).toEqual([]);
    expect(await query(restored.url, "select opened_at from restores")).toEqual([{ opened_at: null }]);
    expect(readFileSync(join(target, "secret-key"))).toEqual(readFileSync(join(dataDir, "secret-key")));
    expect(readdirSync(target).filter((name) => name.startsWith("restoring-"))).toEqual([]);
    await restored.stop();
    await database.stop();
  },
  patient,
);

longTest(
  "BAK-3: a restore is refused while the site runs or over a database, keeps the old one, and touches nothing for a bad backup",
  async () => {
    const { dataDir, database } = await openSite();
    const file = join(makeFolder(), "site.tar.zst");
    await takeBackup({ dataDir, file, recipient: null });
    const restore = (replace: boolean, from = file) =>
      restoreBackup({ file: from, dataDir, keyFile: null, replace, now });
    await expect(restore(true)).rejects.toThrow("is running");
    await database.stop();
    await expect(restore(false)).rejects.toThrow("Add --replace");
    const damaged = join(makeFolder(), "damaged.tar.zst");
    writeFileSync(damaged, readFileSync(file).subarray(0, 100_000));
    await expect(restore(true, damaged)).rejects.toThrow(/is not a good backup.*Nothing was changed/s);
    const names = () => readdirSync(dataDir).sort();
    const untouched = names();
    expect(untouched).toEqual(["database-created", "postgres", "secret-key"]);
    const { kept } = await restore(true);
    expect(names()).toEqual([...untouched, "postgres.before-2026-11-24T020000"].sort());
    expect(existsSync(join(kept!, "data", "PG_VERSION"))).toBe(true);
  },
  patient,
);

longTest(
  "BAK-2: a proof finds a damaged page, a ledger that does not sum, a missing receipt, and rows that are missing",
  async () => {
    const { dataDir, database } = await openSite();
    const counts = { before: { donations: 0 }, after: { donations: 0 } };
    expect(await proveDatabase(database.url, counts)).toEqual([]);
    expect(await proveDatabase(database.url, { before: { donations: 3 }, after: { donations: 4 } })).toEqual([
      "donations has 0 rows; the backup says 3 to 4.",
    ]);
    const asOwner = (sql: string) => query(database.url.replace("//app@", "//postgres@"), sql);
    await asOwner("update receipt_counter set last_number = 3");
    await asOwner(`set session_replication_role = replica;
      insert into ledger_entries (transaction_id, attempt_id, account, amount_cents, at)
        values (gen_random_uuid(), gen_random_uuid(), 'cash', 100, now())`);
    expect(await proveDatabase(database.url, counts)).toEqual([
      "1 transactions of the ledger do not sum to zero.",
      "The numbers of receipts have a gap, or more than the counter says.",
      expect.stringMatching(/1 rows of ledger_entries break the foreign key/),
    ]);
    const [{ path, name } = {}] = await query(
      database.url,
      "select pg_relation_filepath(oid) as path, relname as name from pg_class where relname = 'countries_pkey'",
    );
    await asOwner("checkpoint");
    await database.stop();
    const handle = openSync(join(dataDir, "postgres", "data", String(path)), "r+");
    writeSync(handle, Buffer.alloc(64, 7), 0, 64, 8192 + 4096);
    const again = await startEmbeddedDatabase({ dataDir });
    expect(await proveDatabase(again.url, counts)).toContainEqual(expect.stringContaining(`${name} is damaged`));
    await again.stop();
  },
  patient,
);

test(
  "BAK-1: a backup is refused with a sentence where it cannot be or would be lost, and nothing is left behind",
  async () => {
    const dataDir = await makeDataDir();
    const folder = makeFolder();
    const take = (file: string, recipient: string | null = null) => takeBackup({ dataDir, file, recipient });
    mkdirSync(join(dataDir, "backups"));
    await expect(take(join(dataDir, "backups", "a.tar.zst"))).rejects.toThrow("is in DATA_DIR");
    await expect(take(join(folder, "a.zip"))).rejects.toThrow("must end in .tar.zst");
    await expect(take(join(folder, "a.tar.zst.age"))).rejects.toThrow("set BACKUP_RECIPIENT");
    await expect(take(join(folder, "a.tar.zst"), "age1…")).rejects.toThrow("must end in .tar.zst.age");
    await expect(take(join(folder, "missing", "a.tar.zst"))).rejects.toThrow("There is no folder");
    await expect(proveBackup(join(folder, "a.tar.zst"), folder, null)).rejects.toThrow("There is no file");
    // The database has no tables, so the copy fails in the middle.
    await expect(take(join(folder, "a.tar.zst"))).rejects.toThrow();
    expect(readdirSync(folder)).toEqual([]);
  },
  patient,
);
