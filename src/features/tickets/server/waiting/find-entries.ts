import { sql } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import { findEventFactsById } from "#shared/events/find-event.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { documentLink, opensDocument, readDocumentKey } from "#shared/links/document-links.ts";
import type { WaitingEntry } from "../../reads.ts";
import { describeEvent, isWithinSales } from "../sale.ts";

export type EntryRow = {
  readonly id: string;
  readonly eventId: number;
  readonly typeId: number;
  readonly ticket: string;
  /** The key of the link that shows the ticket; null if everybody sees it. */
  readonly access: string | null;
  /** How many tickets they wait for, or how many of those that they were offered are still held. */
  readonly quantity: number;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly joinedAt: Date;
  readonly gathersUntil: Date | null;
  readonly offeredAt: Date | null;
  readonly leftAt: Date | null;
  /** Who of the staff took it off the list. */
  readonly removedBy: string | null;
  readonly orderId: string | null;
  readonly holdUntil: Date | null;
  readonly state: "waiting" | "offered" | "bought" | "ended" | "left";
  /** False while its tickets are off sale, or the event’s sales are stopped: then nothing is offered. */
  readonly isOnSale: boolean;
  /** 1 for the first of those who wait for the same type. */
  readonly place: number;
};

/** Someone who was offered seats and bought others of the event, such as fewer of them, has bought too. */
const readEntries = sql`
  select entry.id, entry.event_id as "eventId", entry.type_id as "typeId", type.title as ticket,
         case type.visibility when 'link' then type.access_key end as access,
         coalesce((select sum(quantity)::integer from ticket_order_lines line
                    where line.order_id = offer.id and offer.state = 'held'), entry.quantity) as quantity,
         entry.email, entry.first_name as "firstName", entry.last_name as "lastName", entry.joined_at as "joinedAt",
         entry.gathers_until as "gathersUntil", entry.offered_at as "offeredAt", entry.left_at as "leftAt",
         staff.name as "removedBy", entry.order_id as "orderId", offer.hold_until as "holdUntil",
         case when offer.state in ('paid', 'cancelled') or (offered_at is not null and exists (
                select from ticket_orders bought where bought.event_id = entry.event_id and bought.state = 'paid'
                   and lower(bought.email) = lower(entry.email) and bought.paid_at >= offered_at)) then 'bought'
              when left_at is not null then 'left'
              when offer.state = 'held' and offer.hold_until > now.at then 'offered'
              when offered_at is not null then 'ended'
              else 'waiting' end as state,
         type.retired_at is null and ${isWithinSales(sql`now.at`)}
           and not sales_are_stopped(entry.event_id) as "isOnSale",
         (select count(*)::integer from waiting_entries before
           where before.event_id = entry.event_id and before.type_id = entry.type_id
             and before.offered_at is null and before.left_at is null
             and (before.joined_at, before.id) <= (entry.joined_at, entry.id)) as place
    from waiting_entries entry
    join ticket_types type on type.id = entry.type_id
    left join ticket_orders offer on offer.id = entry.order_id
    left join staff on staff.id = entry.removed_by
    cross join now`;

/** Null if there is no such entry. */
export async function findEntry(connection: Connection, id: string, now: Date): Promise<EntryRow | null> {
  const { rows } = await sql<EntryRow>`
    with now as (select ${now}::timestamptz as at) ${readEntries} where entry.id = ${id.toLowerCase()}`.execute(
    connection,
  );
  return rows[0] ?? null;
}

/** All entries of an event, in the order in which they joined. */
export async function listEntries(connection: Connection, eventId: number, now: Date): Promise<EntryRow[]> {
  const { rows } = await sql<EntryRow>`
    with now as (select ${now}::timestamptz as at) ${readEntries}
     where entry.event_id = ${eventId} order by entry.joined_at, entry.id`.execute(connection);
  return rows;
}

type EntryServices = CoreServices<"database" | "now", "secretKey" | "linkDays" | "tickets">;

/** An entry for whoever has its link; null without the right key. */
export async function findWaitingEntry(services: EntryServices, id: string, key: string): Promise<WaitingEntry | null> {
  const { database, config, now } = services;
  const document = { kind: "waiting_entry", id } as const;
  if (readDocumentKey(config.secretKey, document, key) === null) return null;
  await opensDocument(services, document, key);
  const entry = await findEntry(database, id, now());
  const event = entry && (await findEventFactsById(database, sql.lit(entry.eventId), now()));
  if (entry === null || !event) return null;
  const { isCalledOff, ...described } = describeEvent(event);
  const { ticket, access, quantity, email, state, isOnSale, place } = entry;
  const shown = {
    id: entry.id,
    key,
    event: described,
    ticket,
    quantity,
    email,
    offerHours: config.tickets.offerHours,
    ...(access && { access }),
  };
  if ((event.isOver || isCalledOff) && state !== "bought") return { ...shown, state: "over" };
  if (state === "waiting") return { ...shown, state, isOnSale, place };
  if (state !== "offered") return { ...shown, state };
  const orderUrl = documentLink(config, { kind: "ticket_order", id: entry.orderId! }, entry.offeredAt!).path;
  return { ...shown, state, until: entry.holdUntil!.toISOString(), orderUrl };
}
