import { type Selectable, sql } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import type { TicketTables } from "#shared/database/ticket-tables.ts";

export type TicketTypeRow = Selectable<TicketTables["ticket_types"]>;

// Whoever changes the counters of an event's ticket types holds the rows of all of them, locked in the order of their ids;
// a payment that matters too is locked before them, orders after them. That is the one order of locking for seats. Everybody
// who wants a seat of the event waits for it, so what can be done before is done before.

/** Locks the ticket types of an event, in the order of their ids, until the transaction ends. */
export function lockTypes(transaction: Connection, eventId: number): Promise<TicketTypeRow[]> {
  return (
    transaction
      .selectFrom("ticket_types")
      .selectAll()
      .where("event_id", "=", eventId)
      .orderBy("id")
      // Not for update: that would wait for whoever writes a line or a ticket of the type.
      .forNoKeyUpdate()
      .execute()
  );
}

/** Frees the seats of every hold of an event whose time is over. The types must be locked; returns them as they then are. */
export async function lapseHolds(
  transaction: Connection,
  { eventId, types, now }: { eventId: number; types: readonly TicketTypeRow[]; now: Date },
): Promise<TicketTypeRow[]> {
  const { rows } = await sql<{ id: number; held: number }>`
    with lapsed as (
      update ticket_orders set state = 'lapsed'
       where event_id = ${eventId} and state = 'held' and hold_until <= ${now}
      returning id
    ), freed as (
      select type_id, sum(quantity)::integer as quantity
        from ticket_order_lines where order_id in (select id from lapsed) group by type_id
    )
    update ticket_types set held = held - freed.quantity from freed where ticket_types.id = freed.type_id
    returning ticket_types.id, ticket_types.held`.execute(transaction);
  const held = new Map(rows.map((row) => [row.id, row.held]));
  return types.map((type) => ({ ...type, held: held.get(type.id) ?? type.held }));
}

/** How many seats of a type go which way; negative is fewer. */
export type SeatChange = { readonly typeId: number; readonly held: number; readonly sold: number };

/** Books changes of the counters in one statement. The types must be locked. */
export async function moveSeats(transaction: Connection, changes: readonly SeatChange[]): Promise<void> {
  const list = (pick: (change: SeatChange) => number) => changes.map(pick);
  await sql`
    update ticket_types set held = ticket_types.held + change.held, sold = ticket_types.sold + change.sold
      from unnest(${list(({ typeId }) => typeId)}::bigint[], ${list(({ held }) => held)}::integer[],
                  ${list(({ sold }) => sold)}::integer[]) as change (id, held, sold)
     where ticket_types.id = change.id`.execute(transaction);
}

export function readTypes(connection: Connection, eventId: number): Promise<TicketTypeRow[]> {
  return connection.selectFrom("ticket_types").selectAll().where("event_id", "=", eventId).orderBy("id").execute();
}

export const leftOf = ({ capacity, sold, held }: Pick<TicketTypeRow, "capacity" | "sold" | "held">) =>
  Math.max(0, capacity - sold - held);

/** Every event that has a hold whose time is over. */
export async function listEventsWithLapsedHolds(connection: Connection, now: Date): Promise<number[]> {
  const rows = await connection
    .selectFrom("ticket_orders")
    .select("event_id")
    .distinct()
    .where("state", "=", sql.lit("held"))
    .where("hold_until", "<=", now)
    .execute();
  return rows.map(({ event_id }) => event_id);
}
