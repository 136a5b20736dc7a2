import { sql } from "kysely";
import type { Database } from "#shared/database/connect.ts";
import { legalPaths } from "../legal-pages.ts";
import { takeInChanges } from "./editing/items.ts";
import { type ContentData, type Kind, toText } from "./editing/kind.ts";
import { findKind } from "./editing/kinds.ts";
import { searchDescription } from "./introductions.ts";

/** Every site is delivered with these; the policies are read on their own. */
const delivered = ["home", "pages", "services", "causes"];
/** Of the home page, what it says of the work: its other sentences fit any charity. */
const homeClaims = ["causes_lede", "donors_lede", "search_description"];
/** Only the demo has them; elsewhere staff wrote whatever there is. */
const invented = ["news", "events"];

type Row = {
  readonly id: number;
  readonly kind: string;
  readonly data: ContentData;
  readonly delivered: ContentData;
};

/**
 * What visitors see that still has a text of the example, with the labels of its fields and where it is edited. Compares
 * what is published with version 1, which is what stood there before anybody wrote in the back office.
 */
export async function listExampleTexts(database: Database, { isDemo }: { isDemo: boolean }) {
  const names = isDemo ? [...delivered, ...invented] : delivered;
  const asked = names.map((name) => findKind(name)!);
  for (const kind of asked) await takeInChanges(database, kind);
  const { rows } = await sql<Row>`
    select item.id, item.kind, published.data, delivered.data as delivered
      from content_items item
      join content_versions published on published.item_id = item.id and published.number = item.published_version
      join content_versions delivered on delivered.item_id = item.id and delivered.number = 1
     where item.kind = any(${names}) and item.live_key <> all(${Object.keys(legalPaths)}) and delivered.saved_by is null
     order by published.data ->> 'title', item.id`.execute(database);
  return asked.flatMap((kind) =>
    rows
      .filter((row) => row.kind === kind.name)
      .map((row) => ({
        title: toText(row.data.title),
        kind: kind.words.one,
        fields: listSame(kind, row),
        editPath: `/admin/${kind.name}/${row.id}`,
      }))
      .filter(({ fields }) => fields.length > 0),
  );
}

/** The labels of the texts that are word for word as delivered. */
function listSame({ name: kind, fields }: Kind, { data, delivered }: Pick<Row, "data" | "delivered">): string[] {
  return (
    fields
      .filter(({ input }) => input === "html" || input === "lines")
      // Of a page it claims nothing: it says what the page is about.
      .filter(({ name }) => (kind === "home" ? homeClaims.includes(name) : name !== searchDescription.name))
      .filter(({ name }) => toText(data[name]) !== "" && toText(data[name]) === toText(delivered[name]))
      .map(({ label }) => label)
  );
}
