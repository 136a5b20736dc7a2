import { randomUUID } from "node:crypto";
import type { Connection } from "#shared/database/connect.ts";
import type { Tables } from "#shared/database/tables.ts";

/** A re-encoded picture, visible only to those who may see what it belongs to. */
export type PrivateFile = Pick<Tables["private_files"], "media_type" | "width" | "height" | "bytes">;

/** Stores a file. Returns its id. */
export async function putPrivateFile(transaction: Connection, file: PrivateFile, now: Date): Promise<string> {
  const id = randomUUID();
  await transaction
    .insertInto("private_files")
    .values({ id, ...file, created_at: now })
    .execute();
  return id;
}

export async function findPrivateFile(connection: Connection, id: string): Promise<PrivateFile | undefined> {
  return connection
    .selectFrom("private_files")
    .select(["media_type", "width", "height", "bytes"])
    .where("id", "=", id)
    .executeTakeFirst();
}

/** Deletes files permanently; remove all references first. */
export async function deletePrivateFiles(transaction: Connection, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await transaction
    .deleteFrom("private_files")
    .where("id", "in", [...ids])
    .execute();
}
