import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { clockIn } from "#shared/language.ts";
import { type EmbeddedDatabase, startEmbeddedDatabase } from "../embedded.ts";
import type { Manifest } from "./manifest.ts";
import { findGap } from "./wal-archive.ts";

/** To which moment a backup is brought forward from the archive of the WAL. */
export type Recovery = { readonly archiveDir: string; readonly until: Date | "end" };

const script = join(import.meta.dirname, "restore-segment.ts");
/** PostgreSQL gives up by itself if it cannot go on. */
const startMs = 86_400_000;

const show = (at: Date) => clockIn("Australia/Sydney", at);

/**
 * Reads what follows --until: 'end' for all that the archive has, a time in Sydney, or one with its offset.
 * @throws Error with a sentence
 */
export function readUntil(text: string): Recovery["until"] {
  if (text === "end") return text;
  const match = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d(?:\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)?$/.exec(text);
  const [, day, minute, second = ":00", offset] = match ?? [];
  const read = (zone: string) => new Date(`${day}T${minute}${second}${zone}`);
  const isReal = !Number.isNaN(read("Z").getTime()) && read("Z").toISOString().startsWith(`${day}`);
  if (!isReal) {
    throw new Error(
      `${text} is not a time. Write it as in 2026-11-27 14:05 (in Sydney), 2026-11-27T03:05:00Z, or end.`,
    );
  }
  if (offset !== undefined) return read(offset);
  const fitting = ["+11:00", "+10:00"].map(read).filter((at) => show(at).startsWith(`${day}T${minute}`));
  const [at] = fitting;
  if (fitting.length === 1) return at!;
  throw new Error(
    fitting.length === 0
      ? `Sydney's clocks skipped ${text}. Name another time.`
      : `${text} happened twice in Sydney. Add +11:00 for the first time, or +10:00 for the second.`,
  );
}

/** Where the archive of this backup is. @throws Error with a sentence if the backup cannot be brought to that moment */
export function requireArchive(file: string, { archive, endedAt }: Manifest, { archiveDir, until }: Recovery): string {
  if (!archive || endedAt === undefined) {
    throw new Error(`${file} was taken without ARCHIVE_DIR, so it can only be restored as it is, without --until.`);
  }
  if (until !== "end" && until < new Date(endedAt)) {
    throw new Error(`${file} ended at ${show(new Date(endedAt))}. Name a later time, or an earlier backup.`);
  }
  const folder = join(archiveDir, archive);
  if (!existsSync(folder))
    throw new Error(`There is no ${folder}, the archive of ${file}. Set ARCHIVE_DIR to its parent.`);
  return folder;
}

/**
 * Starts an unpacked backup and lets PostgreSQL replay the archive up to a moment.
 * @returns the database, and when its last transaction was committed
 * @throws Error with a sentence if the archive does not reach that moment
 */
export async function startRecovered(
  dataDir: string,
  manifest: Manifest,
  archive: string,
  until: Recovery["until"],
): Promise<{ database: EmbeddedDatabase; reachedAt: Date }> {
  await writeFile(join(dataDir, "postgres", "data", "recovery.signal"), "");
  const words = [process.execPath, script, archive].map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
  const settings = {
    restore_command: `${words.join(" ").replaceAll("%", "%%")} %f "%p"`,
    recovery_target_action: "promote",
    // Nobody connects before the end, or it would be read while it can still change.
    hot_standby: "off",
    // Of the times in the log.
    timezone: "UTC",
    ...(until === "end" ? {} : { recovery_target_time: until.toISOString().replace("Z", "+00") }),
  };
  const readLog = () => readFile(join(dataDir, "postgres", "postgres.log"), "utf8").catch(() => "");
  const gap = await findGap(archive, lastSegmentOf(manifest));
  const database = await startEmbeddedDatabase({ dataDir, settings, startMs }).catch(async (error: Error) => {
    const log = await readLog();
    const damaged = /^(\S+) in the archive is damaged/m.exec(log)?.[1];
    if (damaged !== undefined) {
      throw new Error(
        `${damaged} in ${archive} is damaged. Name a time before it was written, or a later backup. Nothing was changed.`,
        { cause: error },
      );
    }
    if (!log.includes("recovery ended before configured recovery target was reached")) throw error;
    throw new Error(describeEnd(archive, gap, readLast(log)), { cause: error });
  });
  const last = readLast(await readLog());
  if (until === "end" && gap !== null) {
    await database.stop();
    throw new Error(describeEnd(archive, gap, last));
  }
  return { database, reachedAt: last ?? new Date(manifest.createdAt) };
}

function lastSegmentOf({ files }: Manifest): string {
  const names = files.flatMap(({ name }) => /^postgres\/data\/pg_wal\/([0-9A-F]{24})$/.exec(name)?.[1] ?? []);
  return names.sort().at(-1)!;
}

/** The time of the last transaction that PostgreSQL replayed, as its log says; null if it was none. */
function readLast(log: string): Date | null {
  const found = /last completed transaction was at log time (\S+) (\S+?)\+00/.exec(log);
  return found === null ? null : new Date(`${found[1]}T${found[2]}Z`);
}

function describeEnd(archive: string, gap: string | null, last: Date | null): string {
  const end = last === null ? "with the backup" : `with the transaction of ${show(last)}`;
  if (gap === null) {
    return `The archive in ${archive} ends ${end}. Name an earlier time, or --until end for all of it. Nothing was changed.`;
  }
  return `The segment ${gap} is missing in ${archive}: what is before it ends ${end}. Name an earlier time, or a later backup. Nothing was changed.`;
}
