import { sql } from "kysely";
import type { Connection } from "#shared/database/connect.ts";

/** What the screens of events ask about their tickets, without knowing more of them. */
export const eventTickets = {
  /** How many valid tickets are sold. */
  async countSold(connection: Connection, eventId: number): Promise<number> {
    const { rows } = await sql<{ sold: number }>`
      select coalesce(sum(sold), 0)::integer as sold from ticket_types where event_id = ${eventId}`.execute(connection);
    return rows[0]!.sold;
  },

  /**
   * Copies an event's ticket types to another; their sales move by `moveMs` on its clock. Sales of an hour or less that
   * clocks skip last as long as before. Returns how many.
   */
  async copyTypes(
    transaction: Connection,
    { from, to, moveMs, timeZone }: { from: number; to: number; moveMs: number; timeZone: string },
  ): Promise<number> {
    const later = (column: string) => sql`(${sql.ref(column)} at time zone ${timeZone}
      + ${moveMs}::double precision * interval '1 millisecond') at time zone ${timeZone}`;
    const [begin, end] = [later("sales_from"), later("sales_until")];
    const { rows } = await sql`
      insert into ticket_types (event_id, code, title, description, position, price_cents, capacity, limit_per_order,
        sales_from, sales_until, visibility)
      select ${to}, code, title, description, position, price_cents, capacity, limit_per_order,
        ${begin}, case when ${end} <= ${begin} then ${begin} + (sales_until - sales_from) else ${end} end, visibility
        from ticket_types where event_id = ${from} and retired_at is null order by position, id
      returning id`.execute(transaction);
    return rows.length;
  },
};
