import { sql } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import { AppError } from "#shared/errors.ts";
import { keepOldAddress } from "../redirects/redirects.ts";
import { addVersion, findVersion, type Item } from "./items.ts";
import { type ContentData, type Kind, listChangedFields, MAX_ADDRESS_LENGTH, slugOf } from "./kind.ts";
import { hideLiveRow, lockLiveRow, writeLiveRow } from "./live-row.ts";

/** Who writes, and when. */
export type Writer = { readonly by: number; readonly at: Date };

type Saved = {
  /** Where the typed version was stored. */
  readonly version: number;
  /** `aside`: somebody else had saved in the meantime, and their version stays the latest. */
  readonly outcome: "saved" | "unchanged" | "aside";
};

/**
 * Stores what was typed as a version. If somebody has saved since version `from`, theirs stays the latest, and what was
 * typed is stored beside it. The item must be locked.
 */
export async function saveVersion(
  transaction: Connection,
  kind: Kind,
  item: Item,
  { data, from, by, at }: Writer & { data: ContentData; from: number },
): Promise<Saved> {
  const latest = await findVersion(transaction, item.id, item.latest);
  if (listChangedFields(kind, latest!.data, data).length === 0) return { version: item.latest, outcome: "unchanged" };
  const add = () => addVersion(transaction, item.id, { data, beganFrom: from, by, at });
  if (from === item.latest) {
    const version = await add();
    await setLatest(transaction, item.id, version);
    return { version, outcome: "saved" };
  }
  // A form that is sent twice is stored once.
  const kept = await transaction
    .selectFrom("content_versions")
    .select("number")
    .where("item_id", "=", item.id)
    .where("data", "=", sql<ContentData>`${JSON.stringify(data)}::jsonb`)
    .limit(1)
    .executeTakeFirst();
  return { version: kept?.number ?? (await add()), outcome: "aside" };
}

/**
 * Brings an earlier version back as a new one, under the address that the item has now. @throws AppError `not_found`.
 */
export async function restoreVersion(
  transaction: Connection,
  item: Item,
  { version, by, at }: Writer & { version: number },
): Promise<number> {
  const [earlier, latest] = await Promise.all([
    findVersion(transaction, item.id, version),
    findVersion(transaction, item.id, item.latest),
  ]);
  if (earlier === null) throw new AppError("not_found");
  const address = "slug" in latest!.data ? { slug: latest!.data.slug! } : {};
  const data = { ...earlier.data, ...address };
  const added = await addVersion(transaction, item.id, {
    data,
    beganFrom: item.latest,
    restoredFrom: version,
    by,
    at,
  });
  await setLatest(transaction, item.id, added);
  return added;
}

/** The item that this form has made already. A form that is being handled is waited for: its sender may press twice. */
export async function findMade(transaction: Connection, formKey: string): Promise<number | null> {
  await sql`select pg_advisory_xact_lock(hashtext(${formKey}))`.execute(transaction);
  const query = transaction.selectFrom("content_items").select("id").where("form_key", "=", formKey);
  return (await query.executeTakeFirst())?.id ?? null;
}

/** A new item with its first version. */
export async function createItem(
  transaction: Connection,
  kind: Kind,
  { data, formKey, by, at }: Writer & { data: ContentData; formKey: string },
): Promise<number> {
  const { id } = await transaction
    .insertInto("content_items")
    .values({
      kind: kind.name,
      form_key: formKey,
      latest_version: 1,
      live_key: null,
      published_version: null,
      live_updated_at: null,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await addVersion(transaction, id, { data, beganFrom: null, by, at });
  if (kind.isPlanned) await planRow(transaction, kind, { id, key: null }, { data, at });
  return id;
}

/** Writes the row of what is planned, which visitors do not see. */
export async function planRow(
  transaction: Connection,
  kind: Kind,
  { id, key: earlier }: Pick<Item, "id" | "key">,
  { data, at }: { data: ContentData; at: Date },
): Promise<void> {
  const filled = kind.fillGaps?.(data, at) ?? data;
  // Visitors see nothing of it, so no cached page is out of date.
  await sql`select set_config('almoner.is_preview', 'on', true)`.execute(transaction);
  const { key } = await writeLiveRow(transaction, kind, { key: earlier, data: filled });
  const live_updated_at = await hideLiveRow(transaction, kind, key);
  await sql`select set_config('almoner.is_preview', 'off', true)`.execute(transaction);
  const set = { live_key: key, live_updated_at, is_planned: true };
  await transaction.updateTable("content_items").set(set).where("id", "=", id).execute();
}

/** Makes this version the one that the editor opens. */
export async function setLatest(transaction: Connection, id: number, version: number) {
  await transaction.updateTable("content_items").set({ latest_version: version }).where("id", "=", id).execute();
}

const unscheduled = { scheduled_version: null, scheduled_at: null, scheduled_by: null };

/**
 * Publishes exactly this version. Clears a time that was chosen for another. If its page had another address, that leads
 * to the new one from now on. Returns both addresses then.
 */
export async function publishVersion(
  transaction: Connection,
  kind: Kind,
  item: Item,
  { version, by, at }: Writer & { version: number },
): Promise<{ from: string; to: string } | null> {
  const { data } = (await findVersion(transaction, item.id, version))!;
  const earlier = item.key === null ? null : await lockLiveRow(transaction, kind, item.key);
  const { key, updatedAt } = await writeLiveRow(transaction, kind, { key: item.key, data });
  await transaction
    .updateTable("content_items")
    .set({
      live_key: key,
      published_version: version,
      live_updated_at: updatedAt,
      is_planned: false,
      ...unscheduled,
      is_put_aside: false,
    })
    .where("id", "=", item.id)
    .execute();
  if (earlier === null || !item.wasPublished || earlier.data.slug === data.slug) return null;
  // A page whose address staff choose does not depend on the organisation.
  const pathWith = (shown: ContentData) => kind.path({ key, data: shown }, { slug: "" });
  const move = { from: pathWith(earlier.data), to: pathWith(data) };
  await keepOldAddress(transaction, { ...move, by, at });
  return move;
}

/** What the audit trail keeps of it. */
export const publishedChanges = ({ published }: Item, version: number, moved: { from: string; to: string } | null) => ({
  before: { version: published, ...(moved && { address: moved.from }) },
  after: { version, ...(moved && { address: moved.to }) },
});

/** Hides a published item and forgets its planned time. Its versions stay. */
export async function takeDown(transaction: Connection, kind: Kind, item: Item): Promise<void> {
  const updatedAt = await hideLiveRow(transaction, kind, item.key!);
  await transaction
    .updateTable("content_items")
    .set({ published_version: null, live_updated_at: updatedAt, ...unscheduled })
    .where("id", "=", item.id)
    .execute();
}

/** Plans to publish this version at a time; null clears the plan. */
export async function scheduleVersion(
  transaction: Connection,
  { id }: Item,
  scheduled: Item["scheduled"],
): Promise<void> {
  const set =
    scheduled === null
      ? unscheduled
      : {
          scheduled_version: scheduled.version,
          scheduled_at: scheduled.at,
          scheduled_by: scheduled.by,
          is_put_aside: false,
        };
  await transaction.updateTable("content_items").set(set).where("id", "=", id).execute();
}

/** Whether a draft can be put aside: nobody outside has ever seen it, and no time is chosen. */
export const canPutAside = ({ wasPublished, scheduled, isPutAside }: Item) =>
  !wasPublished && scheduled === null && !isPutAside;

/** Takes a draft that was never published out of the lists of what there is to do, or brings it back. */
export async function putAside(transaction: Connection, { id }: Item, is_put_aside: boolean): Promise<void> {
  await transaction.updateTable("content_items").set({ is_put_aside }).where("id", "=", id).execute();
}

/**
 * The data with an address that no other item has: made from the title if none was typed.
 * @throws AppError `invalid_input` if another item has the typed one.
 */
export async function withAddress(
  transaction: Connection,
  kind: Kind,
  data: ContentData,
  item: Pick<Item, "id" | "key"> | null,
): Promise<ContentData> {
  if (!("slug" in data)) return data;
  // Two people may choose the same address at the same moment.
  await sql`select pg_advisory_xact_lock(hashtext(${`${kind.name}.address`}))`.execute(transaction);
  const typed = String(data.slug);
  if (typed !== "") {
    if (await isTaken(transaction, kind, typed, item)) {
      throw new AppError("invalid_input", {
        fields: { slug: ["Another item has this address. Choose a different one."] },
      });
    }
    return data;
  }
  const made = slugOf(String(data.title)) || kind.name;
  for (let count = 1; ; count += 1) {
    const slug = count === 1 ? made : `${made.slice(0, MAX_ADDRESS_LENGTH - 8)}-${count}`;
    if (!(await isTaken(transaction, kind, slug, item))) return { ...data, slug };
  }
}

async function isTaken(connection: Connection, kind: Kind, slug: string, item: Pick<Item, "id" | "key"> | null) {
  const { rows } = await sql`
    select from ${sql.table(kind.table)} where slug = ${slug} and id is distinct from ${item?.key ?? null}::bigint
    union all
    select from content_items join content_versions on item_id = id and number in (latest_version, scheduled_version)
    where kind = ${kind.name} and data->>'slug' = ${slug} and id is distinct from ${item?.id ?? null}::bigint
    limit 1`.execute(connection);
  return rows.length > 0;
}
