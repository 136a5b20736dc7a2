import { type RawBuilder, sql } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import type { CallOff } from "#shared/events/event.ts";
import { callOffOf } from "#shared/events/find-event.ts";
import type { Kind } from "./kind.ts";

export type ListedItem = {
  readonly id: number;
  readonly title: string;
  /** When a banner or event begins and ends; null for what has no time. */
  readonly from: string | null;
  readonly until: string | null;
  /** Whose clock these times are on; null for Sydney's. */
  readonly timeZone: string | null;
  readonly isAllDay: boolean;
  /** Null for what is no event. */
  readonly callOff: CallOff;
  readonly latest: number;
  readonly published: number | null;
  /** Was published once, and has been taken down. */
  readonly wasPublished: boolean;
  readonly isPutAside: boolean;
  readonly scheduledAt: Date | null;
  readonly savedAt: Date;
  readonly savedBy: string | null;
};

/**
 * 'draft': it has changes to publish; items that were taken down are not counted as drafts. 'aside': drafts that were put
 * aside; 'kept': all others.
 */
type ItemState = "draft" | "scheduled" | "published" | "aside" | "kept";

/** Without a state, everything. */
export type ItemFilter = { readonly q: string; readonly state: ItemState | null };

const stateIs: Readonly<Record<ItemState, RawBuilder<boolean>>> = {
  draft: sql`item.latest_version is distinct from item.published_version and item.scheduled_at is null
    and (item.published_version is not null or item.live_key is null or item.is_planned) and not item.is_put_aside`,
  scheduled: sql`item.scheduled_at is not null`,
  published: sql`item.published_version is not null`,
  aside: sql`item.is_put_aside`,
  kept: sql`not item.is_put_aside`,
};

/** The condition that an item's title contains this text. */
const isTitled = (text: string) =>
  sql<boolean>`strpos(lower(normalize(version.data->>'title', NFKC)), lower(normalize(${text}, NFKC))) > 0`;

/** Items in the order of their kind; one more than `limit` if there are more. */
export async function listItems(
  connection: Connection,
  kind: Kind,
  { filter, limit, offset }: { filter: ItemFilter; limit: number; offset: number },
): Promise<ListedItem[]> {
  const { by, descending } = kind.sort;
  const direction = descending ? sql`desc` : sql`asc`;
  const isEvents = kind.name === "events";
  const { rows } = await sql<ListedItem>`
    select item.id, version.data->>'title' as title, version.data->>'starts_at' as "from",
      version.data->>'ends_at' as until, version.data->>'time_zone' as "timeZone",
      coalesce((version.data->>'is_all_day')::boolean, false) as "isAllDay", item.latest_version as latest, item.published_version as published,
      item.live_key is not null and not item.is_planned as "wasPublished", item.is_put_aside as "isPutAside", item.scheduled_at as "scheduledAt",
      version.saved_at as "savedAt", staff.name as "savedBy", ${isEvents ? callOffOf : sql`null`} as "callOff"
    from content_items as item
    join content_versions as version on version.item_id = item.id and version.number = item.latest_version
    left join staff on staff.id = version.saved_by
    ${isEvents ? sql`left join events as event on event.id::text = item.live_key` : sql``}
    where item.kind = ${kind.name}
      and ${filter.q === "" ? sql`true` : isTitled(filter.q)}
      and ${filter.state === null ? sql`true` : stateIs[filter.state]}
    order by version.data->${sql.lit(by)} ${direction}, item.id ${direction}
    limit ${limit + 1} offset ${offset}`.execute(connection);
  return rows;
}

export type StateCounts = Readonly<Record<Exclude<ItemState, "kept"> | "all", number>>;

/** How many items there are in each state. */
export async function countStates(connection: Connection, kind: Kind): Promise<StateCounts> {
  const { rows } = await sql<StateCounts>`
    select count(*) as all, count(*) filter (where ${stateIs.aside}) as aside, count(*) filter (where ${stateIs.draft}) as draft,
      count(*) filter (where ${stateIs.scheduled}) as scheduled,
      count(*) filter (where ${stateIs.published}) as published
    from content_items as item where kind = ${kind.name}`.execute(connection);
  return rows[0]!;
}

/** Items that should have been published before this time, but could not be. */
export async function countLate(connection: Connection, kind: Kind, before: Date): Promise<number> {
  const { count } = await connection
    .selectFrom("content_items")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("kind", "=", kind.name)
    .where("scheduled_at", "<", before)
    .executeTakeFirstOrThrow();
  return count;
}

/** The titles of items by their ids. */
export async function listTitles(connection: Connection, ids: readonly number[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: number; title: string }>`
    select item.id, version.data->>'title' as title from content_items as item
    join content_versions as version on version.item_id = item.id and version.number = item.latest_version
    where item.id = any(${ids}::bigint[])`.execute(connection);
  return new Map(rows.map(({ id, title }) => [String(id), title]));
}
