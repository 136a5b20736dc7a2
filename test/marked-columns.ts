import { expect } from "vitest";
import { makeRefund } from "#database/factories.ts";
import type { TestSite } from "./site.ts";

/** What a leaver has only after more than `doEverything`: a passkey, a check and a refund. */
export async function addRareRows(site: TestSite): Promise<void> {
  await site.pool.query(`
    insert into passkeys (id, user_id, credential_id, public_key, user_handle, counter, transports, name, created_at)
    select gen_random_uuid(), id, 'credential', '', 'handle', 0, '{usb}', 'Key ring', now() from users`);
  await site.pool.query(`
    insert into working_with_children_checks (id, application_id, state, number, kind, expires_on, created_at)
    select gen_random_uuid(), id, 'NSW', 'WWC1234567E', 'volunteer', '2030-01-01', now() from volunteer_applications`);
  await site.pool.query(`
    insert into volunteer_shifts (id, title, starts_at, ends_at, last_day, created_at)
    values ('00000000-0000-4000-8000-000000000001', 'Stall', now(), now() + interval '1 hour', now(), now())`);
  await site.pool.query(`
    insert into volunteer_shift_roles (shift_id, role, wanted)
    values ('00000000-0000-4000-8000-000000000001', 'Events', 1)`);
  await site.pool.query(`
    insert into volunteer_shift_places (id, shift_id, role, application_id, taken_at, minutes)
    select gen_random_uuid(), '00000000-0000-4000-8000-000000000001', 'Events', id, now(), 60
      from volunteer_applications`);
  const { rows } = await site.pool.query(`
    select id, donation_id is null as "isOfTickets" from payment_attempts where state = 'succeeded'`);
  for (const { id, isOfTickets } of rows) {
    await makeRefund(site.database, id, { [isOfTickets ? "tickets" : "donations:zakat"]: 100 });
  }
}

/** So that every column takes its marker. */
export async function dropChecks(site: TestSite): Promise<void> {
  const { rows } = await site.pool.query(`
    select conrelid::regclass as relation, conname as name from pg_constraint
     where contype = 'c' and connamespace = 'public'::regnamespace`);
  for (const { relation, name } of rows) await site.pool.query(`alter table ${relation} drop constraint ${name}`);
}

export const markerOf = (column: string) => `⟦${column}⟧`;
/** Where a marker stands in a column of each type. */
const markers: Record<string, string> = {
  text: "$1::text",
  ARRAY: "array[$1::text]",
  jsonb: `jsonb_build_object('donorName', $1::text)`,
  bytea: "convert_to($1, 'UTF8')",
};

/** Writes the column’s marker into every row of its table. */
export async function mark(site: TestSite, column: string): Promise<void> {
  const [table, name] = column.split(".");
  const { rows } = await site.pool.query(
    "select data_type as type from information_schema.columns where table_name = $1 and column_name = $2",
    [table, name],
  );
  expect(markers, `${column}: a number has no marker; name the column in notExported`).toHaveProperty(rows[0].type);
  const value = rows[0].type === "jsonb" ? `coalesce(${name}, '{}') || ${markers.jsonb}` : markers[rows[0].type];
  const { rowCount } = await site.pool.query(`update ${table} set ${name} = ${value}`, [markerOf(column)]);
  expect(rowCount, `${column}: there is no row; let doEverything or addRareRows write one`).toBeGreaterThan(0);
}
