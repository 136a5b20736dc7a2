import { sql } from "kysely";
import type { Connection, Database } from "#shared/database/connect.ts";
import { DAY_MS } from "#shared/day-length.ts";
import { canLead, listLinks } from "#shared/html/list-links.ts";
import { type ContentData, type ContentValue, type Kind, toText } from "../editing/kind.ts";
import { kinds } from "../editing/kinds.ts";
import { isLivePublished, liveData, liveKey, liveTable } from "../editing/live-row.ts";

/** Links of a draft that nobody saves again are forgotten after this. */
const KEPT_AFTER_SAVING_MS = 30 * DAY_MS;

/** A link and the place where it stands, by the columns of their tables. */
type FoundLink = { readonly address: string; readonly host: string; readonly kind: string; readonly live_key: string };

/**
 * Brings the list of external links up to what is published, if that has changed. New ones are due for a check; those
 * that stand nowhere any more, and in no draft of the last month, are forgotten.
 */
export async function takeInLinks(database: Database, now: Date): Promise<void> {
  if (await isCurrent(database)) return;
  await database.transaction().execute(async (transaction) => {
    await transaction.selectFrom("external_link_checks").select("content_version").forUpdate().execute();
    if (await isCurrent(transaction)) return;
    // The version comes first: what is published from now on is read next time.
    await sql`
      update external_link_checks set content_version = (select version from content_version)`.execute(transaction);
    const found = JSON.stringify(await findLinks(transaction));
    const rows = sql`jsonb_to_recordset(${found}::jsonb) as found(address text, host text, kind text, live_key text)`;
    await sql`
      insert into external_links (address, host, check_at) select distinct address, host, ${now}::timestamptz from ${rows}
      on conflict (address) do nothing`.execute(transaction);
    await sql`delete from external_link_uses`.execute(transaction);
    await sql`
      insert into external_link_uses (link_id, kind, live_key)
      select distinct link.id, found.kind, found.live_key from ${rows} join external_links as link using (address)
    `.execute(transaction);
    const forgottenAt = new Date(now.getTime() - KEPT_AFTER_SAVING_MS);
    await sql`
      delete from external_links where not exists (select from external_link_uses where link_id = id)
        and (saved_at is null or saved_at < ${forgottenAt}::timestamptz)
    `.execute(transaction);
  });
}

/** Has the links of a version that is being saved checked soon, so that editors know of dead ones before they publish. */
export async function takeInSavedLinks(
  transaction: Connection,
  kind: Kind,
  { data, at }: { data: ContentData; at: Date },
): Promise<void> {
  const found = findLinksIn(kind, data, { kind: kind.name, live_key: "" });
  if (found.length === 0) return;
  const rows = sql`jsonb_to_recordset(${JSON.stringify(found)}::jsonb) as found(address text, host text)`;
  await sql`
    insert into external_links (address, host, check_at, saved_at)
    select distinct address, host, ${at}::timestamptz, ${at}::timestamptz from ${rows} order by address
    on conflict (address) do update set saved_at = excluded.saved_at`.execute(transaction);
}

async function isCurrent(connection: Connection): Promise<boolean> {
  const { rows } = await sql<{ isCurrent: boolean }>`
    select content_version = version as "isCurrent" from external_link_checks, content_version`.execute(connection);
  return rows[0]!.isCurrent;
}

async function findLinks(connection: Connection): Promise<FoundLink[]> {
  const found = await Promise.all(kinds.map((kind) => findLinksOfKind(connection, kind)));
  return found.flat();
}

async function findLinksOfKind(connection: Connection, kind: Kind): Promise<FoundLink[]> {
  const { rows } = await sql<{ key: string; data: ContentData }>`
    select ${liveKey(kind)} as key, ${liveData(kind)} as data from ${liveTable(kind)}
    where ${isLivePublished(kind)} and strpos(lower(${liveData(kind)}::text), 'http') > 0`.execute(connection);
  return rows.flatMap(({ key, data }) => findLinksIn(kind, data, { kind: kind.name, live_key: key }));
}

const findLinksIn = (kind: Kind, data: ContentData, where: Pick<FoundLink, "kind" | "live_key">): FoundLink[] =>
  kind.fields.flatMap(({ name, input }) =>
    toFound(input === "html" ? listLinks(toText(data[name])).others : addressesIn(data[name]), where),
  );

/** The addresses of a list of links, or the text if it is one address. */
function addressesIn(value: ContentValue | undefined): readonly string[] {
  if (typeof value === "string") return /^\S+$/.test(value) ? [value] : [];
  return typeof value === "object" && value !== null ? value.map(({ url }) => url) : [];
}

const toFound = (addresses: readonly string[], where: Pick<FoundLink, "kind" | "live_key">): FoundLink[] =>
  addresses.flatMap((address) => {
    const link = externalAddress(address);
    return link === null ? [] : { address: link, host: new URL(link).hostname, ...where };
  });

const MAX_CHARACTERS = 2000;

/** A web address as it is checked, without what follows `#`; null for other kinds, and for what cannot lead anywhere. */
export function externalAddress(address: string): string | null {
  const url = /^https?:/i.test(address) && canLead(address) ? new URL(address) : null;
  if (url === null) return null;
  url.hash = "";
  return url.href.length > MAX_CHARACTERS ? null : url.href;
}
