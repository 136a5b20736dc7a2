import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, readdirSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { cleanUp, makeDataDir, makeFolder, query, removeTemplate } from "#test/faults/embedded-harness.ts";
import { longTest } from "#test/long-test.ts";
import { insertOrder, insertTicketedEvent } from "#test/ticket-rows.ts";
import { backUpBefore } from "./backup/before-contract.ts";
import { proveBackup } from "./backup/restore-backup.ts";
import { startEmbeddedDatabase } from "./embedded.ts";
import { makeStaff } from "./factories.ts";
import { listMigrations, migrate } from "./migrate.ts";

const databases: TestDatabase[] = [];
const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  await Promise.all(databases.splice(0).map(({ stop }) => stop()));
  await cleanUp();
});
afterAll(removeTemplate);

async function openDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  databases.push(database);
  return database;
}

const own = join(import.meta.dirname, "migrations");

/** The migrations of a newer version. */
function newerFolder(name: string, text: string): string {
  const folder = makeFolder();
  cpSync(own, folder, { recursive: true });
  writeFileSync(join(folder, name), text);
  return folder;
}

/** Those of the version that ended with `last`. */
function olderFolder(last: string): string {
  const folder = makeFolder();
  for (const name of listMigrations()) if (name <= last) cpSync(join(own, name), join(folder, name));
  return folder;
}

const expansion = "-- expand\nalter table donations add column origin text;";
const contract = "-- contract\nalter table donations drop column stays_out_of_account;";

async function holdLock(url: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("begin; lock table donations in access share mode");
  return () => client.end();
}

test("UPG-5: a migration that waits for a lock gives way to others, and is applied once the lock is free", async () => {
  const { url } = await openDatabase();
  const release = await holdLock(url);
  let isApplied = false;
  const applied = migrate(url, { folder: newerFolder("9000_origin.sql", expansion) }).finally(() => {
    isApplied = true;
  });
  for (let time = 0; time < 20; time++) {
    // Waits behind the migration, and fails if that takes five times as long as the migration waits.
    await query(url, "set lock_timeout = 2500; select count(*) from donations; select pg_sleep(0.05)");
  }
  expect(isApplied).toBe(false);
  await release();
  expect(await applied).toEqual(["9000_origin.sql"]);
  expect(await query(url, "select origin from donations")).toEqual([]);
});

test("REL-15: a connection that is lost between two migrations fails the next one, and doesn't end the process", async () => {
  const { url } = await openDatabase();
  const cutOff = async () => {
    const others = "pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()";
    await query(url, `select pg_terminate_backend(pid, 5000) from ${others}`);
    await query(url, "select pg_sleep(0.3)");
  };
  const upgraded = migrate(url, { folder: newerFolder("9000_drop.sql", contract), beforeContract: cutOff });
  await expect(upgraded).rejects.toThrow(/connection/i);
});

longTest("UPG-5: a migration that never gets its lock changes nothing and says what to do", async () => {
  const { url } = await openDatabase();
  const release = await holdLock(url);
  await expect(migrate(url, { folder: newerFolder("9000_origin.sql", expansion) })).rejects.toThrow(
    "Migration 9000_origin.sql found what it changes in use 40 times. End what runs long on the database (pg_stat_activity shows it), then start again.",
  );
  await release();
  await expect(query(url, "select origin from donations")).rejects.toThrow("does not exist");
});

test("UPG-3: the embedded database is backed up before a migration that does not only add, and stays as it is if that fails", async () => {
  const dataDir = await makeDataDir();
  const { url, stop } = await startEmbeddedDatabase({ dataDir });
  const calls: string[] = [];
  const backup = {
    folder: null,
    hour: 2,
    keep: [7, 5, 12] as [number, number, number],
    prove: "off" as const,
    recipient: null,
    after: null,
    takenBefore: null,
  };
  const place = { databaseUrl: undefined, dataDir, archiveDir: null };
  const upgrade = (folder: string, backupFolder: string | null = null) =>
    migrate(url, {
      folder,
      beforeContract: async (name) => {
        calls.push(name);
        return backUpBefore(name, { ...place, backup: { ...backup, folder: backupFolder } });
      },
    });
  await upgrade(own);
  await upgrade(newerFolder("9000_origin.sql", expansion));
  expect(calls, "neither for a new database nor for what only adds").toEqual([]);

  const newer = newerFolder("9001_account.sql", contract);
  await expect(upgrade(newer, join(dataDir, "missing"))).rejects.toThrow(
    /9001_account.sql changes what the database has, and the backup before it failed: There is no folder/,
  );
  expect(await query(url, "select stays_out_of_account from donations")).toEqual([]);

  await query(url, "delete from migrations where name = '9000_origin.sql'");
  expect(await upgrade(newer)).toEqual(["9001_account.sql"]);
  await expect(query(url, "select stays_out_of_account from donations")).rejects.toThrow("does not exist");
  const file = join(dataDir, "before-9001_account.tar.zst");
  await proveBackup(file, makeFolder(), null);
  expect(readdirSync(dataDir).filter((name) => name.startsWith("before-"))).toEqual(["before-9001_account.tar.zst"]);
  await stop();
});

test("UPG-3: of a database of the operator's own somebody must say that there is a backup", async () => {
  const { url } = await openDatabase();
  const upgrade = (takenBefore: string | null) =>
    migrate(url, {
      folder: newerFolder("9001_account.sql", contract),
      beforeContract: (name) =>
        backUpBefore(name, {
          databaseUrl: url,
          dataDir: "/nowhere",
          archiveDir: null,
          backup: { folder: null, hour: 2, keep: [7, 5, 12], prove: "off", recipient: null, after: null, takenBefore },
        }),
    });
  const sentence =
    "9001_account.sql changes what the database has, so that you can only go back with a backup. " +
    "Stop all processes, back the database up, then start again with BACKUP_TAKEN_BEFORE=9001_account.sql";
  await expect(upgrade(null)).rejects.toThrow(sentence);
  await expect(upgrade("0001_site.sql")).rejects.toThrow(sentence);
  expect(await query(url, "select stays_out_of_account from donations")).toEqual([]);
  expect(await upgrade("9001_account.sql")).toEqual(["9001_account.sql"]);
});

test("ORD-6: an order that was sold at the door before says what was taken for each of its tickets", async () => {
  const { url, database } = await openDatabase();
  const event = await insertTicketedEvent(database);
  const { id: sold_by } = await makeStaff(database);
  const sell = (taken_cents: number, seats: { readonly vip?: number } = {}) =>
    insertOrder(database, event, { order: { paid_by: "staff", sold_by, taken_cents }, isFree: true, ...seats });
  // One at the prices of today, and two from before: $100 and $50 now, $60 and $30 then.
  const ids = [await sell(20_000), await sell(12_000), await sell(6000, { vip: 0 })];
  await query(url, "alter table ticket_order_lines drop column taken_cents");
  await query(url, "delete from migrations where name = '0062_taken_for_each_ticket.sql'");
  expect(await migrate(url)).toEqual(["0062_taken_for_each_ticket.sql"]);
  const lines = await database
    .selectFrom("ticket_order_lines")
    .select(["order_id", "taken_cents"])
    .orderBy("type_id")
    .execute();
  const takenOf = (id: string) => lines.filter(({ order_id }) => order_id === id).map((line) => line.taken_cents);
  expect(ids.map(takenOf)).toEqual([[10_000, 5000], [6000, 3000], [3000]]);
});

/** Starts a site that is no demo; resolves to what it has printed once it is open. @throws Error with that text */
async function startSite(settings: Record<string, string>): Promise<{ said: string; child: ChildProcess }> {
  const program = "const { startSite } = await import('#app/start-site.ts'); await startSite();";
  const env = { ...process.env, PAYMENTS: "off", PORT: "0", DATABASE_URL: "", ...settings };
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], { env });
  children.push(child);
  const said = await new Promise<string>((resolve, reject) => {
    let text = "";
    const read = (piece: Buffer) => {
      text += piece;
      if (text.includes("The site is at")) resolve(text);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("exit", () => reject(new Error(text)));
  });
  return { said, child };
}

longTest("UPG-3: a site that starts on the database of an older version takes that backup by itself", async () => {
  const dataDir = await makeDataDir();
  const older = await startEmbeddedDatabase({ dataDir });
  await migrate(older.url, { folder: olderFolder("0053_links_of_drafts.sql") });
  await older.stop();
  const { said, child } = await startSite({ DATA_DIR: dataDir });
  const file = join(dataDir, "before-0054_tiles.tar.zst");
  expect(said).toContain(`Before 0054_tiles.sql, the database was backed up to ${file}`);
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await ended;
  await proveBackup(file, makeFolder(), null);
});

longTest("REL-16: a start whose first connection is answered too late tries again", async () => {
  const { url } = await openDatabase();
  const through = new URL(url);
  const folder = through.searchParams.get("host");
  const port = Number(through.port || 5432);
  const address = folder === null ? { host: through.hostname, port } : { path: join(folder, `.s.PGSQL.${port}`) };
  let connections = 0;
  const slow = createServer((socket) => {
    connections += 1;
    if (connections > 1)
      socket
        .on("error", () => undefined)
        .pipe(connect(address))
        .pipe(socket);
  });
  await new Promise<void>((resolve) => slow.listen(0, "127.0.0.1", resolve));
  through.searchParams.delete("host");
  through.host = `127.0.0.1:${(slow.address() as AddressInfo).port}`;
  const { said } = await startSite({ DATA_DIR: makeFolder(), DATABASE_URL: through.href });
  expect(said).toContain("The site is at");
  slow.close();
});
