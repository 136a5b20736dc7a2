import { sql } from "kysely";
import { newReference } from "#payments/reference.ts";
import type { Connection } from "#shared/database/connect.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { doEach } from "#shared/jobs/do-each.ts";
import { planOffers } from "../../waiting-rules.ts";
import { typeState } from "../sale.ts";
import { freeOf, lapseHolds, readTypes, type TicketTypeRow } from "../seats.ts";

export type OfferServices = CoreServices<"database" | "jobs" | "now", "tickets">;

/** Offers free seats to whoever waits for them. Safe in several processes, and to be killed anywhere. */
export async function offerFreeSeats(services: OfferServices): Promise<void> {
  const { database, now } = services;
  const { rows } = await sql<{ eventId: number }>`
    select distinct type.event_id as "eventId" from ticket_types type join events on events.id = type.event_id
     where ends_at > ${now()} and called_off_at is null and (type.capacity > type.sold + type.held or not type.keeps_seats)
       and exists (select from waiting_entries entry where entry.event_id = type.event_id and entry.type_id = type.id
                    and entry.offered_at is null and entry.left_at is null)`.execute(database);
  await doEach(rows, ({ eventId }) =>
    database.transaction().execute((transaction) => offerSeatsOf(transaction, services, eventId)),
  );
}

/**
 * Offers the free seats of an event, and notes for which of its types the rest is kept. Everybody who takes or frees
 * seats of the event waits for this transaction, so no more is offered than is free.
 */
export async function offerSeatsOf(
  transaction: Connection,
  { jobs, now, config }: Pick<OfferServices, "jobs" | "now" | "config">,
  eventId: number,
): Promise<void> {
  const at = now();
  await lapseHolds(transaction, eventId, at);
  const sale = await findSale(transaction, eventId);
  for (const type of await readTypes(transaction, eventId)) {
    const until = endOfOffer(type, { at, endsAt: sale.endsAt, hours: config.tickets.offerHours });
    const isOnSale = !sale.isStopped && type.retired_at === null && typeState(type, 1, at) === "on_sale" && until > at;
    const waiting = await listWaiting(transaction, eventId, type.id);
    const plan = planOffers({ free: isOnSale ? freeOf(type) : 0, capacity: type.capacity }, waiting, at);
    for (const { id, quantity } of waiting.filter((entry) => plan.offers.includes(entry.id))) {
      await makeOffer(transaction, { entryId: id, quantity, type, until, at });
      await jobs.send(transaction, "emails", { template: "waiting-offer", entryId: id });
    }
    if (plan.gatheringId !== null) {
      const gathers_until = new Date(at.getTime() + config.tickets.offerHours * HOUR_MS);
      await transaction
        .updateTable("waiting_entries")
        .set({ gathers_until })
        .where("id", "=", plan.gatheringId)
        .execute();
    }
    if (plan.keepsSeats !== type.keeps_seats) {
      await transaction
        .updateTable("ticket_types")
        .set({ keeps_seats: plan.keepsSeats })
        .where("id", "=", type.id)
        .execute();
    }
  }
}

const HOUR_MS = 3_600_000;

type OfferTimes = { readonly at: Date; readonly endsAt: Date; readonly hours: number };

/** An offer never outlives the sale. */
function endOfOffer({ sales_until }: TicketTypeRow, { at, endsAt, hours }: OfferTimes): Date {
  const ends = [
    at.getTime() + hours * HOUR_MS,
    endsAt.getTime(),
    ...(sales_until === null ? [] : [sales_until.getTime()]),
  ];
  return new Date(Math.min(...ends));
}

async function findSale(connection: Connection, eventId: number) {
  const { rows } = await sql<{ endsAt: Date; isStopped: boolean }>`
    select ends_at as "endsAt", sales_are_stopped(id) as "isStopped" from events where id = ${eventId}`.execute(
    connection,
  );
  return rows[0]!;
}

async function listWaiting(connection: Connection, eventId: number, typeId: number) {
  return connection
    .selectFrom("waiting_entries")
    .select(["id", "quantity", "gathers_until as gathersUntil"])
    .where("event_id", "=", eventId)
    .where("type_id", "=", typeId)
    .where("offered_at", "is", null)
    .where("left_at", "is", null)
    .orderBy("joined_at")
    .orderBy("id")
    .execute();
}

type Offer = {
  readonly entryId: string;
  readonly quantity: number;
  readonly type: TicketTypeRow;
  readonly until: Date;
  readonly at: Date;
};

/** The order that holds the seats of an entry. The event's types are locked. */
async function makeOffer(transaction: Connection, { entryId, quantity, type, until, at }: Offer): Promise<void> {
  // The id of the entry, so that the link in its email leads to a later order for the same offer.
  const orderId = entryId;
  await transaction
    .insertInto("ticket_orders")
    .values({
      id: orderId,
      reference: newReference("T"),
      event_id: type.event_id,
      client_key: null,
      state: "held" as const,
      request_hash: Buffer.alloc(0),
      hold_until: until,
      created_at: at,
      total_cents: type.price_cents * quantity,
    })
    .execute();
  await transaction
    .insertInto("ticket_order_lines")
    .values({ order_id: orderId, type_id: type.id, quantity, title: type.title, price_cents: type.price_cents })
    .execute();
  await sql`update ticket_types set held = held + ${quantity} where id = ${type.id}`.execute(transaction);
  await transaction
    .updateTable("waiting_entries")
    .set({ offered_at: at, order_id: orderId })
    .where("id", "=", entryId)
    .execute();
}
