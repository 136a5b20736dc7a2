import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { dayInSydney, startOfDayInSydney } from "#shared/language.ts";
import type { Services } from "../services.ts";
import "./backup-tables.ts";

const hourMs = 3_600_000;
/** Longer than a backup takes: one without an outcome after this was interrupted. */
const interruptedMs = 2 * hourMs;

/**
 * From BACKUP_HOUR in Sydney: takes today's backup in a process of its own, unless it was taken, has failed, or another
 * process is taking it. One that was interrupted is taken again.
 * @throws Error with what the process said, which the log then has
 */
export async function backUpNightly({ config, database, now }: Services): Promise<void> {
  const { backup, databaseUrl } = config;
  if (backup.folder === null || databaseUrl !== undefined) return;
  const today = dayInSydney(now());
  if (now().getTime() - startOfDayInSydney(today).getTime() < backup.hour * hourMs) return;
  const recently = new Date(now().getTime() - interruptedMs);
  const begun = await database
    .selectFrom("backups")
    .select("id")
    .where("day", "=", today)
    .where(({ or, eb }) =>
      or([eb("taken_at", "is not", null), eb("fault", "is not", null), eb("started_at", ">=", recently)]),
    )
    .executeTakeFirst();
  if (begun !== undefined) return;
  await promisify(execFile)(process.execPath, ["database/backup/main.ts", "--nightly"]);
}
