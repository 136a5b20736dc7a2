import { sql } from "kysely";
import type { Connection, Database } from "#shared/database/connect.ts";
import { AppError } from "#shared/errors.ts";
import type { ContentData, Kind } from "./kind.ts";
import { hasKey, isLivePublished, type LiveRow, liveData, liveKey, liveTable, lockLiveRow } from "./live-row.ts";

export type Item = {
  readonly id: number;
  /** The key of the item's row in the table that the site reads. */
  readonly key: string | null;
  readonly latest: number;
  readonly published: number | null;
  /** Visitors saw it once. */
  readonly wasPublished: boolean;
  /** A draft that nobody wants to see for now. */
  readonly isPutAside: boolean;
  readonly scheduled: { readonly version: number; readonly at: Date; readonly by: number } | null;
};

export type Version = {
  readonly number: number;
  readonly beganFrom: number | null;
  readonly restoredFrom: number | null;
  readonly data: ContentData;
  readonly savedAt: Date;
  /** Null if the version comes from SQL that changed the site's table. */
  readonly savedBy: { readonly id: number; readonly name: string } | null;
};

type ItemRow = {
  readonly id: number;
  readonly live_key: string | null;
  readonly latest_version: number;
  readonly published_version: number | null;
  readonly live_updated_at: Date | null;
  readonly scheduled_version: number | null;
  readonly scheduled_at: Date | null;
  readonly scheduled_by: number | null;
  readonly is_planned: boolean;
  readonly is_put_aside: boolean;
};

const toItem = (row: ItemRow): Item => ({
  id: row.id,
  key: row.live_key,
  latest: row.latest_version,
  published: row.published_version,
  wasPublished: row.live_key !== null && !row.is_planned,
  isPutAside: row.is_put_aside,
  scheduled:
    row.scheduled_at === null ? null : { version: row.scheduled_version!, at: row.scheduled_at, by: row.scheduled_by! },
});

/** Makes an item for every row that has none yet. The row's data becomes version 1, unchanged. */
export async function takeInRows(connection: Connection, kind: Kind): Promise<void> {
  await sql`
    with found as (
      select ${liveKey(kind)} as key, ${liveData(kind)} as data, ${isLivePublished(kind)} as is_published, live.updated_at
      from ${liveTable(kind)}
      where not exists (select from content_items where kind = ${kind.name} and live_key = ${liveKey(kind)})
    ), items as (
      insert into content_items (kind, live_key, latest_version, published_version, live_updated_at)
      select ${kind.name}, key, 1, case when is_published then 1 end, updated_at from found
      on conflict do nothing
      returning id, live_key
    )
    insert into content_versions (item_id, number, data, saved_at)
    select items.id, 1, found.data, found.updated_at from items join found on found.key = items.live_key
  `.execute(connection);
}

/** Updates the items for all rows that SQL has added, deleted or changed since they were last read. */
export async function takeInChanges(database: Database, kind: Kind): Promise<void> {
  await takeInRows(database, kind);
  const { rows } = await sql<{ id: number }>`
    select item.id from content_items as item left join ${liveTable(kind)} on ${hasKey(kind, sql.ref("item.live_key"))}
    where item.kind = ${kind.name} and item.live_key is not null
      and (live.updated_at is distinct from item.live_updated_at
        or (item.published_version is not null) is distinct from (${isLivePublished(kind)} and live.updated_at is not null))
  `.execute(database);
  for (const { id } of rows) await database.transaction().execute((transaction) => lockItem(transaction, kind, id));
}

/**
 * Locks the item until the transaction ends. If SQL has changed its row, that becomes a version: the latest, unless
 * somebody is working on a draft. @throws AppError `not_found`.
 */
export async function lockItem(transaction: Connection, kind: Kind, id: number): Promise<Item> {
  const row = await transaction
    .selectFrom("content_items")
    .selectAll()
    .where("id", "=", id)
    .where("kind", "=", kind.name)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) throw new AppError("not_found");
  const live = row.live_key === null ? null : await lockLiveRow(transaction, kind, row.live_key);
  const changes = live === null ? withoutRow(row, kind) : await withRow(transaction, row, live);
  if (changes === null) return toItem(row);
  await transaction.updateTable("content_items").set(changes).where("id", "=", id).execute();
  return toItem({ ...row, ...changes });
}

/** An item whose row SQL has deleted is no longer published. */
function withoutRow(row: ItemRow, { isOpen }: Kind): Partial<ItemRow> | null {
  if (row.published_version === null && (row.live_key === null || !isOpen)) return null;
  return { is_planned: false, published_version: null, live_updated_at: null, live_key: isOpen ? null : row.live_key };
}

async function withRow(transaction: Connection, row: ItemRow, live: LiveRow): Promise<Partial<ItemRow> | null> {
  const isTouched = live.updatedAt.getTime() !== row.live_updated_at?.getTime();
  // The hidden row of what is planned is no version of it.
  if (row.is_planned && !isTouched && !live.isPublished) return null;
  const known = await transaction
    .selectFrom("content_versions")
    .select("number")
    .where("item_id", "=", row.id)
    .where("data", "=", sql<ContentData>`${JSON.stringify(live.data)}::jsonb`)
    .orderBy(sql`number is not distinct from ${row.published_version}`, "desc")
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst();
  const number =
    known?.number ??
    (await addVersion(transaction, row.id, {
      data: live.data,
      beganFrom: row.published_version ?? row.latest_version,
      by: null,
      at: live.updatedAt,
    }));
  const published = live.isPublished ? number : null;
  if (known !== undefined && published === row.published_version && !isTouched) return null;
  const hasDraft = row.latest_version !== row.published_version && (await isWritten(transaction, row));
  return {
    published_version: published,
    live_updated_at: live.updatedAt,
    is_planned: false,
    is_put_aside: row.is_put_aside && published === null,
    latest_version: known === undefined && !hasDraft ? number : row.latest_version,
  };
}

/** Whether a person wrote the latest version; otherwise it comes from the site's table. */
async function isWritten(connection: Connection, { id, latest_version }: ItemRow): Promise<boolean> {
  return (await findVersion(connection, id, latest_version))?.savedBy !== null;
}

type NewVersion = {
  readonly data: ContentData;
  readonly beganFrom: number | null;
  readonly restoredFrom?: number;
  readonly by: number | null;
  readonly at: Date;
};

/** Adds a version to an item that is locked, and returns its number. */
export async function addVersion(connection: Connection, itemId: number, version: NewVersion): Promise<number> {
  const { number } = await connection
    .insertInto("content_versions")
    .values({
      item_id: itemId,
      number: sql<number>`(select coalesce(max(number), 0) + 1 from content_versions where item_id = ${itemId})`,
      began_from: version.beganFrom,
      data: JSON.stringify(version.data),
      saved_at: version.at,
      saved_by: version.by,
      restored_from: version.restoredFrom ?? null,
    })
    .returning("number")
    .executeTakeFirstOrThrow();
  return number;
}

function selectVersions(connection: Connection, itemId: number) {
  return connection
    .selectFrom("content_versions as version")
    .leftJoin("staff", "staff.id", "version.saved_by")
    .where("version.item_id", "=", itemId)
    .select(["number", "began_from as beganFrom", "restored_from as restoredFrom", "data", "saved_at as savedAt"])
    .select(["staff.id as staffId", "staff.name as staffName"]);
}

type VersionRow = Omit<Version, "savedBy"> & { readonly staffId: number | null; readonly staffName: string | null };

const toVersion = ({ staffId, staffName, ...version }: VersionRow): Version => ({
  ...version,
  savedBy: staffId === null ? null : { id: staffId, name: staffName! },
});

export async function findVersion(connection: Connection, itemId: number, number: number): Promise<Version | null> {
  const row = await selectVersions(connection, itemId).where("number", "=", number).executeTakeFirst();
  return row === undefined ? null : toVersion(row);
}

/** All versions, the newest first. */
export async function listVersions(connection: Connection, itemId: number): Promise<Version[]> {
  return (await selectVersions(connection, itemId).orderBy("number", "desc").execute()).map(toVersion);
}

/** The item, updated if SQL has changed its row; null if there is none. */
export async function findItem(database: Database, kind: Kind, id: number): Promise<Item | null> {
  try {
    return await database.transaction().execute((transaction) => lockItem(transaction, kind, id));
  } catch (error) {
    if (error instanceof AppError && error.problem === "not_found") return null;
    throw error;
  }
}
