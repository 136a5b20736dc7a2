import { type RawBuilder, type Selectable, sql } from "kysely";
import { Refusal } from "#admin/actions.ts";
import { recordAct } from "#admin/audit.ts";
import type { StaffActor } from "#admin/two-people.ts";
import type { Connection } from "#shared/database/connect.ts";
import type { Tables } from "#shared/database/tables.ts";
import type { EventFacts, EventOfScreen } from "#shared/events/event.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";

export type MoveServices = CoreServices<"database" | "jobs" | "now">;

/** When and where an event is, as `formatWhen` and `formatPlace` take it. */
export type TimeAndPlace = Pick<EventFacts, "startsAt" | "endsAt" | "timeZone" | "isAllDay" | "place" | "isOnline">;

type MoveRow = Selectable<Tables["event_moves"]>;

const timeAndPlaceOf = (row: MoveRow): TimeAndPlace => ({
  startsAt: row.starts_at,
  endsAt: row.ends_at,
  timeZone: row.time_zone,
  isAllDay: row.is_all_day,
  place: row.place,
  isOnline: row.is_online,
});

/**
 * Orders with valid tickets for whose buyers the event was at another time or place, before the first of these moves
 * after they paid.
 */
const ordersElsewhere = (isMeant: RawBuilder<unknown>, hasEmail = sql`orders.email <> ''`) => sql`
  select orders.id, orders.email, orders.event_id, orders.created_at, orders.reference,
         trim(orders.first_name || ' ' || orders.last_name) as name
    from event_moves move
    join events event on event.id = move.event_id
    join ticket_orders orders on orders.event_id = event.id and orders.state = 'paid' and ${hasEmail}
   where ${isMeant} and move.moved_at >= orders.paid_at
     and not exists (select from event_moves earlier where earlier.event_id = event.id and earlier.id < move.id
                      and earlier.email_id is not distinct from move.email_id and earlier.moved_at >= orders.paid_at)
     and (move.starts_at, move.ends_at, move.time_zone, move.is_all_day, move.place, move.is_online)
       is distinct from (event.starts_at, event.ends_at, event.time_zone, event.is_all_day, event.place, event.is_online)`;

type ElsewhereOrder = {
  readonly id: string;
  readonly email: string;
  readonly reference: string;
  /** Empty if nobody gave one, and once erased. */
  readonly name: string;
};

export type Untold = {
  /** What the first of the holders know. */
  readonly was: TimeAndPlace;
  readonly orders: number;
  readonly people: number;
  /** Orders without an email, such as those sold at the door: nothing tells their buyers. */
  readonly withoutEmail: readonly Omit<ElsewhereOrder, "email">[];
};

/** What the holders of an event have not been told; null if it has not moved since they were. */
export async function findUntold(connection: Connection, eventId: number): Promise<Untold | null> {
  const first = await connection
    .selectFrom("event_moves")
    .selectAll()
    .where("event_id", "=", eventId)
    .where("email_id", "is", null)
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  if (first === undefined) return null;
  const isUntold = sql`move.event_id = ${eventId} and move.email_id is null`;
  const { rows } = await sql<ElsewhereOrder>`${ordersElsewhere(isUntold)}`.execute(connection);
  const { rows: withoutEmail } = await sql<ElsewhereOrder>`
    ${ordersElsewhere(isUntold, sql`orders.email = ''`)} order by orders.created_at, orders.id`.execute(connection);
  const people = new Set(rows.map(({ email }) => email.toLowerCase())).size;
  return { was: timeAndPlaceOf(first), orders: rows.length, people, withoutEmail };
}

type Telling = {
  readonly id: string;
  readonly event: Pick<EventOfScreen, "id" | "screenId">;
  /** "" for nothing. */
  readonly note: string;
};

/**
 * Sends one email about the event's new time and place to each order whose buyer has not been told. Returns how many go
 * out; null if the same form was sent before. @throws Refusal if there is nothing to tell
 */
export function tellHolders(
  { database, jobs, now }: MoveServices,
  { id: emailId, event, note }: Telling,
  actor: StaffActor,
): Promise<number | null> {
  return database.transaction().execute(async (transaction) => {
    const at = now();
    const written = await transaction
      .insertInto("event_move_emails")
      .values({ id: emailId, event_id: event.id, note, sent_by: actor.staff.id, sent_at: at })
      .onConflict((conflict) => conflict.doNothing())
      .returning("id")
      .executeTakeFirst();
    if (written === undefined) return null;
    const updated = await transaction
      .updateTable("event_moves")
      .set({ email_id: emailId })
      .where("event_id", "=", event.id)
      .where("email_id", "is", null)
      .returning("id")
      .execute();
    if (updated.length === 0) throw new Refusal("The holders were told in the meantime. Nothing was sent again.");
    const { rows: orders } = await sql<ElsewhereOrder>`
      ${ordersElsewhere(sql`move.email_id = ${emailId}`)} order by orders.created_at, orders.id`.execute(transaction);
    const emails = orders.map(({ id }) => ({ template: "event-moved" as const, orderId: id, emailId }));
    await jobs.sendAll(transaction, "emails", emails);
    const act = { verb: "events.tell_holders", subject: "events", subjectId: String(event.screenId) };
    await recordAct(transaction, actor, { ...act, after: { orders: orders.length } }, at);
    return orders.length;
  });
}

/** What the buyer of an order was told about by an email: when and where the event was for them, and the note. */
export async function findMoveOf(connection: Connection, emailId: string, paidAt: Date) {
  const row = await connection
    .selectFrom("event_moves")
    .innerJoin("event_move_emails", "event_move_emails.id", "email_id")
    .selectAll("event_moves")
    .select("note")
    .where("email_id", "=", emailId)
    .where("moved_at", ">=", paidAt)
    .orderBy("event_moves.id")
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : { was: timeAndPlaceOf(row), note: row.note };
}

/** The emails that were sent about an event's moves, the latest first. */
export function listMoveEmails(connection: Connection, eventId: number) {
  return connection
    .selectFrom("event_move_emails")
    .innerJoin("staff", "staff.id", "sent_by")
    .select(["event_move_emails.id", "staff.name", "sent_at", "note"])
    .where("event_id", "=", eventId)
    .orderBy("sent_at", "desc")
    .execute();
}

/** The events whose holders have not been told, for the dashboard. */
export async function listUntoldEvents(connection: Connection, now: Date) {
  const { rows } = await sql<{ title: string; screenId: number }>`
    select event.title, item.id as "screenId"
      from events event join content_items item on item.kind = 'events' and item.live_key = event.id::text
     where event.ends_at > ${now} and event.id in (
       select event_id from (${ordersElsewhere(sql`move.email_id is null`)}) as untold)
     order by event.title`.execute(connection);
  return rows;
}
