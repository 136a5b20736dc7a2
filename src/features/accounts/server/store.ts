import { type Insertable, sql, type Updateable } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import type { Tables } from "#shared/database/tables.ts";
import { type SessionUser, userColumns } from "#shared/sessions/session-user.ts";

/** A person and the hash of their password. */
export type KeptUser = { readonly user: SessionUser; readonly passwordHash: string };

const selectUser = (connection: Connection) =>
  connection.selectFrom("users").select(userColumns).select("password_hash as passwordHash");

function toKept(row: (SessionUser & { passwordHash: string }) | undefined): KeptUser | undefined {
  if (row === undefined) return undefined;
  const { passwordHash, ...user } = row;
  return { user, passwordHash };
}

/** By address, in upper or lower case. */
export async function findUserByEmail(connection: Connection, email: string): Promise<KeptUser | undefined> {
  const query = selectUser(connection).where(sql<boolean>`lower(email) = lower(${email})`);
  return toKept(await query.executeTakeFirst());
}

/** The id of whoever has the address, 0 for nobody: one row either way, so that finding somebody takes no longer. */
export async function findIdByEmail(connection: Connection, email: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select coalesce((select id from users where lower(email) = lower(${email})), 0) as id`.execute(connection);
  return rows[0]!.id;
}

export async function findUserById(connection: Connection, id: number): Promise<KeptUser | undefined> {
  return toKept(await selectUser(connection).where("id", "=", id).executeTakeFirst());
}

/** The new user's id; undefined when the address is taken. Waits for whoever is about to take it. */
export async function insertUser(
  transaction: Connection,
  row: Insertable<Tables["users"]>,
): Promise<number | undefined> {
  const inserted = await transaction
    .insertInto("users")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted?.id;
}

export async function changeUser(connection: Connection, id: number, row: Updateable<Tables["users"]>): Promise<void> {
  await connection.updateTable("users").set(row).where("id", "=", id).execute();
}

/**
 * Sets another password in place of the one that was looked at. False when that one has been replaced meanwhile, or the
 * account is gone.
 */
export async function replacePassword(
  transaction: Connection,
  { user, passwordHash }: KeptUser,
  newHash: string,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable("users")
    .set({ password_hash: newHash })
    .where("id", "=", user.id)
    .where("password_hash", "=", passwordHash)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Whether the password that was looked at still is the account's; holds back whoever would change it until the end. */
export async function isStillPassword(transaction: Connection, { user, passwordHash }: KeptUser): Promise<boolean> {
  const row = await transaction
    .selectFrom("users")
    .select("id")
    .where("id", "=", user.id)
    .where("password_hash", "=", passwordHash)
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
}
