import { sql } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import { ticketNumber } from "../../ticket-token.ts";

export type ListedPhone = {
  readonly id: string;
  readonly name: string;
  readonly addedBy: string;
  readonly addedAt: Date;
  readonly pairedAt: Date | null;
  readonly lastSeenAt: Date | null;
  readonly endedAt: Date | null;
  readonly scans: number;
};

/** The phones of an event's door, latest first. */
export async function listPhones(connection: Connection, eventId: number): Promise<ListedPhone[]> {
  const { rows } = await sql<ListedPhone>`
    select phone.id, phone.name, staff.name as "addedBy", phone.added_at as "addedAt", phone.paired_at as "pairedAt",
           phone.last_seen_at as "lastSeenAt", phone.ended_at as "endedAt",
           (select count(*)::integer from door_scans
             where phone_id = phone.id and undoes is null) as scans
      from door_phones phone join staff on staff.id = phone.added_by
     where phone.event_id = ${eventId} order by phone.added_at desc, phone.id limit 100`.execute(connection);
  return rows;
}

export type CameByType = { readonly id: number; readonly title: string; readonly valid: number; readonly came: number };

/** How many tickets of each type are valid, and how many of their holders came, as the phones count them. */
export async function countCame(connection: Connection, eventId: number): Promise<CameByType[]> {
  const { rows } = await sql<CameByType>`
    with came as (${admissions(eventId)})
    select type.id, type.title,
           type.sold as valid,
           (select count(distinct ticket_id)::integer from came
             where type_id = type.id and cancelled_at is null) as came
      from ticket_types type where type.event_id = ${eventId} order by type.position, type.id`.execute(connection);
  return rows;
}

export type DoorFault = {
  readonly kind: "twice" | "cancelled";
  /** As printed on the ticket. */
  readonly number: string;
  /** Empty if nobody is named. */
  readonly holder: string;
  readonly orderId: string;
  readonly cancelledAt: Date | null;
  readonly scans: readonly { readonly at: Date; readonly phone: string }[];
};

/** Tickets that came in twice, or after they were cancelled, because a phone could not know. */
export async function listDoorFaults(connection: Connection, eventId: number): Promise<DoorFault[]> {
  const { rows } = await sql<FaultRow>`
    with came as (${admissions(eventId)}), grouped as (
      select ticket_id, count(*) as times, max(scanned_at) as latest,
             jsonb_agg(jsonb_build_object('at', scanned_at, 'phone', phone) order by number) as scans
        from came group by ticket_id
    )
    select case when times > 1 then 'twice' else 'cancelled' end as kind, serial, holder_name as holder,
           order_id as "orderId", cancelled_at as "cancelledAt", scans
      from grouped join tickets on tickets.id = ticket_id
     where times > 1 or cancelled_at <= latest
     order by latest desc limit 200`.execute(connection);
  return rows.map(({ serial, scans, ...row }) => ({
    ...row,
    number: ticketNumber(serial),
    scans: scans.map(({ at, phone }) => ({ at: new Date(at), phone })),
  }));
}

type FaultRow = Omit<DoorFault, "number" | "scans"> & {
  readonly serial: Buffer;
  readonly scans: readonly { readonly at: string; readonly phone: string }[];
};

/** The scans of an event that let somebody in and were not undone. */
export const admissions = (eventId: number) => sql`
  select scan.number, scan.ticket_id, scan.scanned_at, phone.name as phone, tickets.type_id, tickets.cancelled_at
    from door_scans scan join door_phones phone on phone.id = scan.phone_id join tickets on tickets.id = scan.ticket_id
   where scan.event_id = ${eventId} and scan.undoes is null
     and not exists (select from door_scans undo where undo.undoes = scan.id)`;

export type DoorEvent = {
  readonly screenId: number;
  readonly title: string;
  readonly startsAt: Date;
  readonly timeZone: string;
};

/** Events with tickets whose door may be opened: from a week before until two days after them. */
export async function listDoorEvents(connection: Connection, now: Date): Promise<DoorEvent[]> {
  const { rows } = await sql<DoorEvent>`
    select item.id as "screenId", event.title, event.starts_at as "startsAt", event.time_zone as "timeZone"
      from events event join content_items item on item.kind = 'events' and item.live_key = event.id::text
     where event.starts_at < ${now}::timestamptz + interval '7 days'
       and event.ends_at > ${now}::timestamptz - interval '48 hours'
       and event.called_off_at is null and event.state = 'published'
       and exists (select from ticket_types where event_id = event.id)
     order by event.starts_at, event.id limit 50`.execute(connection);
  return rows;
}
