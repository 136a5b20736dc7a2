import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Services } from "../services.ts";

/**
 * Packs what the database has copied to ARCHIVE_DIR, and deletes what no kept backup needs, in a process of its own.
 * @throws Error with what the process said, which the log then has
 */
export async function tidyArchive({ config }: Services): Promise<void> {
  if (config.archiveDir === null) return;
  await promisify(execFile)(process.execPath, ["database/backup/main.ts", "--archive"]);
}
