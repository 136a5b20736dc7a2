import { type RawBuilder, sql } from "kysely";
import { BRAND_DRAFT, BRAND_SETTING } from "#shared/brand/site-brand.ts";
import type { Connection, Database } from "#shared/database/connect.ts";
import { takeInChanges } from "../editing/items.ts";
import { kinds } from "../editing/kinds.ts";

/** A place where a picture is used: an item of content, the brand, or another setting. */
export type PictureUse = {
  /** 'news', 'pages' …; 'brand' and 'settings' have no item. */
  readonly kind: string;
  readonly item: number | null;
  readonly title: string;
  /** The screen of the item or the brand. Null for other settings. */
  readonly path: string | null;
  readonly isPublished: boolean;
  /** In a version that visitors do not see yet. */
  readonly isDraft: boolean;
};

/** Every hash in a text, one row each. */
const hashesIn = (text: RawBuilder<unknown>) =>
  sql`(select distinct found[1] as hash from regexp_matches(${text}, '/images/([0-9a-f]{32})', 'g') as found)`;

/** Each picture and each place where it is used. Call `takeInChanges` first, so that every row has its item. */
const uses = sql`
  select used.hash, item.kind, item.id as item, latest.data->>'title' as title,
    bool_or(version.number = item.published_version) as published,
    bool_or(version.number is distinct from item.published_version) as draft
  from content_items as item
  join content_versions as version on version.item_id = item.id
    and version.number in (item.latest_version, item.published_version, item.scheduled_version)
  join content_versions as latest on latest.item_id = item.id and latest.number = item.latest_version
  cross join lateral ${hashesIn(sql`version.data::text`)} as used
  -- What was taken down keeps its draft, which can be published again.
  group by used.hash, item.kind, item.id, latest.data
  union all
  select used.hash, setting.kind, null, initcap(setting.kind), bool_or(key <> ${BRAND_DRAFT}),
    bool_or(key = ${BRAND_DRAFT})
  from (
    select key, value, case when key in (${BRAND_SETTING}, ${BRAND_DRAFT}) then 'brand' else 'settings' end as kind
    from site_settings
  ) as setting
  cross join lateral ${hashesIn(sql`setting.value::text`)} as used
  group by used.hash, setting.kind`;

type UseRow = {
  readonly hash: string;
  readonly kind: string;
  readonly item: number | null;
  readonly title: string;
  readonly published: boolean | null;
  readonly draft: boolean;
};

/** Where this picture is used, in the order of the navigation. */
export async function listUses(database: Database, hash: string): Promise<PictureUse[]> {
  for (const kind of kinds) await takeInChanges(database, kind);
  return readUses(database, hash);
}

/** The same within a transaction that has taken changes in. */
export async function readUses(connection: Connection, hash: string): Promise<PictureUse[]> {
  const { rows } =
    await sql<UseRow>`select * from (${uses}) as used where hash = ${hash} order by kind, title, item`.execute(
      connection,
    );
  return rows.map(({ kind, item, title, published, draft }) => ({
    kind,
    item,
    title,
    isPublished: published ?? false,
    isDraft: draft,
    path: item === null ? (kind === "brand" ? "/admin/settings/brand" : null) : `/admin/${kind}/${item}`,
  }));
}

/** In how many places each picture is used. */
export async function countUses(
  connection: Connection,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (hashes.length === 0) return new Map();
  const { rows } = await sql<{ hash: string; count: number }>`
    select hash, count(*) as count from (${uses}) as used where hash = any(${hashes}::text[]) group by hash`.execute(
    connection,
  );
  return new Map(rows.map(({ hash, count }) => [hash, Number(count)]));
}

/** The condition that a picture is used nowhere. */
export const isUnused = sql<boolean>`not exists (select from (${uses}) as used where used.hash = images.hash)`;
