import { type RawBuilder, sql } from "kysely";
import type { Connection, Database } from "#shared/database/connect.ts";
import type { StoredFile } from "#shared/database/stored-file.ts";
import type { SiteFiles } from "./create-files.ts";

type Mover = {
  readonly database: Database;
  readonly files: SiteFiles;
  /** Called after each file with how many have been moved. */
  readonly onMoved?: (count: number) => void;
};

/** The tables with files, and what names a row. */
const tables = [
  { name: "image_originals", key: ["hash"] },
  { name: "image_variants", key: ["hash", "width", "format"] },
  { name: "private_files", key: ["id"] },
] as const;
type Table = (typeof tables)[number];
type Row = StoredFile & Readonly<Record<string, unknown>>;

const inDatabase = sql<boolean>`object_key is null`;
const inBucket = sql<boolean>`object_key is not null`;

/**
 * Moves every file of the database into the bucket, one after the other, while the site runs. A row changes once its
 * object has been read back and is the same to the byte. What was moved stays so if this ends early. Returns how many.
 * @throws Error if new files do not go to the bucket. @throws AppError `files_away`.
 */
export async function moveToBucket({ database, files, onMoved }: Mover): Promise<number> {
  if (files.bucket === null || !files.isForNew) {
    throw new Error("Set the five S3_ settings, and S3_NEW_FILES=on: otherwise new files still go to the database.");
  }
  return moveAll(database, inDatabase, onMoved, async (row) => {
    const [stored] = await files.write([row.bytes!]);
    if (!(await files.read(stored!)).equals(row.bytes!)) throw new Error("The bucket gave back other bytes.");
    return { set: stored!, unless: inBucket };
  });
}

/**
 * The same back into the database. The objects are deleted a minute later.
 * @throws Error if new files still go to the bucket. @throws AppError `files_away`.
 */
export async function moveToDatabase({ database, files, onMoved }: Mover): Promise<number> {
  if (files.bucket === null) throw new Error("Set the five S3_ settings: the files are read from there.");
  if (files.isForNew) {
    throw new Error("Set S3_NEW_FILES=off and restart the site first: otherwise new files still go to the bucket.");
  }
  return moveAll(database, inBucket, onMoved, async (row) => ({
    set: { bytes: await files.read(row), object_key: null, object_sha256: null, object_bytes: null },
    unless: sql<boolean>`object_key is distinct from ${row.object_key}::uuid`,
  }));
}

type Moved = { readonly set: StoredFile /** Somebody else has moved it. */; readonly unless: RawBuilder<boolean> };

async function moveAll(
  database: Database,
  isWanted: RawBuilder<boolean>,
  onMoved: Mover["onMoved"],
  move: (row: Row) => Promise<Moved>,
): Promise<number> {
  let count = 0;
  for (const table of tables) {
    for (let row = await findNext(database, table, isWanted, null); row !== undefined; ) {
      const { set, unless } = await move(row);
      await sql`
        update ${sql.table(table.name)}
           set bytes = ${set.bytes}, object_key = ${set.object_key}, object_sha256 = ${set.object_sha256},
               object_bytes = ${set.object_bytes}
         where (${columnsOf(table)}) = (${valuesOf(table, row)}) and not (${unless})`.execute(database);
      count += 1;
      onMoved?.(count);
      row = await findNext(database, table, isWanted, row);
    }
  }
  return count;
}

const columnsOf = ({ key }: Table) => sql.join(key.map((name) => sql.ref(name)));
const valuesOf = ({ key }: Table, row: Row) => sql.join(key.map((name) => row[name]));

async function findNext(
  connection: Connection,
  table: Table,
  isWanted: RawBuilder<boolean>,
  after: Row | null,
): Promise<Row | undefined> {
  const columns = columnsOf(table);
  const isNext = after === null ? sql`true` : sql`(${columns}) > (${valuesOf(table, after)})`;
  const { rows } = await sql<Row>`
    select ${columns}, bytes, object_key, object_sha256, object_bytes from ${sql.table(table.name)}
     where ${isWanted} and ${isNext} order by ${columns} limit 1`.execute(connection);
  return rows[0];
}
