import { sql } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import type { Organisation } from "#shared/organisation.ts";
import { articlePath, eventPath, paths, worldPath } from "#shared/paths.ts";

type Slug = Pick<Organisation, "slug">;

/** The pages that every site has. */
export const listFixedPaths = ({ slug }: Slug): string[] => [...Object.values(paths), worldPath(slug)];

/** Those of the paths that lead nowhere on this site. */
export async function listLostPaths(
  connection: Connection,
  given: readonly string[],
  organisation: Slug,
): Promise<string[]> {
  const fixed = new Set(listFixedPaths(organisation));
  const unknown = given.filter((path) => !fixed.has(path) && !path.startsWith("/identity/"));
  if (unknown.length === 0) return [];
  const { rows } = await sql<{ path: string }>`
    select ${articlePath("")} || slug as path from news where state = 'published'
      and ${articlePath("")} || slug = any(${unknown}::text[])
    union all
    select ${eventPath("")} || slug from events where state = 'published'
      and ${eventPath("")} || slug = any(${unknown}::text[])
    union all
    select '/images/' || hash from images where '/images/' || hash = any(${unknown}::text[])`.execute(connection);
  const found = new Set(rows.map(({ path }) => path));
  return unknown.filter((path) => !found.has(path));
}

/** The path of an address on this site, without what follows `?` or `#`. */
export const pathOf = (address: string) => address.replace(/[?#].*$/s, "");
