import { type Expression, type SqlBool, sql } from "kysely";
import { type Cursor, type Paged, pageOf, readCursor } from "#shared/contract/paging.ts";
import type { Connection } from "#shared/database/connect.ts";
import type { EventCard } from "#shared/events/event.ts";
import { type EventRow, eventCard, isEventOver, publishedEvents } from "#shared/events/find-event.ts";
import { describePictures } from "#shared/images/store.ts";

type ListOptions = { readonly limit: number; readonly now: Date; readonly after?: string | undefined };

/**
 * Published events: upcoming by end time, then past, latest first. `after` is the `next` of an earlier page, or the
 * result is null. It records in which half the page ended, so that an event which has ended since doesn't skip those
 * after it. Reads one index, and only as many rows as needed.
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
  const page = pageOf(rows, limit, ({ endsAt, id }) => ({ key: endsAt.toISOString(), id }));
  const pictures = await describePictures(
    connection,
    page.items.map(({ image }) => image),
  );
  const last = page.items.at(-1);
  return {
    items: page.items.map((row) => eventCard(row, pictures.get(row.image)!, now)),
    next:
      page.next === null || last === undefined ? null : `${isEventOver(last, now) ? "over" : "coming"}_${page.next}`,
  };
}

function listComing(connection: Connection, limit: number, now: Date, cursor?: Cursor): Promise<EventRow[]> {
  const start =
    cursor !== undefined && new Date(cursor.key) > now ? beyond(">", cursor) : sql<SqlBool>`ends_at > ${now}`;
  return publishedEvents(connection).where(start).orderBy("ends_at").orderBy("id").limit(limit).execute();
}

function listOver(connection: Connection, limit: number, now: Date, cursor?: Cursor): Promise<EventRow[]> {
  const start =
    cursor !== undefined && new Date(cursor.key) <= now ? beyond("<", cursor) : sql<SqlBool>`ends_at <= ${now}`;
  return publishedEvents(connection)
    .where(start)
    .orderBy("ends_at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

function beyond(direction: "<" | ">", { key, id }: Cursor): Expression<SqlBool> {
  return sql<SqlBool>`(ends_at, id) ${sql.raw(direction)} (${new Date(key)}, ${id})`;
}

function readPlace(after: string): { isOver: boolean; cursor: Cursor } | null {
  const [, half, rest = ""] = /^(coming|over)_(.+)$/.exec(after) ?? [];
  const cursor = readCursor(rest);
  return cursor === null ? null : { isOver: half === "over", cursor };
}
