import { execFile } from "node:child_process";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import type { Config } from "#shared/config/config.ts";
import { addDays, dayInSydney } from "#shared/language.ts";
import { startEmbeddedDatabase } from "../embedded.ts";
import { describeBucketFiles } from "./bucket-files.ts";
import { proveBackup } from "./restore-backup.ts";
import { nameBackup, takeBackup } from "./take-backup.ts";

type NightlyOptions = {
  readonly dataDir: string;
  readonly archiveDir: string | null;
  readonly backup: Config["backup"];
  readonly now: Date;
  readonly print: (line: string) => void;
};

/** The second backup of a day, which follows a restore, has a number. */
const nightlyName = /^almoner-(\d{4}-\d{2}-\d{2})(-\d+)?\.tar\.zst(\.age)?$/;
const daysPerWeek = 7;

/**
 * Takes the backup of today unless there is one, proves it if that is due, gives it to `BACKUP_AFTER`, and deletes those
 * that need not be kept. The table `backups` says how it went.
 * @throws Error with a sentence if it was not taken, or is not good
 */
export async function takeNightly({ dataDir, archiveDir, backup, now, print }: NightlyOptions): Promise<void> {
  if (backup.folder === null) throw new Error("Set BACKUP_DIR to the folder for the nightly backups.");
  const { folder, recipient } = backup;
  const day = dayInSydney(now);
  await withDatabase({ dataDir, archiveDir }, async (client) => {
    if (!(await begin(client, day, now))) return print(`There is a backup of ${day}, or another process is taking it.`);
    try {
      // After a restore the table may not know today's backup: it may be the one that was restored, and stays.
      const file = nameBackup(folder, `almoner-${day}`, recipient);
      // An earlier attempt of this day was interrupted; its table row was free, so nobody is writing it.
      await rm(`${file}.part`, { force: true });
      const taken = await takeBackup({ dataDir, archiveDir, file, recipient });
      await client.query("update backups set file = $2, bytes = $3, taken_at = now() where day = $1", [
        day,
        file,
        taken.bytes,
      ]);
      print(`The backup of ${day} is in ${file}.`);
      const elsewhere = describeBucketFiles(taken.bucketFiles);
      if (elsewhere !== null) print(elsewhere);
      if (await isProofDue(client, backup, now)) {
        await proveBackup(file, folder, null);
        await client.query("update backups set proved_at = now() where day = $1", [day]);
        print("It was restored and read whole: it is good.");
      }
      if (backup.after !== null) await promisify(execFile)(backup.after, [file]);
      await deleteOld(client, folder, backup.keep, print);
    } catch (error) {
      await client.query("update backups set fault = $2 where day = $1", [day, (error as Error).message]);
      throw error;
    }
  });
}

/**
 * Whether this process may take the backup of a day: one that failed an hour ago, or has taken longer than two hours, is
 * tried again. One that was taken is not, whatever failed after that: each try would leave a file.
 */
async function begin(client: pg.Client, day: string, now: Date): Promise<boolean> {
  const { rowCount } = await client.query(
    `insert into backups (day, started_at) values ($1, $2)
     on conflict (day) do update set started_at = excluded.started_at, fault = null
       where backups.taken_at is null
         and backups.started_at <= excluded.started_at
           - case when backups.fault is null then interval '2 hours' else interval '1 hour' end`,
    [day, now],
  );
  return rowCount === 1;
}

/** An encrypted backup cannot be proved here: the secret key is on another machine. */
async function isProofDue(client: pg.Client, { prove, recipient }: Config["backup"], now: Date): Promise<boolean> {
  if (prove === "off" || recipient !== null) return false;
  if (prove === "daily") return true;
  const { rowCount } = await client.query(
    "select from backups where proved_at > $1::timestamptz - interval '156 hours'",
    [now],
  );
  return rowCount === 0;
}

/** The names of the nightly backups in their folder. */
export async function listNightly(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => nightlyName.test(name));
}

async function deleteOld(
  client: pg.Client,
  folder: string,
  keep: Config["backup"]["keep"],
  print: (line: string) => void,
): Promise<void> {
  const days = (await listNightly(folder)).flatMap((name) => nightlyName.exec(name)?.[1] ?? []);
  const { rows } = await client.query<{ day: string }>(
    "select day::text from backups where proved_at is not null order by day desc limit 1",
  );
  const kept = new Set([...chooseKept(days, keep), ...rows.map(({ day }) => day)]);
  for (const name of await listNightly(folder)) {
    if (kept.has(nightlyName.exec(name)![1]!)) continue;
    await rm(join(folder, name));
    print(`Deleted the old backup ${name}.`);
  }
}

/**
 * Which days' backups are kept: the latest `keep[0]` days, and the first of each of the latest `keep[1]` weeks (from
 * Monday) and `keep[2]` months that have one.
 */
export function chooseKept(days: readonly string[], keep: readonly [number, number, number]): Set<string> {
  const newest = [...new Set(days)].sort().reverse();
  const monthOf = (day: string) => day.slice(0, 7);
  const firstOf = (groupOf: (day: string) => string, count: number) => {
    const groups = Map.groupBy(newest, groupOf);
    return [...groups.values()].slice(0, count).map((group) => group.at(-1)!);
  };
  return new Set([...newest.slice(0, keep[0]), ...firstOf(weekOf, keep[1]), ...firstOf(monthOf, keep[2])]);
}

function weekOf(day: string): string {
  const weekday = new Date(`${day}T12:00:00Z`).getUTCDay();
  return addDays(day, -((weekday + daysPerWeek - 1) % daysPerWeek));
}

async function withDatabase(
  place: Pick<NightlyOptions, "dataDir" | "archiveDir">,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const database = await startEmbeddedDatabase(place);
  const client = new pg.Client({ connectionString: database.url });
  try {
    await client.connect();
    await work(client);
  } finally {
    await client.end().catch(() => {});
    await database.stop();
  }
}
