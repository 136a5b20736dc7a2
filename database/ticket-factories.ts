import { randomBytes } from "node:crypto";
import type { Insertable } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import type { Tables } from "#shared/database/tables.ts";
import { DAY_MS } from "#shared/day-length.ts";

type TicketType = Partial<Insertable<Tables["ticket_types"]>>;

/** The ticket types of the demo's charity dinner (TIC-2), and the default of other events. */
export const dinnerTickets = [
  {
    code: "vip",
    title: "VIP Seat",
    description: "A video table for six with one of the speakers, and a box of spices by post.",
    position: 1,
    price_cents: 10_000,
    capacity: 20,
    limit_per_order: 10,
  },
  {
    code: "standard",
    title: "Standard Seat",
    description: "A place at a video table for ten, with a host, the menu and the recording.",
    position: 2,
    price_cents: 5_000,
    capacity: 120,
    limit_per_order: 10,
  },
] as const satisfies readonly TicketType[];

/** Writes a ticket type for an event: 120 Standard Seats at $50, with any `changes`. Returns its id. */
export async function makeTicketType(
  connection: Connection,
  eventId: number,
  changes: TicketType = {},
): Promise<number> {
  const { id } = await connection
    .insertInto("ticket_types")
    .values({ ...dinnerTickets[1], event_id: eventId, ...changes })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/**
 * Writes an event in thirty days with VIP and Standard Seats, with any `changes`. Returns its id and name, and the ids of
 * its types by code.
 */
export async function makeTicketEvent(
  connection: Connection,
  changes: { event?: Partial<Insertable<Tables["events"]>>; types?: readonly TicketType[] } = {},
) {
  const startsAt = Date.now() + 30 * DAY_MS;
  const { id, slug } = await connection
    .insertInto("events")
    .values({
      slug: `dinner-${randomBytes(4).toString("hex")}`,
      title: "Charity dinner",
      summary: "An evening of food, music and stories.",
      html: "<p>We cook the first course together.</p>",
      image: "/identity/illustrations/event-night.svg",
      place: "",
      is_online: true,
      starts_at: new Date(startsAt),
      ends_at: new Date(startsAt + 3 * 3_600_000),
      time_zone: "Asia/Karachi",
      is_all_day: false,
      created_by: "admin",
      ...changes.event,
    })
    .returning(["id", "slug"])
    .executeTakeFirstOrThrow();
  const types: Record<string, number> = {};
  for (const type of changes.types ?? dinnerTickets) {
    types[type.code ?? dinnerTickets[1].code] = await makeTicketType(connection, id, type);
  }
  return { eventId: id, slug, types };
}
