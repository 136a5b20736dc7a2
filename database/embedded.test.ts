import { spawnSync } from "node:child_process";
import { cpSync, existsSync, lstatSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, expect, test } from "vitest";
import {
  cleanUp,
  makeDataDir,
  makeFolder,
  postmasterOf,
  query,
  removeTemplate,
} from "#test/faults/embedded-harness.ts";
import { longTest } from "#test/long-test.ts";
import { findNativeFolder, prepareBinaries } from "./embedded/binaries.ts";
import { isProcessRunning } from "./embedded/postmaster.ts";
import { startEmbeddedDatabase } from "./embedded.ts";

afterEach(cleanUp);
afterAll(removeTemplate);

test("an empty folder becomes a database behind a private socket, and a stop leaves nothing running", async () => {
  const dataDir = makeFolder();
  const database = await startEmbeddedDatabase({ dataDir });
  expect(database).toMatchObject({ isOwner: true, recovered: null });
  const { pid, socketDirectory } = postmasterOf(dataDir)!;
  const [settings] = await query(
    database.url,
    `select current_database() as name, current_user as role, current_setting('listen_addresses') as addresses,
            current_setting('fsync') as fsync, current_setting('max_connections') as connections,
            (select rolsuper from pg_roles where rolname = current_user) as may_do_anything,
            (select datlocale from pg_database where datname = 'almoner') as locale`,
  );
  expect(settings).toEqual({
    name: "almoner",
    role: "app",
    addresses: "",
    fsync: "on",
    connections: "100",
    may_do_anything: false,
    locale: "C.UTF-8",
  });
  expect(statSync(socketDirectory).mode & 0o777).toBe(0o700);
  await database.stop();
  await database.stop();
  expect(isProcessRunning(pid)).toBe(false);
  expect(existsSync(socketDirectory)).toBe(false);
});

test("the programs run without the library links that npm's install scripts would have made", () => {
  const folder = makeFolder();
  const native = join(folder, "native");
  cpSync(findNativeFolder(), native, {
    recursive: true,
    filter: (source) => !source.endsWith(".a") && !lstatSync(source).isSymbolicLink(),
  });
  const run = (env: NodeJS.ProcessEnv) =>
    spawnSync(join(native, "bin", "initdb"), ["--version"], { env, encoding: "utf8" });
  expect(run({}).status).not.toBe(0);
  const { env } = prepareBinaries(native, join(folder, "links"));
  expect(run(env).stdout).toContain("18.");
  expect(readdirSync(join(folder, "links"))).toContain("libpq.so.5");
});

longTest("a failed start of PostgreSQL gives one sentence with the reason, the log and the way out", async () => {
  const dataDir = await makeDataDir();
  writeFileSync(join(dataDir, "postgres", "data", "PG_VERSION"), "9\n");
  const sentence =
    /^PostgreSQL did not start: FATAL: .*incompatible with server\. See .*postgres\.log, or set DATABASE_URL/;
  for (const _ of [1, 2]) await expect(startEmbeddedDatabase({ dataDir })).rejects.toThrow(sentence);
  const file = join(dataDir, "file");
  writeFileSync(file, "");
  await expect(startEmbeddedDatabase({ dataDir: file })).rejects.toThrow(/cannot be created.*Set DATA_DIR/);
});

test("SEC-2: a missing database stops the start with what to do; an empty one is created only on request", async () => {
  const dataDir = await makeDataDir();
  await (await startEmbeddedDatabase({ dataDir })).stop();
  rmSync(join(dataDir, "postgres"), { recursive: true });
  const missing = /The database is missing: .* Mount or restore that folder\. .* delete .*database-created/;
  await expect(startEmbeddedDatabase({ dataDir })).rejects.toThrow(missing);
  expect(existsSync(join(dataDir, "postgres", "data"))).toBe(false);
  rmSync(join(dataDir, "database-created"));
  await (await startEmbeddedDatabase({ dataDir })).stop();
});
