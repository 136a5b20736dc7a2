import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { dayInSydney, hourInSydney } from "#shared/language.ts";
import type { Services } from "../services.ts";
import "./backup-tables.ts";

const hourMs = 3_600_000;
/** Longer than a backup takes: one without an outcome after this was interrupted. */
const interruptedMs = 2 * hourMs;

type BackupServices = Pick<Services, "config" | "database" | "now" | "log">;

/** In a process of its own; returns what it said. */
async function takeBackup(): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ["database/backup/main.ts", "--nightly"]);
  return stdout;
}

/**
 * Takes today's backup, if it is due, and logs how it went.
 * @throws Error with what the process said, which the log then has
 */
export async function backUpNightly(services: BackupServices, take = takeBackup): Promise<void> {
  if (!(await isBackupDue(services))) return;
  for (const line of (await take()).trim().split("\n")) services.log.info(line);
}

/**
 * From BACKUP_HOUR in Sydney, unless today's backup was taken, or another process is taking it. One that failed is tried
 * again after an hour, and one that was interrupted after two. `begin` of `database/backup/nightly.ts` has the last word.
 */
export async function isBackupDue({
  config,
  database,
  now,
}: Pick<Services, "config" | "database" | "now">): Promise<boolean> {
  const { backup, databaseUrl } = config;
  if (backup.folder === null || databaseUrl !== undefined) return false;
  const at = now();
  if (hourInSydney(at) < backup.hour) return false;
  const ago = (ms: number) => new Date(at.getTime() - ms);
  const begun = await database
    .selectFrom("backups")
    .select("id")
    .where("day", "=", dayInSydney(at))
    .where(({ or, and, eb }) =>
      or([
        eb("taken_at", "is not", null),
        eb("started_at", ">", ago(hourMs)),
        and([eb("fault", "is", null), eb("started_at", ">", ago(interruptedMs))]),
      ]),
    )
    .executeTakeFirst();
  return begun === undefined;
}
