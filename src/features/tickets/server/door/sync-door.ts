import { sql } from "kysely";
import type { Connection, Database } from "#shared/database/connect.ts";
import { clockIn, formatDay } from "#shared/language.ts";
import type { DoorList, DoorScan, DoorSync, DoorSyncAnswer, KnownScan } from "../../door-contract.ts";
import { ticketNumber } from "../../ticket-token.ts";
import type { DoorPhone } from "./door-phones.ts";

type Services = { readonly publicKey: string; readonly now: Date };

/** Keeps a phone's scans, each once, and returns what is new to the phone. */
export async function syncDoor(
  database: Database,
  phone: DoorPhone,
  sync: DoorSync,
  { publicKey, now }: Services,
): Promise<DoorSyncAnswer> {
  const exchanged = await database.transaction().execute((transaction) => exchange(transaction, phone, sync, now));
  // First: a list that is newer than its version is only sent again.
  const version = await readVersion(database, phone.eventId, { publicKey, now });
  const list = version === sync.version ? null : await readList(database, phone.eventId, { publicKey, now, version });
  return { now: now.getTime(), phone: phone.name, list, ...exchanged };
}

async function exchange(transaction: Connection, phone: DoorPhone, { scans, sentAt, after }: DoorSync, now: Date) {
  // One phone of an event at a time, so that numbers are given in the order in which others see them.
  await sql`select pg_advisory_xact_lock(hashtextextended('door of event ' || ${phone.eventId}::text, 0))`.execute(
    transaction,
  );
  await sql`update door_phones set last_seen_at = ${now} where id = ${phone.id}`.execute(transaction);
  const unknown = await keepScans(transaction, phone, { scans, sentAt, now });
  const found = await listScans(transaction, phone, after);
  const known = found.map(({ number: _, ...scan }) => scan);
  return { scans: known, after: found.at(-1)?.number ?? after, unknown };
}

type Kept = { readonly scans: readonly DoorScan[]; readonly sentAt: number; readonly now: Date };

/** Returns the ids of those whose ticket, or scan to undo, is not of this event. */
async function keepScans(transaction: Connection, phone: DoorPhone, { scans, sentAt, now }: Kept): Promise<string[]> {
  const unknown: string[] = [];
  for (const { id, serial, undoes, at } of scans) {
    // Only the time since the scan is taken from the phone: its clock may be wrong, by any number of years.
    const scannedAt = new Date(Math.max(0, now.getTime() - Math.max(0, sentAt - at)));
    const { rows } = await sql<{ isKnown: boolean }>`
      with ticket as (
        select tickets.id from tickets join ticket_orders on ticket_orders.id = order_id
         where serial = ${Buffer.from(serial, "hex")} and event_id = ${phone.eventId}
           and (${undoes}::uuid is null
             or exists (select from door_scans where id = ${undoes} and ticket_id = tickets.id and undoes is null))
      ), kept as (
        insert into door_scans (id, event_id, ticket_id, phone_id, undoes, scanned_at, received_at)
        select ${id}, ${phone.eventId}, ticket.id, ${phone.id}, ${undoes},
               greatest(${scannedAt}::timestamptz, (select paired_at from door_phones where id = ${phone.id})), ${now}
          from ticket
        on conflict (id) do nothing
      )
      select exists (select from ticket) as "isKnown"`.execute(transaction);
    if (!rows[0]!.isKnown) unknown.push(id);
  }
  return unknown;
}

async function listScans(transaction: Connection, phone: DoorPhone, after: number) {
  const { rows } = await sql<KnownScan & { number: number }>`
    select scan.number, scan.id, encode(tickets.serial, 'hex') as serial, scan.undoes,
           (extract(epoch from scan.scanned_at) * 1000)::bigint as at, phone.name as phone,
           phone.id = ${phone.id} as "isMine"
      from door_scans scan join tickets on tickets.id = scan.ticket_id join door_phones phone on phone.id = scan.phone_id
     where scan.event_id = ${phone.eventId} and scan.number > ${after}
     order by scan.number`.execute(transaction);
  return rows;
}

/** Other events whose tickets a helper may be shown. */
const otherEvents = (eventId: number, now: Date) => sql`
  select id, title, starts_at, time_zone from events
   where id <> ${eventId} and state = 'published'
     and starts_at between ${now}::timestamptz - interval '60 days' and ${now}::timestamptz + interval '1 year'
   order by starts_at, id limit 200`;

/** Changes with whatever is in the list. The database makes it, because phones ask often and the list may be long. */
async function readVersion(connection: Connection, eventId: number, { publicKey, now }: Services): Promise<string> {
  const { rows } = await sql<{ version: string }>`
    select md5(row(
      ${publicKey}::text,
      (select md5(string_agg(row(paid.id, serial, holder_name, type_id, cancelled_at)::text, '' order by paid_at, paid.id, position))
         from ticket_orders paid join tickets on tickets.order_id = paid.id where paid.event_id = ${eventId}),
      (select string_agg(row(id, title)::text, '' order by position, id) from ticket_types where event_id = ${eventId}),
      (select row(title, time_zone)::text from events where id = ${eventId}),
      (select string_agg(others::text, '') from (${otherEvents(eventId, now)}) as others)
    )::text) as version`.execute(connection);
  return rows[0]!.version;
}

type Listing = Services & { readonly version: string };

/** The tickets of an event, issued and cancelled, and what a phone needs to check them. */
async function readList(
  connection: Connection,
  eventId: number,
  { publicKey, now, version }: Listing,
): Promise<DoorList> {
  const { rows } = await sql<Row>`
    select encode(serial, 'hex') as serial, holder_name as holder, type_id as "typeId",
           dense_rank() over (order by paid.paid_at, paid.id)::integer as "order",
           (extract(epoch from cancelled_at) * 1000)::bigint as "cancelledAt"
      from ticket_orders paid join tickets on tickets.order_id = paid.id
     where paid.event_id = ${eventId} order by paid.paid_at, paid.id, tickets.position`.execute(connection);
  const types = await connection
    .selectFrom("ticket_types")
    .select(["id", "title"])
    .where("event_id", "=", eventId)
    .orderBy("position")
    .orderBy("id")
    .execute();
  const event = await connection
    .selectFrom("events")
    .select(["id", "title", "time_zone as timeZone"])
    .where("id", "=", eventId)
    .executeTakeFirstOrThrow();
  const { rows: others } = await sql<{ id: number; title: string; startsAt: Date; timeZone: string }>`
    select id, title, starts_at as "startsAt", time_zone as "timeZone" from (${otherEvents(eventId, now)}) as others
    `.execute(connection);
  return {
    event,
    publicKey,
    types,
    version,
    tickets: rows.map((row) => ({ ...row, number: ticketNumber(Buffer.from(row.serial, "hex")) })),
    otherEvents: others.map(({ id, title, startsAt, timeZone }) => ({
      id,
      title,
      day: formatDay(clockIn(timeZone, startsAt).slice(0, 10)),
    })),
  };
}

type Row = {
  readonly serial: string;
  readonly holder: string;
  readonly typeId: number;
  readonly order: number;
  readonly cancelledAt: number | null;
};
