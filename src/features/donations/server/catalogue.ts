import { sql } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import { dayInSydney } from "#shared/language.ts";
import { type CatalogueCategory, listCategories } from "./store.ts";

/**
 * The categories on offer, read once for each version of the site's content and each day in Sydney, because prices
 * change at midnight. The version is read every time, so that no donation is priced from an outdated catalogue; beside
 * other reads that costs little.
 */
export function createCatalogue(now: () => Date) {
  let known:
    | { readonly version: number; readonly day: string; readonly categories: readonly CatalogueCategory[] }
    | undefined;
  return async (connection: Connection): Promise<readonly CatalogueCategory[]> => {
    const { rows } = await sql<{
      version: number;
    }>`select version from content_version where is_singleton = ${true}`.execute(connection);
    const { version } = rows[0]!;
    const day = dayInSydney(now());
    if (known?.version !== version || known.day !== day) {
      known = { version, day, categories: await listCategories(connection, day) };
    }
    return known.categories;
  };
}
