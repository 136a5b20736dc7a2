import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, afterEach, expect, test } from "vitest";
import {
  cleanUp,
  end,
  makeDataDir,
  makeFolder,
  postmasterOf,
  query,
  removeTemplate,
  startUser,
} from "#test/faults/embedded-harness.ts";
import { findNativeFolder, prepareBinaries } from "./embedded/binaries.ts";
import { isProcessRunning } from "./embedded/postmaster.ts";
import { startEmbeddedDatabase } from "./embedded.ts";

const patient = 60_000;
const isRoot = process.getuid?.() === 0;
const nobody = 65_534;
afterEach(cleanUp, patient);
afterAll(removeTemplate);

test(
  "an empty folder becomes a database behind a private socket, and a stop leaves nothing running",
  async () => {
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
  },
  patient,
);

test(
  "two processes that start at the same moment on an empty folder share one server, and the last to leave stops it",
  async () => {
    const dataDir = makeFolder();
    const users = await Promise.all([startUser(dataDir), startUser(dataDir)]);
    const owner = users.find(({ isOwner }) => isOwner)!;
    const guest = users.find(({ isOwner }) => !isOwner)!;
    expect(guest.url).toBe(owner.url);
    const { pid } = postmasterOf(dataDir)!;
    await end(owner.process, "SIGTERM");
    expect(await query(guest.url, "select 1 as one")).toEqual([{ one: 1 }]);
    await end(guest.process, "SIGTERM");
    expect(isProcessRunning(pid)).toBe(false);
  },
  patient,
);

test(
  "starts and stops that cross each other never leave anybody without a server, nor a server without anybody",
  async () => {
    const dataDir = await makeDataDir();
    const comeAndGo = async () => {
      for (let visit = 0; visit < 3; visit++) {
        const database = await startEmbeddedDatabase({ dataDir });
        expect(await query(database.url, "select 1 as one")).toEqual([{ one: 1 }]);
        await database.stop();
      }
    };
    await Promise.all([comeAndGo(), comeAndGo(), comeAndGo(), comeAndGo()]);
    expect(postmasterOf(dataDir)).toBeNull();
  },
  patient,
);

test(
  "a DATA_DIR far longer than a socket's path may be works, also with spaces and quotes in it",
  async () => {
    const dataDir = await makeDataDir(join(makeFolder(), 'it\'s a "long" folder '.repeat(8).trim()));
    const database = await startEmbeddedDatabase({ dataDir });
    expect(await query(database.url, "select 1 as one")).toEqual([{ one: 1 }]);
    await database.stop();
  },
  patient,
);

test(
  "a server whose socket folder somebody cleared away is started again at the same address",
  async () => {
    const dataDir = await makeDataDir();
    const first = await startEmbeddedDatabase({ dataDir });
    rmSync(postmasterOf(dataDir)!.socketDirectory, { recursive: true });
    const second = await startEmbeddedDatabase({ dataDir });
    expect(second.url).toBe(first.url);
    expect(await query(first.url, "select 1 as one")).toEqual([{ one: 1 }]);
    await Promise.all([first.stop(), second.stop()]);
    expect(postmasterOf(dataDir)).toBeNull();
  },
  patient,
);

test(
  "the socket folder of a killed server whose data was deleted is removed by the next start",
  async () => {
    const dataDir = await makeDataDir();
    const user = await startUser(dataDir);
    const { pid, socketDirectory } = postmasterOf(dataDir)!;
    await end(user.process, "SIGKILL");
    process.kill(pid, "SIGKILL");
    rmSync(dataDir, { recursive: true, maxRetries: 20, retryDelay: 50 });
    const other = await startEmbeddedDatabase({ dataDir: await makeDataDir() });
    expect(existsSync(socketDirectory)).toBe(false);
    await other.stop();
  },
  patient,
);

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

test.runIf(isRoot)(
  "root without a user namespace runs the server as nobody, or learns to set DATABASE_URL",
  async () => {
    const folder = makeFolder();
    const withoutUnshare = { env: { ...process.env, PATH: join(folder, "empty") } };
    const dataDir = join(folder, "data");
    await expect(startUser(dataDir, undefined, withoutUnshare)).rejects.toThrow(
      /refuses to run as root.*set DATABASE_URL/s,
    );
    chmodSync(folder, 0o755);
    if (spawnSync("test", ["-x", process.execPath], { uid: nobody, gid: nobody }).status !== 0) return;
    const user = await startUser(dataDir, undefined, withoutUnshare);
    expect(statSync(join(dataDir, "postgres", "data")).uid).toBe(nobody);
    await end(user.process, "SIGTERM");
    // The cluster stays with its owner when namespaces come back.
    const database = await startEmbeddedDatabase({ dataDir });
    expect(await query(database.url, "select 1 as one")).toEqual([{ one: 1 }]);
    await database.stop();
  },
  patient,
);

test.runIf(isRoot)(
  "an ordinary user, with or without a line in /etc/passwd, starts a database of their own",
  async () => {
    if (spawnSync("test", ["-x", process.execPath], { uid: nobody, gid: nobody }).status !== 0) return;
    for (const id of [nobody, 4_242_424]) {
      const folder = makeFolder();
      chownSync(folder, id, id);
      const user = await startUser(join(folder, "data"), undefined, { uid: id, gid: id, cwd: folder });
      expect(statSync(join(folder, "data", "postgres", "data")).uid).toBe(id);
      await end(user.process, "SIGTERM");
      expect(postmasterOf(join(folder, "data"))).toBeNull();
    }
  },
  patient,
);

test(
  "what keeps PostgreSQL from starting is told in one sentence with the log and the way out",
  async () => {
    const dataDir = await makeDataDir();
    writeFileSync(join(dataDir, "postgres", "data", "PG_VERSION"), "9\n");
    const sentence =
      /^PostgreSQL did not start: FATAL: .*incompatible with server\. See .*postgres\.log, or set DATABASE_URL/;
    for (const _ of [1, 2]) await expect(startEmbeddedDatabase({ dataDir })).rejects.toThrow(sentence);
    const file = join(dataDir, "file");
    writeFileSync(file, "");
    await expect(startEmbeddedDatabase({ dataDir: file })).rejects.toThrow(/cannot be created.*Set DATA_DIR/);
  },
  patient,
);

test(
  "SEC-2: a database that is missing stops the start with what to do; an empty one comes only when that is asked for",
  async () => {
    const dataDir = await makeDataDir();
    await (await startEmbeddedDatabase({ dataDir })).stop();
    rmSync(join(dataDir, "postgres"), { recursive: true });
    const missing = /The database is missing: .* Mount or restore that folder\. .* delete .*database-created/;
    await expect(startEmbeddedDatabase({ dataDir })).rejects.toThrow(missing);
    expect(existsSync(join(dataDir, "postgres", "data"))).toBe(false);
    rmSync(join(dataDir, "database-created"));
    await (await startEmbeddedDatabase({ dataDir })).stop();
  },
  patient,
);

test(
  "SEC-2: what a broken first start left is cleaned up; files that are no database are kept, and stop the start",
  async () => {
    const dataDir = makeFolder();
    const left = join(dataDir, "postgres", "data.init-killed");
    mkdirSync(left, { recursive: true });
    writeFileSync(join(left, "PG_VERSION"), "18\n");
    const other = join(dataDir, "postgres", "data", "precious.txt");
    mkdirSync(dirname(other), { recursive: true });
    writeFileSync(other, "kept");
    await expect(startEmbeddedDatabase({ dataDir })).rejects.toThrow(/holds files that are no PostgreSQL database/);
    expect(readFileSync(other, "utf8")).toBe("kept");
    expect(existsSync(left)).toBe(false);
    rmSync(dirname(other), { recursive: true });
    await (await startEmbeddedDatabase({ dataDir })).stop();
  },
  patient,
);

test(
  "SEC-2: an initdb that fails, as on a full disk, leaves nothing behind, and the next start succeeds",
  async () => {
    const dataDir = makeFolder();
    const start = `import { startEmbeddedDatabase } from ${JSON.stringify(join(import.meta.dirname, "embedded.ts"))};
      try { await startEmbeddedDatabase({ dataDir: ${JSON.stringify(dataDir)} }); }
      catch (error) { process.stdout.write(error.message); process.exit(); }`;
    // Files of at most 1 MB stand in for a full disk: initdb's write-ahead log needs 16.
    const limited = `trap '' XFSZ; ulimit -f 1024; exec "$0" --input-type=module -e "$1"`;
    const { stdout } = spawnSync("bash", ["-c", limited, process.execPath, start], { encoding: "utf8" });
    expect(stdout).toMatch(/The database could not be created: .*(File too large|EFBIG)/i);
    expect(readdirSync(join(dataDir, "postgres")).filter((name) => name.startsWith("data"))).toEqual([]);
    await (await startEmbeddedDatabase({ dataDir })).stop();
  },
  patient,
);
