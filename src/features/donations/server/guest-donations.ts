import type { Connection } from "#shared/database/connect.ts";

/**
 * Adds the donations made as a guest with this address to the account; returns how many. Anonymous ones are left out,
 * and those that staff took out of an account. Call it only once the account has confirmed its address.
 */
export async function joinGuestDonations(
  connection: Connection,
  { userId, email }: { userId: number; email: string },
): Promise<number> {
  const { numUpdatedRows } = await connection
    .updateTable("donations")
    .set({ user_id: userId })
    .where("user_id", "is", null)
    .where("is_anonymous", "=", false)
    .where("stays_out_of_account", "=", false)
    .where(({ fn, ref }) => fn("lower", [ref("email")]), "=", email.toLowerCase())
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
