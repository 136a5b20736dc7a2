import { afterAll, beforeAll, expect, test } from "vitest";
import { listHoldings, rulesOf } from "#app/holdings.ts";
import { makeRefund } from "#database/factories.ts";
import { applyRetention } from "#shared/retention/retention.ts";
import { PASSWORD, registerUser } from "../accounts.ts";
import { doEverything, leaver } from "../leaver.ts";
import { findText } from "../personal-data.ts";
import { openTestSite, type TestSite, type Visitor } from "../site.ts";

const YEAR_MS = 366 * 86_400_000;
/** The negative control: a personal column that nothing exports and nothing erases. */
const planted = "donations.dedication";

let site: TestSite;
let visitor: Visitor;
let personal: string[];
let exported: string[];
beforeAll(async () => {
  site = await openTestSite();
  const { firstName, lastName, email, mobile } = leaver;
  const registered = await registerUser(site, undefined, { firstName, lastName, email, mobile });
  visitor = registered.visitor;
  await doEverything(site, visitor, registered.user.id);
  await addRareRows();
  await site.pool.query("alter table donations add column dedication text");
  const holdings = listHoldings(site.services);
  const kept = new Set(holdings.flatMap(({ notExported = [] }) => notExported));
  personal = rulesOf(holdings).flatMap(({ columns }) => columns.filter((column) => !column.startsWith("pgboss.")));
  exported = [...new Set(personal)].filter((column) => !kept.has(column));
  await dropChecks();
  for (const column of [...exported, planted]) await mark(column);
  // The download has the emails that went to the confirmed address.
  await site.pool.query("update mailbox_messages set recipient = $1", [markerOf("users.email")]);
  await site.pool.query("update users set email_verified_at = now()");
});
afterAll(() => site.close());

/** What a leaver has only after more than `doEverything`: a passkey, a check and a refund. */
async function addRareRows() {
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
async function dropChecks() {
  const { rows } = await site.pool.query(`
    select conrelid::regclass as relation, conname as name from pg_constraint
     where contype = 'c' and connamespace = 'public'::regnamespace`);
  for (const { relation, name } of rows) await site.pool.query(`alter table ${relation} drop constraint ${name}`);
}

const markerOf = (column: string) => `⟦${column}⟧`;
/** Where a marker stands in a column of each type. */
const markers: Record<string, string> = {
  text: "$1::text",
  ARRAY: "array[$1::text]",
  jsonb: `jsonb_build_object('donorName', $1::text)`,
  bytea: "convert_to($1, 'UTF8')",
};

async function mark(column: string) {
  const [table, name] = column.split(".");
  const { rows } = await site.pool.query(
    "select data_type as type from information_schema.columns where table_name = $1 and column_name = $2",
    [table, name],
  );
  const value = rows[0].type === "jsonb" ? `${name} || ${markers.jsonb}` : markers[rows[0].type];
  const { rowCount } = await site.pool.query(`update ${table} set ${name} = ${value}`, [markerOf(column)]);
  expect(rowCount, `${column}: there is no row; let doEverything or addRareRows write one`).toBeGreaterThan(0);
}

test("PRO-12, SEC-9: every personal column is in the download, or declared to be left out of it", async () => {
  const text = (await visitor.ask({ url: "/api/my-data" })).body;
  const isThere = (column: string) =>
    [markerOf(column), Buffer.from(markerOf(column)).toString("base64")].some((marker) => text.includes(marker));
  const missing = [...exported, planted].filter((column) => !isThere(column));
  const { donations, tickets } = JSON.parse(text);
  const refunded = (bought: { refunds: unknown[] }) => bought.refunds.length > 0;
  expect([donations, tickets].map((some) => some.filter(refunded).length)).toEqual([1, 2]);
  expect(missing, "add them to the exportOf of their feature's holdings, or to notExported with the reason").toEqual([
    planted,
  ]);
  const undeclared = listHoldings(site.services)
    .flatMap(({ notExported = [] }) => notExported)
    .filter((column) => !personal.includes(column));
  expect(undeclared, "notExported names what no rule keeps").toEqual([]);
});

test("PRO-11, SEC-9: every column of the download is erased once its account is closed and its time is over", async () => {
  expect(await visitor.post("/api/close-account", { password: PASSWORD })).toMatchObject({ code: "200" });
  site.clock.advance(8 * YEAR_MS);
  await applyRetention(site.services, rulesOf(listHoldings(site.services)));
  const left = await findText(site.pool, ["⟦"]);
  expect(left, "let the erase and release of their feature's holdings empty them").toEqual([planted]);
});
