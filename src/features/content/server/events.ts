import { type Expression, type SqlBool, sql } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import { sanitiseHtml } from "#shared/html/sanitise.ts";
import type { Picture } from "#shared/images/picture.ts";
import { describePicture, describePictures } from "#shared/images/store.ts";
import { type Cursor, type Paged, pageOf, readCursor } from "#shared/paging.ts";
import type { EventCard, EventDetails } from "../content.ts";

type ListOptions = { readonly limit: number; readonly now: Date; readonly after?: string | undefined };

/**
 * Published events: to come, by when they end; then over, the latest first. `after` is the `next` of an earlier page.
 * It says which of the two the page ended in: an event that has ended since must not take those behind it along.
 * Null for an `after` that is none. One index is read, and no more of it than the page shows.
 */
export async function listEvents(
  connection: Connection,
  { limit, now, after }: ListOptions,
): Promise<Paged<EventCard> | null> {
  const place = after === undefined ? { isOver: false, cursor: undefined } : readPlace(after);
  if (place === null) return null;
  const rows = place.isOver ? [] : await listComing(connection, limit + 1, now, place.cursor);
  if (rows.length <= limit) {
    const cursor = place.isOver ? place.cursor : undefined;
    rows.push(...(await listOver(connection, limit + 1 - rows.length, now, cursor)));
  }
  const page = pageOf(rows, limit, ({ ends_at, id }) => ({ key: ends_at.toISOString(), id }));
  const pictures = await describePictures(
    connection,
    page.items.map(({ image }) => image),
  );
  const last = page.items.at(-1);
  return {
    items: page.items.map((row) => cardOf(row, pictures.get(row.image)!, now)),
    next: page.next === null || last === undefined ? null : `${isOver(last, now) ? "over" : "coming"}_${page.next}`,
  };
}

/** A published event, its HTML sanitised; null when there is none of this name. */
export async function findEvent(connection: Connection, slug: string, now: Date): Promise<EventDetails | null> {
  const row = await published(connection)
    .select(["html", "updated_at as updatedAt"])
    .where("slug", "=", slug)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { html, updatedAt } = row;
  const picture = await describePicture(connection, row.image);
  return { ...cardOf(row, picture, now), html: sanitiseHtml(html), updatedAt };
}

function published(connection: Connection) {
  return (
    connection
      .selectFrom("events")
      .select(["id", "slug", "title", "summary", "image", "place", "is_online", "starts_at", "ends_at"])
      .select(["time_zone", "is_all_day", "created_by"])
      // Written out, because an index of published events is used for no other value.
      .where("state", "=", sql.lit("published"))
  );
}
type Row = Awaited<ReturnType<ReturnType<typeof published>["execute"]>>[number];

function listComing(connection: Connection, limit: number, now: Date, cursor?: Cursor): Promise<Row[]> {
  const start =
    cursor !== undefined && new Date(cursor.key) > now ? beyond(">", cursor) : sql<SqlBool>`ends_at > ${now}`;
  return published(connection).where(start).orderBy("ends_at").orderBy("id").limit(limit).execute();
}

function listOver(connection: Connection, limit: number, now: Date, cursor?: Cursor): Promise<Row[]> {
  const start =
    cursor !== undefined && new Date(cursor.key) <= now ? beyond("<", cursor) : sql<SqlBool>`ends_at <= ${now}`;
  return published(connection).where(start).orderBy("ends_at", "desc").orderBy("id", "desc").limit(limit).execute();
}

function beyond(direction: "<" | ">", { key, id }: Cursor): Expression<SqlBool> {
  return sql<SqlBool>`(ends_at, id) ${sql.raw(direction)} (${new Date(key)}, ${id})`;
}

function readPlace(after: string): { isOver: boolean; cursor: Cursor } | null {
  const [, half, rest = ""] = /^(coming|over)_(.+)$/.exec(after) ?? [];
  const cursor = readCursor(rest);
  return cursor === null ? null : { isOver: half === "over", cursor };
}

const isOver = ({ ends_at }: Pick<Row, "ends_at">, now: Date) => ends_at <= now;

function cardOf(row: Row, picture: Picture, now: Date): EventCard {
  const { slug, title, summary, place } = row;
  return {
    slug,
    title,
    summary,
    picture,
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
