import { existsSync } from "node:fs";
import { open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { constants, zstdCompress } from "node:zlib";
import { DAY_MS } from "#shared/day-length.ts";
import { withFileLock } from "../embedded/file-lock.ts";
import { readPacked } from "./archived-file.ts";
import { listSegments } from "./base-backup.ts";
import { syncFolder } from "./take-backup.ts";

const segmentName = /^[0-9A-F]{24}$/;
const packedName = /^([0-9A-F]{24})\.zst$/;
const historyName = /^([0-9A-F]{24})\.[0-9A-F]{8}\.backup$/;
/** Another process that packs has very little to do. */
const patienceMs = 60_000;

/**
 * Packs what the database has copied to its archive, and deletes what no nightly backup needs that is still kept. Does
 * nothing before the database has been started with ARCHIVE_DIR.
 * @param place `backups` are the names of those that are kept
 * @throws Error with a sentence if a segment is there twice with different content
 */
export async function tidyWalArchive(place: {
  dataDir: string;
  archiveDir: string;
  backups: readonly string[];
}): Promise<void> {
  const nameFile = join(place.dataDir, "postgres", "archive-name");
  if (!existsSync(nameFile)) return;
  const folder = join(place.archiveDir, (await readFile(nameFile, "utf8")).trim());
  await withFileLock(join(place.dataDir, "postgres", "archive.lock"), patienceMs, async () => {
    const names = await readdir(folder);
    for (const name of names.filter((one) => segmentName.test(one))) await packSegment(folder, name);
    await deleteUnneeded(folder, new Set(place.backups));
  });
}

/** The packed segment has its name when it is complete and on the disk; only then the other one goes. */
async function packSegment(folder: string, name: string): Promise<void> {
  const source = join(folder, name);
  const target = `${source}.zst`;
  const bytes = await readFile(source);
  if (existsSync(target)) {
    // After a crash PostgreSQL copies a segment again.
    if (!(await readPacked(target)).equals(bytes)) {
      throw new Error(`${target} and ${source} differ: two databases write to this folder. Stop one of them.`);
    }
    return rm(source);
  }
  const { mtime, uid, gid } = await stat(source);
  const packed = await promisify(zstdCompress)(bytes, { params: { [constants.ZSTD_c_checksumFlag]: 1 } });
  const file = await open(`${target}.part`, "w", 0o600);
  try {
    await file.writeFile(packed);
    await file.chown(uid, gid);
    await file.utimes(mtime, mtime);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${target}.part`, target);
  await syncFolder(folder);
  await rm(source);
}

/**
 * For each backup PostgreSQL has put a file into the archive that names its first segment. Without any of a backup that is
 * still there nothing is deleted: the folder of the backups may just not be mounted.
 */
async function deleteUnneeded(folder: string, backups: ReadonlySet<string>): Promise<void> {
  const names = await readdir(folder);
  const firstNeeded: string[] = [];
  for (const name of names) {
    const first = historyName.exec(name)?.[1];
    if (first === undefined) continue;
    const label = /^LABEL: (.*)$/m.exec(await readFile(join(folder, name), "utf8"))?.[1];
    if (label !== undefined && backups.has(label)) firstNeeded.push(first);
  }
  const [oldest] = firstNeeded.sort();
  if (oldest === undefined) return;
  for (const name of names) {
    const segment = packedName.exec(name)?.[1] ?? historyName.exec(name)?.[1];
    if (segment !== undefined && segment < oldest) await rm(join(folder, name));
    else if (name.startsWith("archtemp.") && (await isOld(join(folder, name))))
      await rm(join(folder, name), { force: true });
  }
}

/** What PostgreSQL was copying when it was killed. */
async function isOld(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => null);
  return found !== null && Date.now() - found.mtimeMs > DAY_MS;
}

/** The first segment after `last` that the archive lacks although it has a later one; null if it has them all. */
export async function findGap(folder: string, last: string): Promise<string | null> {
  const names = new Set((await readdir(folder)).map((name) => packedName.exec(name)?.[1] ?? name));
  const timeline = last.slice(0, 8);
  const newest = [...names]
    .filter((name) => segmentName.test(name) && name.startsWith(timeline))
    .sort()
    .at(-1);
  if (newest === undefined || newest <= last) return null;
  return (
    listSegments(last, newest)
      .slice(1)
      .find((name) => !names.has(name)) ?? null
  );
}
