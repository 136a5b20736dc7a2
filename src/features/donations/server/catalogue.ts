import { sql } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import { type CatalogueCategory, listCategories } from "./store.ts";

/**
 * The categories on offer, read once for each version of the site's content. The version is read every time, which costs
 * little beside other reads, so that no donation is priced from a catalogue that has changed.
 */
export function createCatalogue() {
  let known: { readonly version: number; readonly categories: readonly CatalogueCategory[] } | undefined;
  return async (connection: Connection): Promise<readonly CatalogueCategory[]> => {
    const { rows } = await sql<{
      version: number;
    }>`select version from content_version where is_singleton = ${true}`.execute(connection);
    const { version } = rows[0]!;
    if (known?.version !== version) known = { version, categories: await listCategories(connection) };
    return known.categories;
  };
}
