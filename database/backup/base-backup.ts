import { existsSync } from "node:fs";
import { type FileHandle, open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";

/** One file or folder of a backup; `name` is relative to the data folder. Exactly `size` bytes belong to a file. */
type BackupEntry =
  | { readonly kind: "folder"; readonly name: string }
  | { readonly kind: "file"; readonly name: string; readonly size: number; read(): AsyncIterable<Buffer> };

/** Where the copy is consistent, and the file that tells PostgreSQL where to begin. */
type Stopped = { readonly stopWal: string; readonly label: string; readonly tablespaces: string };

/** Temporary, so that it ends with the connection, and reserved immediately, so that no WAL goes before it is copied. */
const slot = "almoner_backup";
const pieceBytes = 1_048_576;

/** Folders whose content belongs to the running server alone. */
const emptyFolders = new Set([
  "pg_wal",
  "pg_replslot",
  "pg_dynshmem",
  "pg_notify",
  "pg_serial",
  "pg_snapshots",
  "pg_stat_tmp",
  "pg_subtrans",
]);
const skippedFiles = /^(postmaster\.(pid|opts)|pgsql_tmp.*|pg_internal\.init.*|current_logfiles.*|backup_label.*)$/;

/**
 * Copies a running cluster, in the order that PostgreSQL's manual gives for a base backup through its SQL functions:
 * the files, `pg_control` last, then the label and every segment of WAL from the start to the end of the copy. A file may
 * change while it is read; PostgreSQL mends that from the WAL when the copy starts.
 * @param administrator stays connected until the end; a superuser
 * @param name of the backup: if the WAL is archived, a file there says from which segment on this backup needs it
 * @param onStopped called once the data is copied, and before the label
 * @throws Error with a sentence if another backup is under way, or a segment of WAL is missing
 */
export async function* copyCluster(
  administrator: pg.Client,
  data: string,
  name: string,
  onStopped: () => Promise<unknown>,
): AsyncGenerator<BackupEntry> {
  const startWal = await startBackup(administrator, name);
  yield* listFolder(data, "", (name) => name !== "global/pg_control");
  yield* readFileEntry(data, "global/pg_control");
  const { stopWal, label, tablespaces } = await stopBackup(administrator);
  if (tablespaces.trim() !== "") {
    throw new Error("The database has tablespaces outside its folder, which this backup does not copy.");
  }
  await onStopped();
  yield fromText("backup_label", label);
  for (const segment of listSegments(startWal, stopWal)) {
    const path = join("pg_wal", segment);
    if (!existsSync(join(data, path))) throw new Error(`The database has removed ${path}, which the backup needs.`);
    yield* readFileEntry(data, path);
  }
  await administrator.query("select pg_drop_replication_slot($1)", [slot]);
}

/** The segment of WAL in which the backup begins. */
async function startBackup(administrator: pg.Client, name: string): Promise<string> {
  try {
    await administrator.query("select pg_create_physical_replication_slot($1, true, true)", [slot]);
  } catch (error) {
    if ((error as { code?: string }).code !== "42710") throw error;
    throw new Error("Another backup of this database is under way. Try again when it has ended.", { cause: error });
  }
  const { rows } = await administrator.query<{ segment: string }>(
    "select pg_walfile_name(pg_backup_start($1, fast => true)) as segment",
    [name],
  );
  return rows[0]!.segment;
}

async function stopBackup(administrator: pg.Client): Promise<Stopped> {
  const { rows } = await administrator.query<{ segment: string; labelfile: string; spcmapfile: string }>(
    // Ending a backup switches to the next segment, so the last byte written may be the end of the one before.
    "select pg_walfile_name(lsn) as segment, labelfile, spcmapfile from pg_backup_stop(wait_for_archive => false)",
  );
  return { stopWal: rows[0]!.segment, label: rows[0]!.labelfile, tablespaces: rows[0]!.spcmapfile ?? "" };
}

async function* listFolder(
  data: string,
  below: string,
  isWanted: (name: string) => boolean,
): AsyncGenerator<BackupEntry> {
  const found = await readdir(join(data, below), { withFileTypes: true });
  for (const entry of found.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const name = below === "" ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) {
      if (skippedFiles.test(entry.name)) continue;
      yield { kind: "folder", name };
      if (emptyFolders.has(name)) {
        if (name === "pg_wal") yield { kind: "folder", name: "pg_wal/archive_status" };
        continue;
      }
      yield* listFolder(data, name, isWanted);
    } else if (entry.isFile() && !skippedFiles.test(entry.name) && isWanted(name)) {
      yield* readFileEntry(data, name);
    }
  }
}

/** Yields nothing for a file that has vanished: PostgreSQL has dropped what it belonged to. */
async function* readFileEntry(data: string, name: string): AsyncGenerator<BackupEntry> {
  const path = join(data, name);
  const found = await stat(path).catch(orGone);
  if (found === null) return;
  const file = await open(path, "r").catch(orGone);
  if (file === null) return;
  try {
    yield { kind: "file", name, size: found.size, read: () => readExactly(file, found.size) };
  } finally {
    await file.close();
  }
}

function orGone(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}

/** A file that has shrunk meanwhile is filled with zeros, and one that has grown is cut: the WAL mends both. */
async function* readExactly(file: FileHandle, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < size; ) {
    const piece = Buffer.alloc(Math.min(pieceBytes, size - at));
    const { bytesRead } = await file.read(piece, 0, piece.length, at);
    if (bytesRead === 0) {
      yield piece;
      at += piece.length;
      continue;
    }
    yield piece.subarray(0, bytesRead);
    at += bytesRead;
  }
}

function fromText(name: string, text: string): BackupEntry {
  const bytes = Buffer.from(text, "utf8");
  return {
    kind: "file",
    name,
    size: bytes.length,
    async *read() {
      yield bytes;
    },
  };
}

/** With segments of 16 MB, the name is the timeline, then the upper and the lower part of a number, in hexadecimal. */
const segmentsPerFile = 256n;

/** The names of the segments of WAL from `first` to `last`, both included. @throws Error if the timelines differ */
export function listSegments(first: string, last: string): string[] {
  const timeline = first.slice(0, 8);
  if (last.slice(0, 8) !== timeline) throw new Error("The database was restored to another point during the backup.");
  const numberOf = (name: string) =>
    BigInt(`0x${name.slice(8, 16)}`) * segmentsPerFile + BigInt(`0x${name.slice(16, 24)}`);
  const hex = (value: bigint) => value.toString(16).toUpperCase().padStart(8, "0");
  const names: string[] = [];
  for (let at = numberOf(first); at <= numberOf(last); at++) {
    names.push(`${timeline}${hex(at / segmentsPerFile)}${hex(at % segmentsPerFile)}`);
  }
  return names;
}
