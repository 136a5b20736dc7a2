import type { Insertable } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import type { Tables } from "#shared/database/tables.ts";

const columns = [
  "id",
  "staff_id as staffId",
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

export function listStaffPasskeys(connection: Connection, staffId: number) {
  const query = connection.selectFrom("staff_passkeys").select(columns).where("staff_id", "=", staffId);
  return query.orderBy("created_at").orderBy("id").execute();
}

export function findStaffPasskey(connection: Connection, credentialId: string) {
  const query = connection.selectFrom("staff_passkeys").select(columns);
  return query.where("credential_id", "=", credentialId).executeTakeFirst();
}

/** How many passkeys of people who work here belong to each other host, where they were made. */
export function countPasskeysElsewhere(connection: Connection, host: string) {
  return connection
    .selectFrom("staff_passkeys")
    .innerJoin("staff", "staff.id", "staff_id")
    .select(["host", ({ fn }) => fn.countAll<string>().as("count")])
    .where("host", "<>", host)
    .where("state", "=", "active")
    .groupBy("host")
    .orderBy("host")
    .execute();
}

/** Locks the row until the transaction ends, so that concurrent log-ins are checked one after the other. */
export function lockStaffPasskey(transaction: Connection, id: string) {
  const query = transaction.selectFrom("staff_passkeys").select(["counter", "blocked_at as blockedAt"]);
  return query.where("id", "=", id).forUpdate().executeTakeFirst();
}

/** Locks the person, so that changes of how they log in happen one after the other. */
export function lockStaff(transaction: Connection, staffId: number) {
  return transaction
    .selectFrom("staff")
    .select(["id", "email", "name", "state", "password_hash as passwordHash", "totp_secret as totpSecret"])
    .where("id", "=", staffId)
    .forUpdate()
    .executeTakeFirst();
}

/** False if the passkey is already registered. */
export async function insertStaffPasskey(
  transaction: Connection,
  row: Insertable<Tables["staff_passkeys"]>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto("staff_passkeys")
    .values(row)
    .onConflict((conflict) => conflict.column("credential_id").doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}
