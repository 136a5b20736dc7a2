import { sql } from "kysely";
import type { Database } from "#shared/database/connect.ts";
import { dayInSydney, momentInSydney } from "#shared/language.ts";
import type { Banner } from "#shared/pages/frame.ts";

/** The moment of a time as banners have it: YYYY-MM-DDTHH:MM:00 on a clock in Sydney. */
export const momentOf = (clock: string) => momentInSydney(clock.slice(0, 10), clock.slice(11, 16));

type PublishedBanner = { readonly banner: Banner; readonly from: Date; readonly until: Date };

/** What a banner’s columns show, whenever that is. */
export function toBanner(id: string, data: Readonly<Record<string, unknown>>): Banner {
  const { title, link_label: label, link_address: address, starts_at: from } = data;
  const link = label === "" || address === "" ? null : { label: String(label), address: String(address) };
  return { key: `${id}-${from}`, text: String(title), link };
}

/**
 * The published banners, kept in memory: `current` reads no more than a clock, so it may be asked for every request.
 * `refresh` reads them again.
 */
export function createBanners({ database, now }: { database: Database; now: () => Date }) {
  let published: readonly PublishedBanner[] = [];
  return {
    /** Of several, the one that began last. */
    current(): Banner | null {
      if (published.length === 0) return null;
      const at = now();
      return published.find(({ from, until }) => from <= at && at < until)?.banner ?? null;
    },
    async refresh(): Promise<void> {
      const { rows } = await sql<{
        id: string;
        data: Record<string, unknown> & { starts_at: string; ends_at: string };
      }>`
        select id::text, to_jsonb(banners) as data from banners
        where state = 'published' and ends_at > ${dayInSydney(now())}::date
        order by starts_at desc, banners.id desc`.execute(database);
      published = rows.map(({ id, data }) => ({
        banner: toBanner(id, data),
        from: momentOf(data.starts_at),
        until: momentOf(data.ends_at),
      }));
    },
  };
}
