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

/** Locks the row until the transaction ends, so that concurrent log-ins are checked one after the other. */
export function lockPasskey(transaction: Connection, id: string) {
  const query = transaction.selectFrom("passkeys").select(["counter", "blocked_at as blockedAt"]);
  return query.where("id", "=", id).forUpdate().executeTakeFirst();
}

/** False if the account has `max` passkeys already or is gone, or the passkey is already registered. */
export async function insertPasskey(
  transaction: Connection,
  row: Insertable<Tables["passkeys"]>,
  max: number,
): Promise<boolean> {
  // Locks the user, so that concurrent additions can't exceed `max`.
  await transaction.selectFrom("users").select("id").where("id", "=", row.user_id).forUpdate().execute();
  if ((await listPasskeysOf(transaction, row.user_id)).length >= max) return false;
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto("passkeys")
    .values(row)
    .onConflict((conflict) => conflict.column("credential_id").doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

type OwnPasskey = { readonly id: string; readonly userId: number };

/** False if the user has no such passkey. */
export async function changePasskeyName(
  connection: Connection,
  { id, userId }: OwnPasskey,
  name: string,
): Promise<boolean> {
  const query = connection.updateTable("passkeys").set({ name }).where("id", "=", id).where("user_id", "=", userId);
  return (await query.executeTakeFirstOrThrow()).numUpdatedRows === 1n;
}

/** The credential id of the removed passkey; undefined if the user has no such passkey. */
export async function deletePasskey(connection: Connection, { id, userId }: OwnPasskey): Promise<string | undefined> {
  const query = connection.deleteFrom("passkeys").where("id", "=", id).where("user_id", "=", userId);
  return (await query.returning("credential_id as credentialId").executeTakeFirst())?.credentialId;
}
