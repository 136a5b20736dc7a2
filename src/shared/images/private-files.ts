import { randomUUID } from "node:crypto";
import type { Connection } from "#shared/database/connect.ts";
import { type Files, type StoredFile, storedFile } from "#shared/database/stored-file.ts";
import type { Tables } from "#shared/database/tables.ts";

/** A re-encoded picture, visible only to those who may see what it belongs to. */
export type PrivateFile = Pick<Tables["private_files"], "media_type" | "width" | "height"> & { readonly bytes: Buffer };
/** The same once its bytes are in the bucket, if new files go there. */
export type WrittenFile = Omit<PrivateFile, "bytes"> & Pick<StoredFile, "bytes"> & Partial<StoredFile>;

/** Writes files where new ones go, before the transaction that stores their rows. @throws AppError `files_away` */
export async function writePrivateFiles(files: Files, all: readonly PrivateFile[]): Promise<WrittenFile[]> {
  const stored = await files.write(all.map(({ bytes }) => bytes));
  return all.map((file, index) => ({ ...file, ...stored[index]! }));
}

/** Stores a file. Returns its id. */
export async function putPrivateFile(transaction: Connection, file: WrittenFile, now: Date): Promise<string> {
  const id = randomUUID();
  await transaction
    .insertInto("private_files")
    .values({ id, ...file, created_at: now })
    .execute();
  return id;
}

/** Call it outside of transactions: the bytes may be in a bucket. @throws AppError `files_away` */
export async function findPrivateFile(
  { database, files }: { readonly database: Connection; readonly files: Files },
  id: string,
): Promise<PrivateFile | undefined> {
  const row = await database
    .selectFrom("private_files")
    .select(["media_type", "width", "height", ...storedFile])
    .where("id", "=", id)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { media_type, width, height } = row;
  return { media_type, width, height, bytes: await files.read(row) };
}

/** Deletes files permanently; remove all references first. */
export async function deletePrivateFiles(transaction: Connection, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await transaction
    .deleteFrom("private_files")
    .where("id", "in", [...ids])
    .execute();
}
