import { sql } from "kysely";
import type { Database } from "#shared/database/connect.ts";
import { lapseHolds, listEventsWithLapsedHolds } from "./seats.ts";

const KEEP_MS = 30 * 86_400_000;

/** One tick: frees the seats of every hold whose time is over. Any number of processes may run it. */
export async function freeLapsedHolds(database: Database, now: Date): Promise<void> {
  for (const eventId of await listEventsWithLapsedHolds(database, now)) {
    await database.transaction().execute((transaction) => lapseHolds(transaction, eventId, now));
  }
}

/** Holds that came to nothing are forgotten after a month, unless somebody tried to pay for them. */
export async function forgetOldHolds(database: Database, now: Date): Promise<void> {
  await database
    .deleteFrom("ticket_orders")
    .where("state", "=", sql.lit("lapsed"))
    .where("created_at", "<", new Date(now.getTime() - KEEP_MS))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("payment_attempts")
            .select("payment_attempts.id")
            .whereRef("ticket_order_id", "=", "ticket_orders.id"),
        ),
      ),
    )
    .execute();
}
