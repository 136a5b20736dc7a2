import { sql } from "kysely";
import type { Database } from "#shared/database/connect.ts";
import { doEach } from "#shared/jobs/do-each.ts";
import { eraseBy } from "#shared/retention/retention.ts";
import { lapseHolds, listEventsWithLapsedHolds } from "../seats.ts";

/** Frees the seats of all expired holds, event by event. Safe to run in several processes. */
export async function freeLapsedHolds(database: Database, now: Date): Promise<void> {
  await doEach(await listEventsWithLapsedHolds(database, now), (eventId) =>
    database.transaction().execute((transaction) => lapseHolds(transaction, eventId, now)),
  );
}

/** Deletes lapsed holds that are a month old, unless somebody tried to pay for them. Returns how many. */
export const forgetOldHolds = eraseBy(
  ({ now, limit }) => sql`
    delete from ticket_orders where id in (
      select id from ticket_orders
       where state = 'lapsed' and created_at < ${now}::timestamptz - interval '30 days'
         and not exists (select from payment_attempts where ticket_order_id = ticket_orders.id)
       order by created_at limit ${limit} for update skip locked)`,
);
