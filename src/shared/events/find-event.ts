import { type RawBuilder, sql } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import { sanitiseHtml } from "#shared/html/sanitise.ts";
import type { Picture } from "#shared/images/picture.ts";
import { type InWords, typedWords } from "#shared/images/picture-words.ts";
import { describePicture } from "#shared/images/store.ts";
import type { CallOff, EventCard, EventDetails, EventFacts, EventOfScreen } from "./event.ts";

const columns = [
  "id",
  "slug",
  "title",
  "summary",
  "image",
  "place",
  "is_online as isOnline",
  "starts_at as startsAt",
  "ends_at as endsAt",
  "time_zone as timeZone",
  "is_all_day as isAllDay",
  "created_by as createdBy",
  "called_off_at as calledOffAt",
] as const;

const written = ["html", "updated_at as updatedAt", "image_words", "image_decorates"] as const;

/** Published events, for `eventCard`. */
export function publishedEvents(connection: Connection) {
  // A literal, because the partial index covers only this value.
  return connection.selectFrom("events").select(columns).where("state", "=", sql.lit("published"));
}
export type EventRow = Awaited<ReturnType<ReturnType<typeof publishedEvents>["execute"]>>[number];

/** A published event by its address, with its text; null if there is none. */
export async function findEvent(connection: Connection, slug: string, now: Date): Promise<EventDetails | null> {
  const row = await publishedEvents(connection).select(written).where("slug", "=", slug).executeTakeFirst();
  return row === undefined ? null : detailsOf(connection, row, now);
}

/** A published event without picture and text. */
export async function findEventFacts(connection: Connection, slug: string, now: Date): Promise<EventFacts | undefined> {
  const row = await publishedEvents(connection).where("slug", "=", slug).executeTakeFirst();
  return row && eventFacts(row, now);
}

/** The id of a published event, for a statement that is sent before the event is read. */
export function eventIdOf(slug: string): RawBuilder<number> {
  return sql<number>`(select id from events where slug = ${slug} and state = 'published')`;
}

/** The same by id, published or not: ticket holders still see it. */
export async function findEventFactsById(
  connection: Connection,
  id: number | RawBuilder<number>,
  now: Date,
): Promise<EventFacts | undefined> {
  const row = await connection.selectFrom("events").select(columns).where("id", "=", id).executeTakeFirst();
  return row && eventFacts(row, now);
}

/** An event by id, published or not. */
export async function findEventById(
  connection: Connection,
  id: number | RawBuilder<number>,
  now: Date,
): Promise<EventDetails | null> {
  const row = await connection
    .selectFrom("events")
    .select([...columns, ...written])
    .where("id", "=", id)
    .executeTakeFirst();
  return row === undefined ? null : detailsOf(connection, row, now);
}

/** The `CallOff` of a row called `event`. */
export const callOffOf = sql<CallOff>`
  case when event.called_off_at is not null then 'called_off' when sales_are_stopped(event.id) then 'asked' end`;

/** An event by the id of its screen in the back office, /admin/events/{id}, published or not. */
export async function findEventOfScreen(connection: Connection, screenId: string): Promise<EventOfScreen | null> {
  if (!/^[1-9]\d{0,14}$/.test(screenId)) return null;
  const { rows } = await sql<EventOfScreen>`
    select item.id as "screenId", event.id, event.slug, event.title, event.state = 'published' as "isPublished",
      event.starts_at as "startsAt", event.ends_at as "endsAt", event.time_zone as "timeZone",
      event.is_all_day as "isAllDay", event.place, event.is_online as "isOnline",
      ${callOffOf} as "callOff"
      from content_items as item join events as event on event.id::text = item.live_key
     where item.kind = 'events' and item.id = ${screenId}::bigint`.execute(connection);
  return rows[0] ?? null;
}

type Written = Pick<EventDetails, "html" | "updatedAt"> & InWords;

async function detailsOf(connection: Connection, read: EventRow & Written, now: Date): Promise<EventDetails> {
  const { html, updatedAt, image_words, image_decorates, ...row } = read;
  const card = eventCard(row, await describePicture(connection, row.image), now);
  return { ...card, html: sanitiseHtml(html), alt: typedWords({ image_words, image_decorates }), updatedAt };
}

/** What lists show of an event at this moment. */
export function eventCard(row: EventRow, picture: Picture, now: Date): EventCard {
  return { ...eventFacts(row, now), picture };
}

function eventFacts({ image: _, ...row }: EventRow, now: Date): EventFacts {
  return { ...row, isOver: isEventOver(row, now) };
}

export function isEventOver({ endsAt }: Pick<EventRow, "endsAt">, now: Date): boolean {
  return endsAt <= now;
}
