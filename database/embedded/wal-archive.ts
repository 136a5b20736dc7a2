import { randomBytes } from "node:crypto";
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Account } from "./account.ts";

/** At most so long is a commit only on the disk of the data. */
const timeoutSeconds = 300;
const library = "basic_archive";

/**
 * The settings that make the server copy each finished segment of its WAL to a folder of its own below `archiveDir`.
 * The folder's name belongs to one history of one database: a restored database continues from an earlier moment, and its
 * segments have the same names as those that were written after that moment, so it begins another folder.
 * @throws Error with a sentence if the folder or the library is missing: with `archive_mode` alone, WAL would stay for ever
 */
export function prepareWalArchive(
  archiveDir: string,
  databaseFolder: string,
  libraries: string,
  { ids }: Account,
): Record<string, string> {
  if (!existsSync(archiveDir)) {
    throw new Error(`ARCHIVE_DIR: there is no folder ${archiveDir}. Mount or create it, or leave ARCHIVE_DIR empty.`);
  }
  if (!readdirSync(libraries).some((name) => name.startsWith(`${library}.`))) {
    throw new Error(`This PostgreSQL comes without ${library}, which ARCHIVE_DIR needs. Leave ARCHIVE_DIR empty.`);
  }
  const folder = join(archiveDir, chooseName(databaseFolder));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (ids.uid !== undefined) chownSync(folder, ids.uid, ids.gid!);
  return {
    archive_mode: "on",
    archive_library: library,
    archive_timeout: String(timeoutSeconds),
    [`${library}.archive_directory`]: folder,
  };
}

/** Kept beside the cluster and not in it, so that no backup has it. */
function chooseName(databaseFolder: string): string {
  const file = join(databaseFolder, "archive-name");
  if (!existsSync(file))
    writeFileSync(file, `${new Date().toISOString().slice(0, 10)}-${randomBytes(4).toString("hex")}`);
  return readFileSync(file, "utf8").trim();
}
