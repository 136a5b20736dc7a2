import { sql } from "kysely";
import type { Connection, Database } from "#shared/database/connect.ts";
import { takeInRows } from "../editing/items.ts";
import { findKind, kinds } from "../editing/kinds.ts";
import type { LinkReason } from "./judge-visit.ts";
import { takeInLinks } from "./take-in-links.ts";

type LinkUse = { readonly kind: string; readonly title: string; readonly path: string };

export type KnownLink = {
  readonly id: number;
  readonly address: string;
  /** Null for one that staff excepted and that did not fail. */
  readonly reason: LinkReason | null;
  readonly failingSince: Date | null;
  readonly checkedAt: Date | null;
  /** Its next check is due. */
  readonly isDue: boolean;
  /** Staff say that it is fine, so it is not checked. */
  readonly isExcepted: boolean;
  readonly uses: readonly LinkUse[];
};

export type KnownLinks = {
  readonly dead: readonly KnownLink[];
  readonly excepted: readonly KnownLink[];
  /** All links, and those of which a check said nothing. */
  readonly all: number;
  readonly unclear: number;
  /** Since when no website answers: this machine may have no internet. */
  readonly unreachedSince: Date | null;
};

type LinkRow = Omit<KnownLink, "uses"> & { readonly uses: readonly UseRow[] };
type UseRow = { readonly kind: string; readonly item: number | null; readonly title: string };

/** Stands in what is published. Links that only drafts have are not listed or counted. */
const isPublished = sql<boolean>`exists (select from external_link_uses where link_id = external_links.id)`;

/** The links that are dead or excepted, with the items in which they stand. */
export async function listKnownLinks(database: Database, now: Date): Promise<KnownLinks> {
  await takeInLinks(database, now);
  for (const kind of kinds) await takeInRows(database, kind);
  const { rows } = await sql<LinkRow>`
    select id, address, reason, failing_since as "failingSince", checked_at as "checkedAt",
      check_at <= ${now} as "isDue", is_excepted as "isExcepted", uses
    from external_links
    cross join lateral (
      select jsonb_agg(jsonb_build_object('kind', used.kind, 'item', item.id,
        'title', coalesce(version.data->>'title', '')) order by used.kind, used.live_key) as uses
      from external_link_uses as used
      left join content_items as item on item.kind = used.kind and item.live_key = used.live_key
      left join content_versions as version on version.item_id = item.id and version.number = item.latest_version
      where used.link_id = external_links.id) as places
    where (state = 'dead' or is_excepted) and ${isPublished}
    order by failing_since desc, address`.execute(database);
  const links = rows.map(({ uses, ...link }) => ({ ...link, uses: uses.map(toUse) }));
  const counts = await database
    .selectFrom("external_links")
    .select(({ fn }) => fn.countAll<number>().as("all"))
    .select(sql<number>`count(*) filter (where state = 'unclear' and not is_excepted)`.as("unclear"))
    .where(isPublished)
    .executeTakeFirstOrThrow();
  const { unreached_since } = await database
    .selectFrom("external_link_checks")
    .select("unreached_since")
    .executeTakeFirstOrThrow();
  return {
    dead: links.filter(({ isExcepted }) => !isExcepted),
    excepted: links.filter(({ isExcepted }) => isExcepted),
    ...counts,
    unreachedSince: unreached_since,
  };
}

const toUse = ({ kind, item, title }: UseRow): LinkUse => ({
  title,
  kind: findKind(kind)!.words.one,
  path: item === null ? `/admin/${kind}` : `/admin/${kind}/${item}`,
});

/** Links known to be broken, without those that staff marked as fine. First takes in what was published since. */
export async function countDeadLinks(database: Database, now: Date): Promise<number> {
  await takeInLinks(database, now);
  const { count } = await database
    .selectFrom("external_links")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("state", "=", "dead")
    .where("is_excepted", "=", false)
    .where(isPublished)
    .executeTakeFirstOrThrow();
  return count;
}

type JudgedLinks = { readonly dead: readonly string[]; readonly unchecked: number };

/** What is known of these addresses: those that are dead, and how many wait for their first check. */
export async function judgeLinks(
  connection: Connection,
  addresses: readonly string[],
  now: Date,
): Promise<JudgedLinks> {
  if (addresses.length === 0) return { dead: [], unchecked: 0 };
  const rows = await connection
    .selectFrom("external_links")
    .select(["address", "state"])
    .where("address", "in", addresses)
    .where((is) => is.or([is("state", "=", "dead"), is.and([is("state", "=", "new"), is("check_at", "<=", now)])]))
    .where("is_excepted", "=", false)
    .orderBy("address")
    .execute();
  const dead = rows.filter(({ state }) => state === "dead").map(({ address }) => address);
  return { dead, unchecked: rows.length - dead.length };
}
