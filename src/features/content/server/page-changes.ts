import { sql } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import type { PageChange } from "#shared/pages/page.ts";
import { articlePath, eventPath, ownPagePath, paths } from "#shared/paths.ts";
import { legalPaths } from "../legal-pages.ts";
import { servicePaths } from "../services.ts";

/** A site map may list 50,000 pages; older items are found through the lists. */
const MAX_OF_A_KIND = 20_000;

/** The page that shows each written text, by its type, for the site map. */
export const writtenPaths: Readonly<Record<string, string>> = {
  msg_chairman: paths.chairmanMessage,
  recognition: paths.recognition,
  vision: paths.vision,
  ...servicePaths,
  ...legalPaths,
};

type Changed = { readonly kind: string; readonly name: string; readonly changedAt: Date | null };

/**
 * Every page whose content is in the database, with the time of its last change, or null if it was taken down; for
 * lists that of their newest item, and for home that of the latest of all that it shows. The world page is listed as 'world', because its path depends on the
 * organisation.
 */
export async function listChanges(database: Connection): Promise<PageChange[]> {
  const { rows } = await sql<Changed>`
    (select 'page' as kind, type as name, case state when 'published' then updated_at end as "changedAt" from pages)
    union all
    (select 'page', type, case state when 'published' then updated_at end from services)
    union all
    (select 'own', slug, updated_at from own_pages where state = 'published' order by id desc limit ${MAX_OF_A_KIND})
    union all
    (select 'article', slug, updated_at from news where state = 'published'
      order by published_on desc, id desc limit ${MAX_OF_A_KIND})
    union all
    (select 'event', slug, updated_at from events where state = 'published'
      order by ends_at desc, id desc limit ${MAX_OF_A_KIND})
    union all
    (select 'list', ${paths.gallery}, max(updated_at) from gallery_items where state = 'published' having count(*) > 0)
    union all
    (select 'list', ${paths.home}, max(updated_at) from (
      select updated_at from home union all select updated_at from pages where type = 'msg_chairman'
      union all select updated_at from causes union all select updated_at from testimonials
      union all select updated_at from news union all select updated_at from gallery_items) shown)`.execute(database);
  return [...rows.map((row) => ({ path: pathOf(row), changedAt: row.changedAt })), ...listsOf(rows)];
}

function pathOf({ kind, name }: Changed): string {
  if (kind === "article") return articlePath(name);
  if (kind === "event") return eventPath(name);
  if (kind === "own") return ownPagePath(name);
  return kind === "list" ? name : (writtenPaths[name] ?? name);
}

function listsOf(rows: readonly Changed[]): PageChange[] {
  const newest = (kind: string, path: string) => {
    const times = rows.filter((row) => row.kind === kind).map(({ changedAt }) => changedAt!.getTime());
    return times.length === 0 ? [] : [{ path, changedAt: new Date(times.reduce((a, b) => Math.max(a, b))) }];
  };
  return [...newest("article", paths.news), ...newest("event", paths.events)];
}
