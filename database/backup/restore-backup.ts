import { existsSync } from "node:fs";
import {
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  statfs,
  writeFile,
} from "node:fs/promises";
import { join, resolve } from "node:path";
import pg from "pg";
import { findPostmaster } from "../embedded/postmaster.ts";
import { startEmbeddedDatabase } from "../embedded.ts";
import { migrate } from "../migrate.ts";
import { unpackArchive } from "./archive.ts";
import { backupFormat, type Manifest, machineName } from "./manifest.ts";
import { proveDatabase } from "./prove.ts";
import { type Recovery, requireArchive, startRecovered } from "./recovery.ts";
import { syncFolder } from "./take-backup.ts";

const headOfAge = "age-encryption.org/";
const embeddedMajor = 18;

type Source = {
  readonly file: string;
  /** Where it is unpacked, beside what is there. */
  readonly parent: string;
  readonly keyFile: string | null;
  /** Null to restore the backup as it is. */
  readonly recovery?: Recovery | null;
};

/**
 * Unpacks a backup beside `parent`'s other files, starts it alone and reads it whole.
 * `use` gets the proved folder, which is a DATA_DIR, with its server stopped; afterwards it is deleted, unless it has moved.
 * Both functions get the moment to which the database was restored.
 * @param beforeStop runs while the proved database is still running
 * @throws Error with a sentence if the backup is not good
 */
async function withProved<Result>(
  { file, parent, keyFile, recovery = null }: Source,
  use: (folder: string, reachedAt: Date) => Promise<Result>,
  beforeStop: (url: string, reachedAt: Date) => Promise<unknown> = async () => {},
): Promise<Result> {
  const identity = await readIdentity(file, keyFile);
  const folder = await mkdtemp(join(parent, "restoring-"));
  try {
    const { bavail, bsize } = await statfs(folder);
    const spaceBytes = (bavail * bsize) / 1.5;
    const manifest = await unpackArchive(file, folder, { identity, spaceBytes, format: backupFormat }).catch(
      (cause: Error) => {
        throw new Error(`${file} is not a good backup: ${cause.message}. Nothing was changed.`, { cause });
      },
    );
    if (manifest.machine !== machineName || manifest.postgresMajor !== embeddedMajor) {
      throw new Error(
        `${file} is from PostgreSQL ${manifest.postgresMajor} on ${manifest.machine}, and this is PostgreSQL ${embeddedMajor} on ${machineName}. Restore it on such a machine. Nothing was changed.`,
      );
    }
    const { database, reachedAt } = await startUnpacked(file, folder, manifest, recovery);
    try {
      const { before, after } = manifest;
      const counts = recovery === null ? { before, after } : { before: after, after: null };
      const faults = await proveDatabase(database.url, counts);
      if (faults.length > 0) throw new Error([`${file} is not a good backup:`, ...faults].join("\n"));
      await beforeStop(database.url, reachedAt);
    } finally {
      await database.stop();
    }
    return await use(folder, reachedAt);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}

async function startUnpacked(file: string, folder: string, manifest: Manifest, recovery: Recovery | null) {
  if (recovery === null) {
    const database = await startEmbeddedDatabase({ dataDir: folder });
    return { database, reachedAt: new Date(manifest.createdAt) };
  }
  const archive = requireArchive(file, manifest, recovery);
  return startRecovered(folder, manifest, archive, recovery.until);
}

/** Restores a backup into a temporary folder below `parent`, and reads it whole. @throws Error if it is not good */
export async function proveBackup(file: string, parent: string, keyFile: string | null): Promise<{ createdAt: Date }> {
  await refuseMissing(file);
  return withProved({ file: resolve(file), parent, keyFile }, async (_, createdAt) => ({ createdAt }));
}

/**
 * Makes a proved backup the database of `dataDir`, and pauses the site. What was there stays beside it.
 * @param replace whether `dataDir` may have a database already
 * @param recovery to which later moment it is brought; null to leave it as it is
 * @returns the moment to which it was restored, and the folder to which the old database moved, or null
 * @throws Error with a sentence; the data folder is as it was
 */
export async function restoreBackup(options: {
  file: string;
  dataDir: string;
  keyFile: string | null;
  replace: boolean;
  recovery?: Recovery | null;
  now: Date;
}): Promise<{ reachedAt: Date; kept: string | null }> {
  const { file, keyFile, replace, recovery = null, now } = options;
  await refuseMissing(file);
  const dataDir = resolve(options.dataDir);
  const hasDatabase = existsSync(join(dataDir, "postgres", "data"));
  if (hasDatabase && findPostmaster(await realpath(join(dataDir, "postgres", "data")))?.isRunning) {
    throw new Error(`The site of ${dataDir} is running. Stop it, or restore into another folder with --to.`);
  }
  if (hasDatabase && !replace) {
    throw new Error(`${dataDir} has a database. Add --replace to move it aside, or --to with another folder.`);
  }
  await mkdir(dataDir, { recursive: true });
  const suffix = suffixOf(now);
  return withProved(
    { file: resolve(file), parent: dataDir, keyFile, recovery },
    async (folder, reachedAt) => ({ reachedAt, kept: await exchange(folder, dataDir, suffix) }),
    (url, reachedAt) => pause(url, reachedAt, now),
  );
}

/** For the name of what a restore moves aside. */
export const suffixOf = (now: Date) => `before-${now.toISOString().slice(0, 19).replaceAll(":", "")}`;

/** The old folder first moves aside, and comes back if the new one cannot take its place. */
async function exchange(folder: string, dataDir: string, suffix: string): Promise<string | null> {
  const place = join(dataDir, "postgres");
  const kept = existsSync(place) ? `${place}.${suffix}` : null;
  if (kept !== null) await rename(place, kept);
  try {
    await rename(join(folder, "postgres"), place);
  } catch (error) {
    if (kept !== null) await rename(kept, place);
    throw error;
  }
  await exchangeKey(folder, dataDir, suffix);
  await syncFolder(dataDir);
  return kept;
}

/** Makes an unpacked key the key of `dataDir`. Another one that was there stays beside it. */
export async function exchangeKey(folder: string, dataDir: string, suffix: string): Promise<void> {
  const key = join(folder, "secret-key");
  if (!existsSync(key)) return;
  const old = join(dataDir, "secret-key");
  if (existsSync(old)) {
    if ((await readFile(old, "utf8")).trim() === (await readFile(key, "utf8")).trim()) return;
    await rename(old, `${old}.${suffix}`);
  }
  // The folder may be on another disk than the key, where a rename does not reach.
  const draft = `${old}.part`;
  await writeFile(draft, await readFile(key), { mode: 0o600, flush: true });
  await rename(draft, old);
  await syncFolder(dataDir);
}

/** The backup may be older than the code: the table that pauses the site comes with a migration. */
async function pause(url: string, reachedAt: Date, now: Date): Promise<void> {
  await migrate(url);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("insert into restores (backup_taken_at, restored_at) values ($1, $2)", [reachedAt, now]);
  } finally {
    await client.end();
  }
}

export async function refuseMissing(file: string): Promise<void> {
  const found = await stat(file).catch(() => null);
  if (!found?.isFile()) throw new Error(`There is no file ${file}.`);
}

/** The secret key for an archive that is encrypted, from `keyFile`; null if it is not encrypted. */
export async function readIdentity(file: string, keyFile: string | null): Promise<string | null> {
  const head = (await readFirst(file, headOfAge.length)).toString("latin1");
  if (head !== headOfAge) return null;
  if (keyFile === null) throw new Error(`${file} is encrypted. Name the file with the secret key: --key FILE.`);
  const line = (await readFile(keyFile, "utf8").catch(() => ""))
    .split("\n")
    .map((text) => text.trim())
    .find((text) => text.startsWith("AGE-SECRET-KEY-"));
  if (line === undefined) throw new Error(`${keyFile} has no secret key of age (AGE-SECRET-KEY-…).`);
  return line;
}

async function readFirst(file: string, length: number): Promise<Buffer> {
  const handle = await open(file, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Empty, or without anything but what an interrupted restore left. */
export async function isFree(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => []);
  return names.every((name) => name.startsWith("restoring-"));
}
