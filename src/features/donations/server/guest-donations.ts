import { sql } from "kysely";
import type { Connection } from "#shared/database/connect.ts";

/** Donations made as a guest with this address, without anonymous ones, and those that staff took out of an account. */
export const isGuests = (email: string) => sql<boolean>`
  user_id is null and not is_anonymous and not stays_out_of_account and email <> '' and lower(email) = lower(${email})`;

/** Adds them to the account; returns their ids. Call it only once the account has confirmed its address. */
export async function joinGuestDonations(
  connection: Connection,
  { userId, email }: { userId: number; email: string },
): Promise<string[]> {
  const update = connection.updateTable("donations").set({ user_id: userId }).where(isGuests(email)).returning("id");
  return (await update.execute()).map(({ id }) => id);
}

/** How many they are, and the id of the latest. */
export async function countGuestDonations(
  connection: Connection,
  email: string,
): Promise<{ readonly count: number; readonly latest: string | null }> {
  const { rows } = await sql<{ id: string; count: number }>`
    select id, count(*) over ()::integer as count from donations where ${isGuests(email)}
     order by created_at desc, id desc limit 1`.execute(connection);
  return { count: rows[0]?.count ?? 0, latest: rows[0]?.id ?? null };
}
