import { existsSync } from "node:fs";
import { open, readdir, readFile, realpath, rename, rm, stat, statfs } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { startEmbeddedDatabase } from "../embedded.ts";
import { type Part, partOf, writeArchive } from "./archive.ts";
import { copyCluster } from "./base-backup.ts";
import { countBucketFiles } from "./bucket-files.ts";
import { asAdministrator, countRows, listApplied, machineName, readArchiveName, readMajor } from "./manifest.ts";

/** `bucketFiles`: how many files are elsewhere, in a bucket. */
type BackupTaken = { readonly file: string; readonly bytes: number; readonly bucketFiles: number };

/** The path of a backup that does not exist yet: with a number, if that name is taken. */
export function nameBackup(folder: string, name: string, recipient: string | null): string {
  const ending = recipient === null ? ".tar.zst" : ".tar.zst.age";
  for (let number = 1; ; number++) {
    const file = join(folder, `${name}${number === 1 ? "" : `-${number}`}${ending}`);
    if (!existsSync(file)) return file;
  }
}

/**
 * Copies the embedded database and the site's key into one file, while the site runs or not. The file appears under its
 * name when it is whole and on the disk.
 * @param recipient a public key of age, or null; a name that ends in .age needs one
 * @param isInDataDir allows the file to be there: such a backup is not for the loss of the disk
 * @throws Error with a sentence for the operator; nothing is left behind
 */
export async function takeBackup(options: {
  dataDir: string;
  archiveDir?: string | null;
  file: string;
  recipient: string | null;
  isInDataDir?: boolean;
}): Promise<BackupTaken> {
  const { dataDir, recipient, isInDataDir = false } = options;
  const file = resolve(options.file);
  await refuseUnsuitable({ file, dataDir, recipient, isInDataDir });
  const draft = `${file}.part`;
  const database = await startEmbeddedDatabase({ dataDir, archiveDir: options.archiveDir ?? null });
  try {
    let bucketFiles = 0;
    await asAdministrator(database.url, async (client) => {
      bucketFiles = await countBucketFiles(client);
      const before = await countRows(client);
      let after = before;
      const createdAt = new Date().toISOString();
      let endedAt = createdAt;
      const archive = await readArchiveName(client);
      const migrations = await listApplied(client);
      const postgresMajor = await readMajor(client);
      const data = await realpath(join(dataDir, "postgres", "data"));
      const parts = listParts(
        dataDir,
        copyCluster(client, data, basename(file), async () => {
          after = await countRows(client);
          endedAt = new Date().toISOString();
        }),
      );
      const describe = (files: readonly { name: string; size: number; sha256: string }[]) => ({
        product: "almoner" as const,
        format: 1 as const,
        createdAt,
        endedAt,
        archive,
        machine: machineName,
        postgresMajor,
        migrations,
        before,
        after,
        files: [...files],
      });
      await writeArchive(draft, parts, describe, recipient);
    });
    await rename(draft, file);
    await syncFolder(dirname(file));
    return { file, bytes: (await stat(file)).size, bucketFiles };
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  } finally {
    await database.stop();
  }
}

async function* listParts(dataDir: string, cluster: ReturnType<typeof copyCluster>): AsyncGenerator<Part> {
  yield { kind: "folder", name: "postgres/data" };
  for await (const entry of cluster) yield { ...entry, name: `postgres/data/${entry.name}` };
  const key = join(dataDir, "secret-key");
  if (!existsSync(key)) return;
  const bytes = await readFile(key);
  yield partOf("secret-key", bytes);
}

/**
 * Refuses a name that says nothing of the format, or is taken.
 * @returns the folder for the file
 */
export async function refuseUnsuitableFile(file: string, recipient: string | null): Promise<string> {
  if (!/\.tar\.zst(\.age)?$/.test(file)) {
    throw new Error(`${basename(file)} must end in .tar.zst, or in .tar.zst.age if it is encrypted.`);
  }
  if (file.endsWith(".age") !== (recipient !== null)) {
    throw new Error(
      recipient === null
        ? "To encrypt it, set BACKUP_RECIPIENT to a public key of age (age1…)."
        : "BACKUP_RECIPIENT is set, so the file is encrypted: its name must end in .tar.zst.age.",
    );
  }
  if (existsSync(file)) throw new Error(`${file} exists already. Choose another name.`);
  if (existsSync(`${file}.part`)) {
    throw new Error(
      `Another command is writing ${file}.part, or was interrupted. If none is running, delete that file.`,
    );
  }
  const folder = await realpath(dirname(file)).catch(() => null);
  if (folder === null) throw new Error(`There is no folder ${dirname(file)}.`);
  return folder;
}

async function refuseUnsuitable({
  file,
  dataDir,
  recipient,
  isInDataDir,
}: {
  file: string;
  dataDir: string;
  recipient: string | null;
  isInDataDir: boolean;
}): Promise<void> {
  const folder = await refuseUnsuitableFile(file, recipient);
  const data = await realpath(dataDir).catch(() => null);
  if (data === null || !existsSync(join(data, "postgres", "data", "PG_VERSION"))) {
    throw new Error(`There is no database in ${dataDir}. Set DATA_DIR to the site's data folder.`);
  }
  if (!isInDataDir && `${folder}/`.startsWith(`${data}/`)) {
    throw new Error(`${folder} is in DATA_DIR, and would be lost together with it. Choose a folder elsewhere.`);
  }
  const needed = (await measureFolder(join(data, "postgres", "data"))) * 1.5;
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < needed) {
    throw new Error(`${folder} has too little space: the backup may need ${Math.ceil(needed / 1e6)} MB.`);
  }
}

/** The bytes of all files below a folder; one that vanishes meanwhile does not count. */
async function measureFolder(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(({ parentPath, name }) =>
      stat(join(parentPath, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** A rename is safe from a power cut once its folder is on the disk. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  await handle.sync().finally(() => handle.close());
}
