import type { Connection } from "#shared/database/connect.ts";
import { type Guard, isGuarded } from "./breaker-level.ts";

/** The stored guard; `isLocked` keeps others from changing it until the transaction ends. */
export function readGuard(connection: Connection, isLocked = false): Promise<Guard> {
  const row = connection.selectFrom("decline_breaker").select(["guarded_from as from", "guarded_until as until"]);
  return (isLocked ? row.forUpdate() : row).executeTakeFirstOrThrow();
}

/** Until when cards are guarded against card testing; null if they are not. */
export async function findCardGuard(connection: Connection, now: Date): Promise<Date | null> {
  const guard = await readGuard(connection);
  return isGuarded(guard, now) ? guard.until : null;
}

/**
 * Ends the guard now: within two seconds every process takes cards as usual, and counts only declines from now on.
 * False if cards were not guarded.
 */
export async function endCardGuard(transaction: Connection, now: Date): Promise<boolean> {
  if (!isGuarded(await readGuard(transaction, true), now)) return false;
  await transaction.updateTable("decline_breaker").set({ guarded_until: now }).execute();
  return true;
}
