import { type RawBuilder, sql } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import type { ContentData, ContentField, Kind } from "./kind.ts";
import "../tables.ts";

/** A row of the table that the site reads. */
export type LiveRow = { readonly data: ContentData; readonly isPublished: boolean; readonly updatedAt: Date };

/** The columns of the row `live` that staff edit, as a version stores them. */
export function liveData({ fields }: Kind): RawBuilder<ContentData> {
  const pairs = fields.map((field) => sql`${sql.lit(field.name)}, ${readColumn(field)}`);
  return sql<ContentData>`jsonb_build_object(${sql.join(pairs)})`;
}

/** Versions keep a time as it is on the clock of the column `time_zone`. */
const readColumn = ({ name, input }: ContentField) =>
  input === "clock"
    ? sql`to_char(${sql.ref(`live.${name}`)} at time zone live.time_zone, 'YYYY-MM-DD"T"HH24:MI:SS')`
    : sql.ref(`live.${name}`);

const givenColumn = ({ name, input }: ContentField, data: ContentData) =>
  input === "clock" ? sql`${data[name]}::timestamp at time zone given.time_zone` : sql.ref(`given.${name}`);

/** The condition that visitors see the row `live`. What is never taken down has no state. */
export const isLivePublished = ({ stays }: Kind): RawBuilder<boolean> =>
  stays === "all" ? sql<boolean>`true` : sql<boolean>`live.state = 'published'`;

/** The table that the site reads, under the name that the other parts of a query here expect. */
export const liveTable = ({ table }: Kind) => sql`${sql.table(table)} as live`;

/** The key as text, as an item has it. */
export const liveKey = ({ key }: Kind): RawBuilder<string> => sql<string>`${sql.ref(`live.${key}`)}::text`;

/** The condition that `live` is the row with this key, given as text. */
export function hasKey({ key }: Kind, text: string | RawBuilder<unknown>): RawBuilder<boolean> {
  return key === "id" ? sql<boolean>`live.id = ${text}::bigint` : sql<boolean>`${sql.ref(`live.${key}`)} = ${text}`;
}

/** Reads a row, and keeps others from changing it until the transaction ends. */
export async function lockLiveRow(connection: Connection, kind: Kind, key: string): Promise<LiveRow | null> {
  const { rows } = await sql<LiveRow>`
    select ${liveData(kind)} as data, ${isLivePublished(kind)} as "isPublished", live.updated_at as "updatedAt"
    from ${liveTable(kind)} where ${hasKey(kind, key)} for update`.execute(connection);
  return rows[0] ?? null;
}

type Written = { readonly key: string; readonly updatedAt: Date };

/** Writes the data into the row with this key, for visitors to see; without such a row, into a new one. */
export async function writeLiveRow(
  connection: Connection,
  kind: Kind,
  { key, data }: { key: string | null; data: ContentData },
): Promise<Written> {
  const { fields } = kind;
  const given = sql`jsonb_populate_record(null::${sql.table(kind.table)}, ${JSON.stringify(data)}::jsonb) as given`;
  const written = sql`returning ${liveKey(kind)} as key, live.updated_at as "updatedAt"`;
  if (key !== null) {
    const pairs = fields.map((field) => sql`${sql.ref(field.name)} = ${givenColumn(field, data)}`);
    const state = kind.stays === "all" ? sql`` : sql`, state = 'published'`;
    const { rows } = await sql<Written>`
      update ${liveTable(kind)} set ${sql.join(pairs)}${state} from ${given}
      where ${hasKey(kind, key)} ${written}`.execute(connection);
    if (rows[0] !== undefined) return rows[0];
  }
  const columns = fields.map(({ name }) => sql.ref(name));
  const values = fields.map((field) => givenColumn(field, data));
  // A key that is not a number belongs to the item, and stays.
  const isNamed = kind.key !== "id";
  const { rows } = await sql<Written>`
    insert into ${liveTable(kind)} (${sql.join(isNamed ? [sql.ref(kind.key), ...columns] : columns)})
    select ${sql.join(isNamed ? [sql`${key}`, ...values] : values)} from ${given} ${written}`.execute(connection);
  return rows[0]!;
}

/** Hides the row from visitors. */
export async function hideLiveRow(connection: Connection, kind: Kind, key: string): Promise<Date> {
  const { rows } = await sql<{ updatedAt: Date }>`
    update ${liveTable(kind)} set state = 'draft' where ${hasKey(kind, key)}
    returning live.updated_at as "updatedAt"`.execute(connection);
  return rows[0]!.updatedAt;
}
