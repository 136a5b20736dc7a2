import { sql } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import type { Organisation } from "#shared/organisation.ts";
import { articlePath, eventPath, ownPagePath, paths, worldPath } from "#shared/paths.ts";
import { writtenPaths } from "./page-changes.ts";

type Slug = Pick<Organisation, "slug">;

/** The addresses of the pages that a new site has. */
export const listFixedPaths = ({ slug }: Slug): string[] => [...Object.values(paths), worldPath(slug)];

/** What was taken down: the types of pages and services, the addresses of further pages. */
export async function listTakenDown(connection: Connection): Promise<string[]> {
  const { rows } = await sql<{ type: string }>`
    select type from pages where state <> 'published' union all
    select type from services where state <> 'published' union all
    select ${ownPagePath("")} || slug from own_pages where state <> 'published'`.execute(connection);
  return rows.map(({ type }) => type);
}

/** The address of a page or service, by its type; an address stays as it is. */
export function pathOfType(type: string, { slug }: Slug): string {
  if (type.startsWith("/")) return type;
  return type === "world" ? worldPath(slug) : (writtenPaths[type] ?? paths.home);
}

/** Those of these addresses that visitors can open. */
export async function listOpenPaths(connection: Connection, organisation: Slug): Promise<string[]> {
  const down = new Set((await listTakenDown(connection)).map((type) => pathOfType(type, organisation)));
  return listFixedPaths(organisation).filter((path) => !down.has(path));
}

/** Those of the paths that lead nowhere on this site. */
export async function listLostPaths(
  connection: Connection,
  given: readonly string[],
  organisation: Slug,
): Promise<string[]> {
  const fixed = new Set(await listOpenPaths(connection, organisation));
  const unknown = given.filter((path) => !fixed.has(path) && !path.startsWith("/identity/"));
  if (unknown.length === 0) return [];
  const { rows } = await sql<{ path: string }>`
    select ${articlePath("")} || slug as path from news where state = 'published'
      and ${articlePath("")} || slug = any(${unknown}::text[])
    union all
    select ${eventPath("")} || slug from events where state = 'published'
      and ${eventPath("")} || slug = any(${unknown}::text[])
    union all
    select ${ownPagePath("")} || slug from own_pages where state = 'published'
      and ${ownPagePath("")} || slug = any(${unknown}::text[])
    union all
    select '/images/' || hash from images where '/images/' || hash = any(${unknown}::text[])`.execute(connection);
  const found = new Set(rows.map(({ path }) => path));
  return unknown.filter((path) => !found.has(path));
}

/** The path of an address on this site, without what follows `?` or `#`. */
export const pathOf = (address: string) => address.replace(/[?#].*$/s, "");
