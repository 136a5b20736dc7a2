import type { Connection } from "#shared/database/connect.ts";
import { isGuarded } from "./breaker-level.ts";

/** Until when cards are guarded against card testing; null if they are not. */
export async function findCardGuard(connection: Connection, now: Date): Promise<Date | null> {
  const guard = await connection
    .selectFrom("decline_breaker")
    .select(["guarded_from as from", "guarded_until as until"])
    .executeTakeFirstOrThrow();
  return isGuarded(guard, now) ? guard.until : null;
}

/**
 * Ends the guard now: within two seconds every process takes cards as usual, and counts only declines from now on.
 * False if cards were not guarded.
 */
export async function endCardGuard(transaction: Connection, now: Date): Promise<boolean> {
  const row = transaction.selectFrom("decline_breaker").select(["guarded_from as from", "guarded_until as until"]);
  const guard = await row.forUpdate().executeTakeFirstOrThrow();
  if (!isGuarded(guard, now)) return false;
  await transaction.updateTable("decline_breaker").set({ guarded_until: now }).execute();
  return true;
}
