import type { Connection } from "#shared/database/connect.ts";

/**
 * Gives the gifts that were made as a guest with this address to the account of the person whose it is; returns how many.
 * Call it only once the person has shown that the address is theirs. A gift made anonymously stays without a name.
 */
export async function joinGuestGifts(
  connection: Connection,
  { userId, email }: { userId: number; email: string },
): Promise<number> {
  const { numUpdatedRows } = await connection
    .updateTable("donations")
    .set({ user_id: userId })
    .where("user_id", "is", null)
    .where("is_anonymous", "=", false)
    .where(({ fn, ref }) => fn("lower", [ref("email")]), "=", email.toLowerCase())
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
