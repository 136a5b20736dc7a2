import { sql } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import { isWithinSales } from "../sale.ts";

type LowEvent = {
  readonly title: string;
  readonly screenId: number;
  readonly left: number;
  readonly seats: number;
};

/** Coming events of whose seats on sale a tenth or less is left, but at least one; soonest first. */
export async function listLowEvents(connection: Connection, now: Date): Promise<LowEvent[]> {
  const { rows } = await sql<LowEvent>`
    select event.title, item.id as "screenId", seats.free as left, seats.all as seats
      from events event join content_items item on item.kind = 'events' and item.live_key = event.id::text
      cross join lateral (
        select sum(capacity - sold - held)::integer as free, sum(capacity)::integer as all from ticket_types
         where event_id = event.id and retired_at is null and visibility = 'public'
           and ${isWithinSales(now)}) seats
     where event.starts_at > ${now} and event.called_off_at is null and seats.free > 0 and seats.free * 10 <= seats.all
     order by event.starts_at, event.id limit 5`.execute(connection);
  return rows;
}
