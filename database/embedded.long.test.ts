import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
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
import { isProcessRunning } from "./embedded/postmaster.ts";
import { startEmbeddedDatabase } from "./embedded.ts";

const isRoot = process.getuid?.() === 0;
const nobody = 65_534;
afterEach(cleanUp);
afterAll(removeTemplate);

test("two processes that start at the same moment on an empty folder share one server, and the last to leave stops it", async () => {
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
});

test("overlapping starts and stops leave no user without a server, and no server without users", async () => {
  const dataDir = await makeDataDir();
  const startAndStop = async () => {
    for (let visit = 0; visit < 3; visit++) {
      const database = await startEmbeddedDatabase({ dataDir });
      expect(await query(database.url, "select 1 as one")).toEqual([{ one: 1 }]);
      await database.stop();
    }
  };
  await Promise.all([startAndStop(), startAndStop(), startAndStop(), startAndStop()]);
  expect(postmasterOf(dataDir)).toBeNull();
});

test("a DATA_DIR far longer than a socket's path works, even with spaces and quotes", async () => {
  const dataDir = await makeDataDir(join(makeFolder(), 'it\'s a "long" folder '.repeat(8).trim()));
  const database = await startEmbeddedDatabase({ dataDir });
  expect(await query(database.url, "select 1 as one")).toEqual([{ one: 1 }]);
  await database.stop();
});

test("a server whose socket folder was deleted is restarted at the same address", async () => {
  const dataDir = await makeDataDir();
  const first = await startEmbeddedDatabase({ dataDir });
  rmSync(postmasterOf(dataDir)!.socketDirectory, { recursive: true });
  const second = await startEmbeddedDatabase({ dataDir });
  expect(second.url).toBe(first.url);
  expect(await query(first.url, "select 1 as one")).toEqual([{ one: 1 }]);
  await Promise.all([first.stop(), second.stop()]);
  expect(postmasterOf(dataDir)).toBeNull();
});

test("the socket folder of a killed server whose data was deleted is removed by the next start", async () => {
  const dataDir = await makeDataDir();
  const user = await startUser(dataDir);
  const { pid, socketDirectory } = postmasterOf(dataDir)!;
  await end(user.process, "SIGKILL");
  process.kill(pid, "SIGKILL");
  rmSync(dataDir, { recursive: true, maxRetries: 20, retryDelay: 50 });
  const other = await startEmbeddedDatabase({ dataDir: await makeDataDir() });
  expect(existsSync(socketDirectory)).toBe(false);
  await other.stop();
});

test.runIf(isRoot)(
  "root without a user namespace runs the server as nobody, or is told to set DATABASE_URL",
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
    // The cluster keeps its owner when namespaces are available again.
    const database = await startEmbeddedDatabase({ dataDir });
    expect(await query(database.url, "select 1 as one")).toEqual([{ one: 1 }]);
    await database.stop();
  },
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
);

test("SEC-2: the leftovers of a failed first start are removed; other files are kept, and stop the start", async () => {
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
});

test("SEC-2: an initdb that fails, as on a full disk, leaves nothing behind, and the next start succeeds", async () => {
  const dataDir = makeFolder();
  const start = `import { startEmbeddedDatabase } from ${JSON.stringify(join(import.meta.dirname, "embedded.ts"))};
      try { await startEmbeddedDatabase({ dataDir: ${JSON.stringify(dataDir)} }); }
      catch (error) { process.stdout.write(error.message); process.exit(); }`;
  // A limit of 1 MB a file stands in for a full disk: initdb's write-ahead log needs 16.
  const limited = `trap '' XFSZ; ulimit -f 1024; exec "$0" --input-type=module -e "$1"`;
  const { stdout } = spawnSync("bash", ["-c", limited, process.execPath, start], { encoding: "utf8" });
  expect(stdout).toMatch(/The database could not be created: .*(File too large|EFBIG)/i);
  expect(readdirSync(join(dataDir, "postgres")).filter((name) => name.startsWith("data"))).toEqual([]);
  await (await startEmbeddedDatabase({ dataDir })).stop();
});
