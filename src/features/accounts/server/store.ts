import { type Insertable, sql, type Updateable } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import type { Tables } from "#shared/database/tables.ts";
import { type SessionUser, userColumns } from "#shared/sessions/session-user.ts";

export type KeptUser = { readonly user: SessionUser; readonly passwordHash: string };

const selectUser = (connection: Connection) =>
  connection.selectFrom("users").select(userColumns).select("password_hash as passwordHash");

function toKept(row: (SessionUser & { passwordHash: string }) | undefined): KeptUser | undefined {
  if (row === undefined) return undefined;
  const { passwordHash, ...user } = row;
  return { user, passwordHash };
}

/** Ignores case. */
export async function findUserByEmail(connection: Connection, email: string): Promise<KeptUser | undefined> {
  const query = selectUser(connection).where(sql<boolean>`lower(email) = lower(${email})`);
  return toKept(await query.executeTakeFirst());
}

/** The id of the user with this email, or 0: one row either way, so that both take as long. */
export async function findIdByEmail(connection: Connection, email: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select coalesce((select id from users where lower(email) = lower(${email})), 0) as id`.execute(connection);
  return rows[0]!.id;
}

export async function findUserById(connection: Connection, id: number): Promise<KeptUser | undefined> {
  return toKept(await selectUser(connection).where("id", "=", id).executeTakeFirst());
}

/** The new user's id; undefined if the email is taken. Waits for a concurrent registration of it. */
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

/** Writes these columns; an unknown id changes nothing. */
export async function changeUser(connection: Connection, id: number, row: Updateable<Tables["users"]>): Promise<void> {
  await connection.updateTable("users").set(row).where("id", "=", id).execute();
}

/** Replaces the password that was checked. False if it has been changed since, or the account is gone. */
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

/** Whether the checked password is still the account's. Blocks changes to it until the transaction ends. */
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
