import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { readConfig } from "#shared/config/config.ts";
import { readWords } from "#shared/config/read-words.ts";
import { throwExplained } from "#shared/database/explain-error.ts";
import { clockIn } from "#shared/language.ts";
import { requireEmbeddedDatabase } from "../embedded/require-database.ts";
import { describeBucketFiles } from "./bucket-files.ts";
import { listNightly, takeNightly } from "./nightly.ts";
import { proveServer } from "./prove.ts";
import { proveBackup } from "./restore-backup.ts";
import { takeBackup } from "./take-backup.ts";
import { tidyWalArchive } from "./wal-archive.ts";

const usage = `npm run backup -- FILE.tar.zst                     copies the embedded database and the site's key into one file
npm run backup -- FILE.tar.zst.age                 the same, encrypted for BACKUP_RECIPIENT
npm run backup -- --prove FILE [--key KEYFILE]     restores a backup into a temporary folder beside it, and reads it whole
npm run backup -- --prove-database                 reads the database at DATABASE_URL, which you restored with its own tools`;

const print = (line: string) => void process.stdout.write(`${line}\n`);
const formatMegabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

const DONE = 0;
const FAILED = 2;

async function run(): Promise<void> {
  const options = {
    prove: { type: "string" },
    key: { type: "string" },
    "prove-database": { type: "boolean" },
    nightly: { type: "boolean" },
    archive: { type: "boolean" },
  } as const;
  const { values, positionals } = readWords({ allowPositionals: true, options }, usage);
  const [file] = positionals;
  const isElsewhere = values.prove !== undefined || values["prove-database"] || values.nightly || values.archive;
  if (positionals.length !== (isElsewhere ? 0 : 1)) throw new Error(usage);
  if (values.prove !== undefined) {
    const { createdAt } = await proveBackup(values.prove, dirname(resolve(values.prove)), values.key ?? null);
    return print(
      `${values.prove} is good: it was restored and read whole. It is from ${clockIn("Australia/Sydney", createdAt)}.`,
    );
  }
  if (existsSync(".env")) process.loadEnvFile(".env");
  if (values["prove-database"] === true) return proveOwnDatabase(process.env.DATABASE_URL);
  requireEmbeddedDatabase(process.env);
  const { databaseUrl, dataDir, archiveDir, backup } = readConfig(process.env);
  if (databaseUrl !== undefined) {
    throw new Error("DATABASE_URL is set: back that database up with its own tools, such as pg_dump -Fc.");
  }
  if (values.nightly === true) return takeNightly({ dataDir, archiveDir, backup, now: new Date(), print });
  if (values.archive === true) {
    if (archiveDir === null || backup.folder === null) throw new Error("Set ARCHIVE_DIR and BACKUP_DIR.");
    return tidyWalArchive({ dataDir, archiveDir, backups: await listNightly(backup.folder) });
  }
  const taken = await takeBackup({ dataDir, archiveDir, file: file!, recipient: backup.recipient });
  print(`The backup is in ${taken.file} (${formatMegabytes(taken.bytes)}). Keep a copy on another machine.`);
  const elsewhere = describeBucketFiles(taken.bucketFiles);
  if (elsewhere !== null) print(elsewhere);
}

async function proveOwnDatabase(url: string | undefined): Promise<void> {
  if (!url) throw new Error("Set DATABASE_URL to the database that you have restored.");
  const { faults, hasReadPages } = await proveServer(url).catch(throwExplained);
  if (faults.length > 0) throw new Error(["The database is not good:", ...faults].join("\n"));
  print("The database is good: its ledger, its numbers of receipts and every foreign key.");
  print(
    hasReadPages
      ? "Every page and index was read."
      : "Its pages and indexes were not read: that takes a superuser, and the extension amcheck on the server.",
  );
}

process.exitCode = await run().then(
  () => DONE,
  (error: Error) => {
    process.stderr.write(`${error.message}\n`);
    return FAILED;
  },
);
