import { sql } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import { sanitiseHtml } from "#shared/html/sanitise.ts";
import type { Picture } from "#shared/images/picture.ts";
import { describePicture } from "#shared/images/store.ts";
import type { EventCard, EventDetails, EventFacts } from "./event.ts";

const columns = [
  "id",
  "slug",
  "title",
  "summary",
  "image",
  "place",
  "is_online",
  "starts_at",
  "ends_at",
  "time_zone",
  "is_all_day",
  "created_by",
] as const;

/** Rows of what is published, for `eventCard`. */
export function publishedEvents(connection: Connection) {
  // Written out, because an index of published events is used for no other value.
  return connection.selectFrom("events").select(columns).where("state", "=", sql.lit("published"));
}
export type EventRow = Awaited<ReturnType<ReturnType<typeof publishedEvents>["execute"]>>[number];

/** A published event, its HTML sanitised; null when there is none of this name. */
export async function findEvent(connection: Connection, slug: string, now: Date): Promise<EventDetails | null> {
  const row = await publishedEvents(connection)
    .select(["html", "updated_at"])
    .where("slug", "=", slug)
    .executeTakeFirst();
  return row === undefined ? null : detailsOf(connection, row, now);
}

/** The facts of a published event; undefined when there is none of this name. */
export async function findEventFacts(connection: Connection, slug: string, now: Date): Promise<EventFacts | undefined> {
  const row = await publishedEvents(connection).where("slug", "=", slug).executeTakeFirst();
  return row && eventFacts(row, now);
}

/** The same by its number, published or not: who holds something of it still sees it. */
export async function findEventFactsById(
  connection: Connection,
  id: number,
  now: Date,
): Promise<EventFacts | undefined> {
  const row = await connection.selectFrom("events").select(columns).where("id", "=", id).executeTakeFirst();
  return row && eventFacts(row, now);
}

/** An event by its number, published or not. Null when there is none. */
export async function findEventById(connection: Connection, id: number, now: Date): Promise<EventDetails | null> {
  const row = await connection
    .selectFrom("events")
    .select([...columns, "html", "updated_at"])
    .where("id", "=", id)
    .executeTakeFirst();
  return row === undefined ? null : detailsOf(connection, row, now);
}

async function detailsOf(connection: Connection, row: EventRow & { html: string; updated_at: Date }, now: Date) {
  const card = eventCard(row, await describePicture(connection, row.image), now);
  return { ...card, html: sanitiseHtml(row.html), updatedAt: row.updated_at };
}

export function eventCard(row: EventRow, picture: Picture, now: Date): EventCard {
  return { ...eventFacts(row, now), picture };
}

function eventFacts(row: EventRow, now: Date): EventFacts {
  const { id, slug, title, summary, place } = row;
  return {
    id,
    slug,
    title,
    summary,
    place,
    isOnline: row.is_online,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    timeZone: row.time_zone,
    isAllDay: row.is_all_day,
    createdBy: row.created_by,
    isOver: isOver(row, now),
  };
}

export function isOver({ ends_at }: Pick<EventRow, "ends_at">, now: Date): boolean {
  return ends_at <= now;
}
