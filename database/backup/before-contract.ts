import type { Config } from "#shared/config/config.ts";
import { nameBackup, takeBackup } from "./take-backup.ts";

/**
 * Makes sure that there is a backup of a database in use, before a migration that the version before cannot run on.
 * Of the embedded database it takes one; of any other the operator must say that there is one.
 * @param contract the name of the migration
 * @returns the backup's file, or null if the operator has one
 * @throws Error with a sentence that says what to do
 */
export async function backUpBefore(
  contract: string,
  { databaseUrl, dataDir, archiveDir, backup }: Pick<Config, "databaseUrl" | "dataDir" | "archiveDir" | "backup">,
): Promise<string | null> {
  if (databaseUrl !== undefined) {
    if (backup.takenBefore === contract) return null;
    throw new Error(
      `${contract} changes what the database has, so that you can only go back with a backup. ` +
        `Stop all processes, back the database up, then start again with BACKUP_TAKEN_BEFORE=${contract}`,
    );
  }
  const { recipient } = backup;
  const isInDataDir = backup.folder === null;
  const file = nameBackup(backup.folder ?? dataDir, `before-${contract.replace(/\.sql$/, "")}`, recipient);
  try {
    await takeBackup({ dataDir, archiveDir, file, recipient, isInDataDir });
  } catch (cause) {
    throw new Error(
      `${contract} changes what the database has, and the backup before it failed: ${(cause as Error).message}`,
      { cause },
    );
  }
  return file;
}
