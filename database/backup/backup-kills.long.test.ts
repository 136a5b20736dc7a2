import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { keepSecretKey } from "#shared/config/secret-key.ts";
import { seededRandom } from "#shared/seeded-random.ts";
import {
  cleanUp,
  end,
  makeDataDir,
  makeFolder,
  postmasterOf,
  query,
  readNumbers,
  removeTemplate,
  type SystemUser,
  startUser,
  until,
} from "#test/faults/embedded-harness.ts";
import { startEmbeddedDatabase } from "../embedded.ts";
import { migrate } from "../migrate.ts";
import { restoreBackup } from "./restore-backup.ts";
import { takeBackup } from "./take-backup.ts";

/** Twenty backups while eight connections write. In each, something is killed at a moment that the seed chooses. */
const rounds = 20;
const seed = 20_261_127;
const victims = ["the backup", "PostgreSQL", "the site", "everything"] as const;
const patient = 300_000;
const rowsBetween = 200;

const random = seededRandom(seed);
let dataDir = "";
let acknowledged = "";
let site: SystemUser;
/** Of the last backup that was left alone. */
let usualBytes = 0;

beforeAll(async () => {
  dataDir = await makeDataDir();
  keepSecretKey(dataDir);
  acknowledged = join(makeFolder(), "acknowledged");
  const database = await startEmbeddedDatabase({ dataDir });
  await migrate(database.url);
  site = await startUser(dataDir, acknowledged);
  await database.stop();
  usualBytes = (await takeBackup({ dataDir, file: join(makeFolder(), "site.tar.zst"), recipient: null })).bytes;
}, patient);
afterAll(async () => {
  await cleanUp();
  removeTemplate();
}, patient);

for (let round = 1; round <= rounds; round++) {
  const victim = victims[round % victims.length]!;
  const share = random();
  test(
    `BAK-1, BAK-2: round ${round}, ${victim} is killed at ${Math.round(share * 100)} % of a backup: it is whole or absent, and the next one is good`,
    () => killDuringBackup(victim, share),
    patient,
  );
}

async function killDuringBackup(victim: (typeof victims)[number], share: number) {
  const folder = makeFolder();
  const file = join(folder, "disturbed.tar.zst");
  await untilMore();
  const before = readNumbers(acknowledged);
  const backup = startBackup(file);
  await until("that share is copied", () => {
    const draft = statSync(`${file}.part`, { throwIfNoEntry: false });
    return (draft !== undefined && draft.size >= share * usualBytes * 0.9) || backup.process.exitCode !== null;
  });
  expect(backup.process.exitCode, "the backup is under way").toBeNull();
  await kill(victim, backup.process);
  const { code, said } = await backup.ended;

  if (victim === "the site") expect({ code, said }).toEqual({ code: 0, said: "" });
  if (victim === "PostgreSQL" && code !== 0) {
    expect(said.trim().split("\n")).toHaveLength(1);
    expect(readdirSync(folder)).toEqual([]);
  }
  expect(existsSync(file)).toBe(code === 0);
  if (code === 0) await expectGood(file, before);
  rmSync(`${file}.part`, { force: true });

  if (victim === "the site" || victim === "everything") site = await startUser(dataDir, acknowledged);
  await untilMore();
  const later = readNumbers(acknowledged);
  const next = join(folder, "next.tar.zst");
  usualBytes = (await takeBackup({ dataDir, file: next, recipient: null })).bytes;
  await expectGood(next, later);
  rmSync(folder, { recursive: true });
}

/** Restores it, which proves it too, and looks for the rows that were acknowledged before it began. */
async function expectGood(file: string, before: readonly number[]) {
  const target = join(makeFolder(), "data");
  await restoreBackup({ file, dataDir: target, keyFile: null, replace: false, now: new Date() });
  const restored = await startEmbeddedDatabase({ dataDir: target });
  try {
    const found = new Set((await query(restored.url, "select id from promises")).map(({ id }) => Number(id)));
    expect(before.filter((id) => !found.has(id))).toEqual([]);
  } finally {
    await restored.stop();
    rmSync(target, { recursive: true });
  }
}

function startBackup(file: string) {
  const child = spawn(process.execPath, ["database/backup/main.ts", file], {
    env: { ...process.env, DATA_DIR: dataDir, DATABASE_URL: "" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (text) => {
    said += text;
  });
  const ended = new Promise<{ code: number | null; said: string }>((resolve) => {
    child.once("close", (code) => resolve({ code, said }));
  });
  return { process: child, ended };
}

async function kill(victim: (typeof victims)[number], backup: ChildProcess) {
  if (victim === "the backup" || victim === "everything") backup.kill("SIGKILL");
  if (victim === "PostgreSQL" || victim === "everything") process.kill(postmasterOf(dataDir)!.pid, "SIGKILL");
  if (victim === "the site" || victim === "everything") await end(site.process, "SIGKILL");
}

async function untilMore() {
  const count = readNumbers(acknowledged).length;
  await until("more rows are acknowledged", () => readNumbers(acknowledged).length >= count + rowsBetween);
}
