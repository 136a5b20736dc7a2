import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { makeTicketEvent } from "#database/ticket-factories.ts";
import { signTicket } from "#features/tickets/server/order-facts.ts";
import { createDatabase, createPool } from "#shared/database/connect.ts";
import { databaseOf } from "./journey.ts";

export type DoorEvent = Awaited<ReturnType<typeof planDoorEvent>>;

/** An event tomorrow with this many tickets, in orders of two. Their holders are 'Guest 1', 'Guest 2' and so on. */
export async function planDoorEvent(title: string, tickets: number) {
  const database = createDatabase(createPool(databaseOf("usual"), () => undefined));
  const startsAt = new Date(Date.now() + 86_400_000);
  const free = { code: "standard", title: "Standard Seat", price_cents: 0, capacity: tickets, limit_per_order: 10 };
  const { eventId, types } = await makeTicketEvent(database, {
    event: {
      title,
      starts_at: startsAt,
      ends_at: new Date(startsAt.getTime() + 3 * 3_600_000),
      time_zone: "Australia/Sydney",
    },
    types: [free],
  });
  const typeId = types.standard!;
  await database.transaction().execute(async (transaction) => {
    await sql`
      insert into ticket_orders (id, reference, event_id, request_hash, state, hold_until, total_cents, email, first_name,
          last_name, country, created_at, paid_at, paid_by)
      select gen_random_uuid(), ${`${randomBytes(3).toString("hex").toUpperCase()}-`} || n, ${eventId}, '', 'paid', now(), 0,
          'guest' || n || '@example.com', 'Guest', n::text, 'AU', now(), now(), 'free'
        from generate_series(1, ${tickets / 2}::integer) n`.execute(transaction);
    await sql`
      insert into ticket_order_lines (order_id, type_id, quantity, title, price_cents)
      select id, ${typeId}, 2, 'Standard Seat', 0 from ticket_orders where event_id = ${eventId}`.execute(transaction);
    await sql`select issue_tickets(id) from ticket_orders where event_id = ${eventId}`.execute(transaction);
    await sql`update ticket_types set sold = ${tickets} where id = ${typeId}`.execute(transaction);
  });
  const { rows: serials } = await sql<{ id: string; serial: string }>`
    with numbered as (
      select tickets.id, row_number() over (order by order_id, position) as n
        from tickets join ticket_orders on ticket_orders.id = order_id where event_id = ${eventId}
    ), named as (
      update tickets set holder_name = 'Guest ' || n from numbered where tickets.id = numbered.id
      returning tickets.id, encode(serial, 'hex') as serial, n
    )
    select id, serial from named order by n`.execute(database);
  return {
    /** The text of each ticket's QR code: that of Guest 1 first. */
    codes: serials.map(({ serial }) =>
      signTicket(process.env.JOURNEY_SECRET!, { eventId, typeId, serial: Buffer.from(serial, "hex") }),
    ),
    /** The id of its screen, which the back office makes when it first lists events. */
    async findScreen(): Promise<number> {
      const { rows } = await sql<{ id: number }>`
        select id from content_items where kind = 'events' and live_key = ${String(eventId)}`.execute(database);
      return rows[0]!.id;
    },
    async countScans(): Promise<number> {
      const { rows } = await sql<{ count: number }>`
        select count(*) from door_scans where event_id = ${eventId}`.execute(database);
      return rows[0]!.count;
    },
    async cancel(code: number) {
      await sql`update tickets set cancelled_at = now() where id = ${serials[code]!.id}`.execute(database);
    },
    close: () => database.destroy(),
  };
}
