import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { readConfig } from "#shared/config/config.ts";
import { readWords } from "#shared/config/read-words.ts";
import { clockIn } from "#shared/language.ts";
import { type Recovery, readUntil } from "./recovery.ts";
import { isFree, restoreBackup } from "./restore-backup.ts";

const usage = `npm run restore -- FILE [--replace] [--key KEYFILE]      makes a backup the database of DATA_DIR; --replace moves an old one aside
npm run restore -- FILE --to FOLDER [--key KEYFILE]     restores into another folder, also while the site runs

Add --until TIME to bring it forward to a later moment, from the archive in ARCHIVE_DIR: 2026-11-27 14:05 in Sydney,
2026-11-27T03:05:00Z, or end for all that the archive has.`;

const print = (line: string) => void process.stdout.write(`${line}\n`);

const DONE = 0;
const FAILED = 2;

async function run(): Promise<void> {
  const options = {
    to: { type: "string" },
    replace: { type: "boolean" },
    key: { type: "string" },
    until: { type: "string" },
  } as const;
  const { values, positionals } = readWords({ allowPositionals: true, options }, usage);
  const [file] = positionals;
  if (file === undefined || positionals.length > 1) throw new Error(usage);
  if (existsSync(".env")) process.loadEnvFile(".env");
  const dataDir = await chooseFolder(values.to);
  const { reachedAt, kept } = await restoreBackup({
    file,
    dataDir,
    keyFile: values.key ?? null,
    replace: values.replace ?? false,
    recovery: values.until === undefined ? null : chooseRecovery(values.until),
    now: new Date(),
  });
  print(`The database of ${clockIn("Australia/Sydney", reachedAt)} is in ${dataDir}: it was read whole, and is good.`);
  if (kept !== null) print(`The old one is in ${kept}. Delete it when you no longer need it.`);
  print("The site starts paused: it shows its pages, and takes no payments. When you have looked at it:");
  print("npm run reopen -- --last-receipt NUMBER");
}

/** Without the other settings, which a machine that only looks something up may not have. */
function chooseRecovery(text: string): Recovery {
  const until = readUntil(text);
  const { ARCHIVE_DIR } = process.env;
  if (!ARCHIVE_DIR) throw new Error("Set ARCHIVE_DIR to the folder of the archive.");
  return { archiveDir: resolve(ARCHIVE_DIR), until };
}

/** Named by --to, where nothing may be yet, or else DATA_DIR. */
async function chooseFolder(to: string | undefined): Promise<string> {
  if (to !== undefined) {
    if (!(await isFree(to))) throw new Error(`${to} is not empty. Name a new folder.`);
    return resolve(to);
  }
  // The backup brings the key: without one here, reading the settings would make another.
  const { databaseUrl, dataDir } = readConfig({ ...process.env, SECRET_KEY: "not read".repeat(4) });
  if (databaseUrl !== undefined) {
    throw new Error("DATABASE_URL is set, and a backup is for the embedded database. Restore it with --to FOLDER.");
  }
  return dataDir;
}

process.exitCode = await run().then(
  () => DONE,
  (error: Error) => {
    process.stderr.write(`${error.message}\n`);
    return FAILED;
  },
);
