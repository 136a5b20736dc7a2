import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { dayInSydney, startOfDayInSydney } from "#shared/language.ts";
import type { Services } from "../services.ts";
import "./backup-tables.ts";

const hourMs = 3_600_000;

/**
 * From BACKUP_HOUR in Sydney: takes today's backup in a process of its own, unless it was taken or has failed today.
 * @throws Error with what the process said, which the log then has
 */
export async function backUpNightly({ config, database, now }: Services): Promise<void> {
  const { backup, databaseUrl } = config;
  if (backup.folder === null || databaseUrl !== undefined) return;
  const today = dayInSydney(now());
  if (now().getTime() - startOfDayInSydney(today).getTime() < backup.hour * hourMs) return;
  const begun = await database.selectFrom("backups").select("id").where("day", "=", today).executeTakeFirst();
  if (begun !== undefined) return;
  await promisify(execFile)(process.execPath, ["database/backup/main.ts", "--nightly"]);
}
