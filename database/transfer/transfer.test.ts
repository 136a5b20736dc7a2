import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateIdentity, identityToRecipient } from "age-encryption";
import type pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { createDatabase, createPool } from "#shared/database/connect.ts";
import { createTestDatabase, onDatabase, type TestDatabase } from "#test/database.ts";
import { runProgram } from "#test/run-command.ts";
import { openTestSite, type TestSite } from "#test/site.ts";
import { fillSite, reopen, sumTables } from "#test/transfer-fixture.ts";
import { writeArchive } from "../backup/archive.ts";
import { countBucketFiles } from "../backup/bucket-files.ts";
import { listMigrations, migrate } from "../migrate.ts";
import { exportSite } from "./export-site.ts";
import { importSite } from "./import-site.ts";
import { listSequences, withClient } from "./tables.ts";

const secretKey = "the key of a site that moves to another database";
let folder: string;
let site: TestSite;
let file: string;
let expected: Record<string, string>;
const databases: string[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "almoner-transfer-"));
  site = await openTestSite();
  await fillSite(site);
  expected = await sumTables(site.services.databaseUrl);
  file = join(folder, "site.tar.zst");
  await exportSite({ url: site.services.databaseUrl, secretKey, file, recipient: null });
});
afterAll(async () => {
  await site.close();
  await onServer(...databases.map((name) => `drop database if exists ${name} with (force)`));
  rmSync(folder, { recursive: true, force: true });
});

const onServer = (...statements: string[]) =>
  withClient(inject("serverUrl"), async (client) => {
    for (const statement of statements) await client.query(statement);
  });

/** The address of a database without tables. */
async function createEmpty(): Promise<string> {
  const name = `transfer_${process.pid}_${databases.length}`;
  databases.push(name);
  await onServer(`create database ${name}`);
  return onDatabase(inject("serverUrl"), name);
}

const newFolder = () => mkdtempSync(join(folder, "data-"));
const take = (url: string, from = file, keyFile: string | null = null, dataDir = newFolder()) =>
  importSite({ url, file: from, dataDir, keyFile, now: new Date() });

/** Everything of the schema that an import changes for a while. */
const readGuards = (url: string) =>
  withClient(url, async (client) => {
    const triggers = "select tgname as name, tgenabled as state from pg_trigger where not tgisinternal order by 1, 2";
    const keys =
      "select conname as name, condeferrable, condeferred, convalidated from pg_constraint where contype = 'f' order by 1";
    return [(await client.query(triggers)).rows, (await client.query(keys)).rows];
  });

/** All but that of the table in which the import has written a row. */
const readSequences = async (url: string) =>
  (await withClient(url, listSequences)).filter(({ name }) => name !== "public.restores_id_seq");

test("MOVE-1, MOVE-2: every table, sequence, rule and waiting email is the same in a database that an owner without superuser's rights imports into and exports from", async () => {
  const url = await createEmpty();
  await withClient(url, async (client) => {
    const { rows } = await client.query("select rolsuper as super from pg_roles where rolname = current_user");
    expect(rows).toEqual([{ super: process.env.TEST_POSTGRES_BINARIES !== undefined }]);
  });
  const manifest = await take(url);
  const imported = await sumTables(url);
  await expect(take(url)).rejects.toThrow(/The database is not empty: \S+ has rows/);
  expect(await sumTables(url)).toEqual(imported);
  expect(manifest.tables.find(({ name }) => name === "pgboss.job")!.rows).toBeGreaterThan(0);
  for (const name of ["donations", "refunds", "tickets", "users", "images", "ledger_entries"]) {
    expect(expected[`public.${name}`], name).not.toMatch(/^0 /);
  }
  const restores = "public.restores";
  const { [restores]: pause, ...rest } = await sumTables(url);
  const { [restores]: none, ...same } = expected;
  expect(rest).toEqual(same);
  expect([none, pause]).toEqual([expect.stringMatching(/^0 /), expect.stringMatching(/^1 /)]);
  expect(await readGuards(url)).toEqual(await readGuards(site.services.databaseUrl));
  expect(await readSequences(url)).toEqual(await readSequences(site.services.databaseUrl));

  const back = join(folder, "back.tar.zst");
  await exportSite({ url, secretKey, file: back, recipient: null });
  const third = await createTestDatabase();
  await third.database.destroy();
  await take(third.url, back);
  expect(await sumTables(third.url)).toEqual(await sumTables(url));
});

test("MOVE-3: an imported site is paused; once it is open, a donation gets the next receipt number", async () => {
  const url = await createEmpty();
  await take(url);
  const pool = createPool(url, () => undefined);
  const database = createDatabase(pool);
  const moved: TestDatabase = { url, database, pool, stop: () => database.destroy() };
  const other = await openTestSite({ RECONCILE_DAYS: "1" }, { openDatabase: async () => moved });
  const paused = "select count(*)::int as count from restores where opened_at is null";
  expect((await pool.query(paused)).rows).toEqual([{ count: 1 }]);
  expect(await reopen(other)).toMatchObject({ code: 0 });
  expect((await pool.query(paused)).rows).toEqual([{ count: 0 }]);
  const numbers = async (of: pg.Pool) => (await of.query("select max(number)::int as last from receipts")).rows[0].last;
  const before = await numbers(site.pool);
  const { answer } = await other.give(await other.visitor());
  expect(answer).toMatchObject({ code: "200" });
  expect(await numbers(pool)).toBe(before + 1);
  await other.close();
});

test("MOVE-1: an export of a site that is writing is from one moment, so it can be imported", async () => {
  const source = await createTestDatabase();
  let isOver = false;
  const write = async () => {
    while (!isOver) {
      await source.pool.query(
        "insert into link_revocations (path, revoked_at, revoked_by) select '/a', now(), 'staff' from generate_series(1, 50)",
      );
    }
  };
  const writing = write();
  const busy = join(folder, "busy.tar.zst");
  await exportSite({ url: source.url, secretKey, file: busy, recipient: null });
  isOver = true;
  await writing;
  await source.stop();
  await take(await createEmpty(), busy);
});

test("STO-9: an export says how many files are in the bucket, and so not in it", async () => {
  const source = await createTestDatabase();
  const [name, dataDir] = [join(folder, "bucket.tar.zst"), newFolder()];
  const program = join(import.meta.dirname, "export-main.ts");
  const env = { DATABASE_URL: source.url, DATA_DIR: dataDir, SECRET_KEY: secretKey };
  const none = await runProgram(program, [name], env);
  expect(none).toMatchObject({ code: 0, stdout: expect.not.stringContaining("bucket (S3_BUCKET)") });
  rmSync(name);
  for (let count = 0; count < 2; count += 1) {
    await source.pool.query(
      `insert into private_files (id, media_type, width, height, created_at, object_key, object_sha256, object_bytes)
       values (gen_random_uuid(), 'image/png', 1, 1, now(), gen_random_uuid(), 'x', 1)`,
    );
  }
  expect((await runProgram(program, [name], env)).stdout).toContain(
    "2 files are in the bucket (S3_BUCKET), and not in this one: back the bucket up too.",
  );
  await source.pool.query("drop table objects_to_check cascade");
  expect(await withClient(source.url, countBucketFiles)).toBe(0);
  await source.stop();
});

test("MOVE-4: the commands move a site with its key, encrypted or not, and say what to do next", async () => {
  const identity = await generateIdentity();
  const [keyFile, dataDir] = [join(folder, "key.txt"), newFolder()];
  writeFileSync(keyFile, `${identity}\n`);
  writeFileSync(join(dataDir, "secret-key"), "another key, which a start before the import made", { mode: 0o600 });
  const sealed = join(folder, "site.tar.zst.age");
  const source = { DATABASE_URL: site.services.databaseUrl, DATA_DIR: site.config.dataDir, SECRET_KEY: secretKey };
  const run = (name: string, words: string[], env: NodeJS.ProcessEnv) =>
    runProgram(join(import.meta.dirname, `${name}-main.ts`), words, env);
  const exported = await run("export", [sealed], {
    ...source,
    BACKUP_RECIPIENT: await identityToRecipient(identity),
  });
  expect(exported).toMatchObject({ code: 0, stdout: expect.stringContaining("rows and the key are in") });
  expect(readFileSync(sealed).subarray(0, 18).toString()).toBe("age-encryption.org");
  expect(statSync(sealed).mode & 0o777).toBe(0o600);

  const target = { DATABASE_URL: await createEmpty(), DATA_DIR: dataDir };
  expect(await run("import", [sealed], target)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--key FILE"),
  });
  const other = join(folder, "other.txt");
  writeFileSync(other, `${await generateIdentity()}\n`);
  expect(await run("import", [sealed, "--key", other], target)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^[^\n]+ is not a good export: [^\n]+ Nothing was changed\.\n$/),
  });
  const done = await run("import", [sealed, "--key", keyFile], target);
  expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining("npm run reopen"), stderr: "" });
  expect(readFileSync(join(dataDir, "secret-key"), "utf8")).toBe(secretKey);
  expect(statSync(join(dataDir, "secret-key")).mode & 0o777).toBe(0o600);
  const kept = readdirSync(dataDir).find((name) => name.startsWith("secret-key.before-"));
  expect(readFileSync(join(dataDir, kept!), "utf8")).toContain("another key");
  expect(readdirSync(folder).filter((name) => name.startsWith("importing-") || name.endsWith(".part"))).toEqual([]);
  expect(await run("import", [], target)).toMatchObject({ code: 2, stderr: expect.stringContaining("npm run import") });
  expect(await run("export", [], source)).toMatchObject({ code: 2, stderr: expect.stringContaining("npm run export") });
});

test("MOVE-5: a database that has rows, is in use, is of another version or of another program is refused and stays as it was", async () => {
  const refuses = async (url: string, says: string) => {
    const dataDir = newFolder();
    await expect(take(url, file, null, dataDir)).rejects.toThrow(says);
    expect(readdirSync(dataDir)).toEqual([]);
  };
  const foreign = await createEmpty();
  await withClient(foreign, (client) => client.query("create table notes (text text); insert into notes values ('x')"));
  await refuses(foreign, "The database is not empty: it has public.notes");
  expect(Object.keys(await sumTables(foreign))).toEqual(["public.notes"]);

  const used = await createEmpty();
  await migrate(used);
  await withClient(used, (client) => client.query("insert into rate_limits (key, points, expire) values ('a', 1, 1)"));
  await refuses(used, "public.rate_limits has rows");
  await withClient(used, (client) => client.query("update migrations set applied_at = now()"));
  await refuses(used, "is a copy of another one");
  await withClient(used, async (client) => {
    await client.query("delete from rate_limits");
    await client.query("update migrations set name = '0999_later.sql' where name = $1", [listMigrations().at(-1)]);
  });
  const before = await sumTables(used);
  await refuses(used, "of another version");
  expect(await sumTables(used)).toEqual(before);

  const busy = await createEmpty();
  await migrate(busy);
  await withClient(busy, () => refuses(busy, "Another program is connected"));
  await expect(
    exportSite({ url: foreign, secretKey, file: join(folder, "no.tar.zst"), recipient: null }),
  ).rejects.toThrow("different versions");
  expect(readdirSync(folder)).not.toContain("no.tar.zst.part");
});

test("MOVE-5: a file that is cut off, changed, of another product or version, or whose rows do not fit is refused, and the database stays empty", async () => {
  const url = await createEmpty();
  const bytes = readFileSync(file);
  const damaged = Buffer.from(bytes);
  damaged[Math.floor(bytes.length / 2)]! ^= 1;
  const write = (name: string, content: Buffer) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  for (const bad of [write("cut", bytes.subarray(0, bytes.length - 1000)), write("changed", damaged)]) {
    await expect(take(url, bad)).rejects.toThrow(/^[^\n]+ is not a good export: .+ Nothing was changed\.$/);
  }
  await expect(take(url, join(folder, "missing"))).rejects.toThrow("There is no file");

  const facts = { product: "almoner", kind: "export", format: 1, createdAt: new Date().toISOString() };
  const whole = { ...facts, postgresMajor: 18, migrations: listMigrations(), tables: [], sequences: [], ledger: {} };
  const forge = async (name: string, changes: Record<string, unknown>) => {
    const parts = async function* () {
      yield {
        kind: "file" as const,
        name: "secret-key",
        size: 3,
        read: async function* () {
          yield Buffer.from("key");
        },
      };
    };
    await writeArchive(join(folder, name), parts(), (files) => ({ ...whole, ...changes, files: [...files] }), null);
    return join(folder, name);
  };
  const other = await forge("other", { product: "somebody's" });
  await expect(take(url, other)).rejects.toThrow("not that of an export of this product");
  const newer = await forge("newer", { migrations: [...listMigrations(), "0999_later.sql"] });
  await expect(take(url, newer)).rejects.toThrow("a newer version of the site");
  const older = await forge("older", { migrations: listMigrations().slice(0, -1) });
  await expect(take(url, older)).rejects.toThrow("an older version of the site");
  expect(await sumTables(url)).toEqual({});

  const table = { name: "public.donations", columns: [], rows: 3 };
  const short = await forge("short", { tables: [{ ...table, columns: ["colour"] }] });
  await expect(take(url, short)).rejects.toThrow("has no table public.donations (colour)");
  const before = await sumTables(url);
  const empty = await forge("empty", { ledger: { cash: "100" } });
  await expect(take(url, empty)).rejects.toThrow(
    /is not whole. Nothing was kept:(.*\n)+.*The account cash has 0 cents; the export says 100/,
  );
  expect(await sumTables(url)).toEqual(before);
  await take(url);
});
