import type { Insertable } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import type { Tables } from "#shared/database/tables.ts";

const columns = [
  "id",
  "user_id as userId",
  "credential_id as credentialId",
  "public_key as publicKey",
  "user_handle as userHandle",
  "counter",
  "transports",
  "name",
  "created_at as createdAt",
  "last_used_at as lastUsedAt",
  "blocked_at as blockedAt",
] as const;

export function listPasskeysOf(connection: Connection, userId: number) {
  const query = connection.selectFrom("passkeys").select(columns).where("user_id", "=", userId);
  return query.orderBy("created_at").orderBy("id").execute();
}

export function findPasskey(connection: Connection, credentialId: string) {
  return connection.selectFrom("passkeys").select(columns).where("credential_id", "=", credentialId).executeTakeFirst();
}

/** Keeps it as it is until the end of the transaction, so that two log-ins are judged one after the other. */
export function lockPasskey(transaction: Connection, id: string) {
  const query = transaction.selectFrom("passkeys").select(["counter", "blocked_at as blockedAt"]);
  return query.where("id", "=", id).forUpdate().executeTakeFirst();
}

/** False when the account has so many already, is gone, or the passkey is somebody's already. */
export async function insertPasskey(
  transaction: Connection,
  row: Insertable<Tables["passkeys"]>,
  most: number,
): Promise<boolean> {
  // One after the other, so that the count is true.
  await transaction.selectFrom("users").select("id").where("id", "=", row.user_id).forUpdate().execute();
  if ((await listPasskeysOf(transaction, row.user_id)).length >= most) return false;
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto("passkeys")
    .values(row)
    .onConflict((conflict) => conflict.column("credential_id").doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export type OwnPasskey = { readonly id: string; readonly userId: number };

/** False when the person has no such passkey. */
export async function changePasskeyName(
  connection: Connection,
  { id, userId }: OwnPasskey,
  name: string,
): Promise<boolean> {
  const query = connection.updateTable("passkeys").set({ name }).where("id", "=", id).where("user_id", "=", userId);
  return (await query.executeTakeFirstOrThrow()).numUpdatedRows === 1n;
}

/** What the devices call the one that was removed; undefined when the person has no such passkey. */
export async function deletePasskey(connection: Connection, { id, userId }: OwnPasskey): Promise<string | undefined> {
  const query = connection.deleteFrom("passkeys").where("id", "=", id).where("user_id", "=", userId);
  return (await query.returning("credential_id as credentialId").executeTakeFirst())?.credentialId;
}
