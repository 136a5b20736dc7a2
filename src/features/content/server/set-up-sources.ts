import { sql } from "kysely";
import type { Database } from "#shared/database/connect.ts";
import { legalPaths } from "../legal-pages.ts";
import { listExampleTexts } from "./example-texts.ts";

const legalKeys = Object.keys(legalPaths);

type Row = { readonly type: string; readonly title: string; readonly digest: string; readonly item: number | null };

/** What setting up a site asks about its texts. */
export function setUpSources(database: Database, config: { readonly isDemo: boolean }) {
  return {
    listExampleTexts: () => listExampleTexts(database, config),

    /** The policies as visitors read them. */
    async listLegalTexts() {
      const { rows } = await sql<Row>`
        select page.type, page.title, md5(page.title || ' ' || page.html) as digest, item.id as item
        from pages page left join content_items item on item.kind = 'pages' and item.live_key = page.type
        where page.type = any(${legalKeys})`.execute(database);
      rows.sort((one, other) => legalKeys.indexOf(one.type) - legalKeys.indexOf(other.type));
      return rows.map(({ type: key, title, digest, item }) => ({
        key,
        title,
        digest,
        path: legalPaths[key]!,
        // It has a number once the list of pages was opened.
        editPath: item === null ? `/admin/pages?${new URLSearchParams({ q: title })}` : `/admin/pages/${item}`,
      }));
    },

    /** Whether staff have published a page or service in their own words; policies do not count. */
    async hasOwnPage() {
      const { rows } = await sql<{ found: boolean }>`
        select exists (select from content_items item
          join content_versions version on version.item_id = item.id and version.number = item.published_version
          where item.kind in ('pages', 'own-pages', 'services') and item.live_key <> all(${legalKeys})
            and version.saved_by is not null) as found`.execute(database);
      return rows[0]!.found;
    },
  };
}
