import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, expect, test } from "vitest";
import { isProcessRunning } from "#database/embedded/postmaster.ts";
import { startEmbeddedDatabase } from "#database/embedded.ts";
import {
  cleanUp,
  end,
  makeDataDir,
  makeFolder,
  postmasterOf,
  query,
  readNumbers,
  removeTemplate,
  spawnUser,
  startUser,
  until,
} from "./embedded-harness.ts";

afterEach(cleanUp);
afterAll(removeTemplate);

async function findLost(url: string, file: string): Promise<number[]> {
  const acknowledged = readNumbers(file); // First, because a writer may still be running.
  const kept = new Set((await query(url, "select id from promises")).map(({ id }) => Number(id)));
  return acknowledged.filter((id) => !kept.has(id));
}

async function untilMore(file: string, count: number) {
  const before = readNumbers(file).length;
  await until(`${count} more rows are acknowledged`, () => readNumbers(file).length >= before + count);
}

test("the server outlives a killed node at full write load, and the next start joins and later stops it", async () => {
  const dataDir = await makeDataDir();
  const file = join(dataDir, "acknowledged");
  const writer = await startUser(dataDir, file);
  await untilMore(file, 200);
  const { pid } = postmasterOf(dataDir)!;
  await end(writer.process, "SIGKILL");
  const database = await startEmbeddedDatabase({ dataDir });
  expect(database).toMatchObject({ isOwner: false, url: writer.url });
  expect(postmasterOf(dataDir)).toMatchObject({ pid, isRunning: true });
  expect(await findLost(database.url, file)).toEqual([]);
  await database.stop();
  expect(isProcessRunning(pid)).toBe(false);
});

test("a killed PostgreSQL or back end is restarted at the same address with nothing lost", async () => {
  const dataDir = await makeDataDir();
  const file = join(dataDir, "acknowledged");
  const writer = await startUser(dataDir, file);
  const backEnd = "select pid from pg_stat_activity where usename = 'app' and pid <> pg_backend_pid() limit 1";
  for (const victim of ["server", "back end", "server"]) {
    await untilMore(file, 200);
    const { pid } = postmasterOf(dataDir)!;
    if (victim === "server") {
      process.kill(pid, "SIGKILL");
      await until("another server runs", () => {
        const successor = postmasterOf(dataDir);
        return successor !== null && successor.pid !== pid && successor.isRunning;
      });
    } else {
      process.kill(Number((await query(writer.url, backEnd))[0]!.pid), "SIGKILL");
    }
    await untilMore(file, 200);
    expect(await findLost(writer.url, file)).toEqual([]);
  }
  const { pid } = postmasterOf(dataDir)!;
  await end(writer.process, "SIGTERM");
  expect(isProcessRunning(pid)).toBe(false);
});

test("nothing acknowledged is lost when node and PostgreSQL are killed together at full write load", async () => {
  const dataDir = await makeDataDir();
  const file = join(dataDir, "acknowledged");
  for (let round = 0; round < 2; round++) {
    const writer = await startUser(dataDir, file);
    await untilMore(file, 200);
    process.kill(postmasterOf(dataDir)!.pid, "SIGKILL");
    await end(writer.process, "SIGKILL");
    const database = await startEmbeddedDatabase({ dataDir });
    expect(database.recovered).toContain("had not been shut down");
    expect(await findLost(database.url, file)).toEqual([]);
    await database.stop();
  }
});

test("negative control: the same kill loses rows if commits do not wait for the disk", async () => {
  const dataDir = await makeDataDir();
  const file = join(dataDir, "acknowledged");
  writeFileSync(
    join(dataDir, "postgres", "data", "postgresql.auto.conf"),
    "synchronous_commit = off\nwal_writer_delay = 10s\nwal_writer_flush_after = 1GB\n",
  );
  const writer = await startUser(dataDir, file);
  await untilMore(file, 200);
  process.kill(postmasterOf(dataDir)!.pid, "SIGKILL");
  await end(writer.process, "SIGKILL");
  const database = await startEmbeddedDatabase({ dataDir });
  const lost = await findLost(database.url, file).catch(() => readNumbers(file)); // Even the table may be lost.
  await database.stop();
  expect(lost.length).toBeGreaterThan(0);
});

test.runIf(process.platform === "linux")("a zombie postmaster does not keep the next one from starting", async () => {
  const dataDir = await makeDataDir();
  const parent = await startUser(dataDir);
  const { pid } = postmasterOf(dataDir)!;
  process.kill(parent.process.pid!, "SIGSTOP"); // A stopped parent does not reap its children.
  process.kill(pid, "SIGKILL");
  await until("it is a zombie", () => readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z "));
  const database = await startEmbeddedDatabase({ dataDir });
  expect(database).toMatchObject({ isOwner: true, url: parent.url });
  expect(await query(database.url, "select 1 as one")).toEqual([{ one: 1 }]);
  process.kill(parent.process.pid!, "SIGCONT");
  await database.stop();
});

test("a stale postmaster.pid is repaired if another program or PostgreSQL now has its process id", async () => {
  const stranger = spawn("sleep", ["600"]);
  const otherDir = await makeDataDir();
  const other = await startEmbeddedDatabase({ dataDir: otherDir });
  try {
    for (const taken of [stranger.pid!, postmasterOf(otherDir)!.pid]) {
      const dataDir = await makeDataDir();
      await leaveStalePidFile(dataDir, taken);
      const database = await startEmbeddedDatabase({ dataDir });
      expect(database).toMatchObject({ isOwner: true, recovered: expect.any(String) });
      expect(await query(database.url, "select 1 as one")).toEqual([{ one: 1 }]);
      await database.stop();
      expect(isProcessRunning(taken)).toBe(true);
    }
    expect(await query(other.url, "select 1 as one")).toEqual([{ one: 1 }]);
  } finally {
    stranger.kill("SIGKILL");
    await other.stop();
  }
});

test("a postmaster.pid that a killed server created but had not written is repaired", async () => {
  const dataDir = await makeDataDir();
  writeFileSync(join(dataDir, "postgres", "data", "postmaster.pid"), "");
  const database = await startEmbeddedDatabase({ dataDir });
  expect(await query(database.url, "select 1 as one")).toEqual([{ one: 1 }]);
  await database.stop();
});

test("while a back end of a killed server lives, no other server touches its data", async () => {
  const stranger = spawn("sleep", ["600"]);
  const dataDir = await makeDataDir();
  const user = await startUser(dataDir);
  const { pid } = postmasterOf(dataDir)!;
  const [worker] = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").map(Number);
  process.kill(worker!, "SIGSTOP"); // It cannot see that its postmaster is gone.
  await leaveStalePidFile(dataDir, stranger.pid!, user.process);
  let isReady = false;
  const starting = startEmbeddedDatabase({ dataDir }).finally(() => {
    isReady = true;
  });
  await sleep(700);
  expect(isReady).toBe(false);
  process.kill(worker!, "SIGCONT");
  const database = await starting;
  expect(readFileSync(join(dataDir, "postgres", "postgres.log"), "utf8")).toContain("pre-existing shared memory block");
  await database.stop();
  stranger.kill("SIGKILL");
});

test("a kill at any point of the very first start leaves a folder that the next start completes", async () => {
  const points = ["data.init", "data.init/global/pg_control", "data/PG_VERSION"];
  for (const point of points) {
    const dataDir = makeFolder();
    const folder = join(dataDir, "postgres");
    const first = spawnUser(dataDir);
    await until(`${point} exists`, () => hasReached(folder, point));
    await end(first, "SIGKILL"); // The initdb it started goes on writing.
    const database = await startEmbeddedDatabase({ dataDir });
    expect(await query(database.url, "select current_database() as name")).toEqual([{ name: "almoner" }]);
    await database.stop();
    expect(readdirSync(folder).filter((name) => name.startsWith("data"))).toEqual(["data"]);
  }
});

function hasReached(folder: string, point: string): boolean {
  if (!existsSync(folder)) return false;
  const [top = "", ...rest] = point.split("/");
  return readdirSync(folder).some((name) => name.startsWith(top) && existsSync(join(folder, name, ...rest)));
}

/** Kills node and server, and writes a live process's id into the server's file. */
async function leaveStalePidFile(
  dataDir: string,
  taken: number,
  user?: Awaited<ReturnType<typeof startUser>>["process"],
) {
  const victim = user ?? (await startUser(dataDir)).process;
  const { pid } = postmasterOf(dataDir)!;
  await end(victim, "SIGKILL");
  process.kill(pid, "SIGKILL");
  await until("the server is dead", () => !isProcessRunning(pid));
  const file = join(dataDir, "postgres", "data", "postmaster.pid");
  writeFileSync(file, readFileSync(file, "utf8").replace(/^\d+/, String(taken)));
}
