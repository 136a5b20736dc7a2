import { afterAll, beforeAll, expect, test } from "vitest";
import { listHoldings, rulesOf } from "#app/holdings.ts";
import { openTestSite, type TestSite } from "../site.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
});
afterAll(() => site.close());

/** Columns that can hold typed or uploaded data, or that name a user. */
async function listColumns(): Promise<string[]> {
  const { rows } = await site.pool.query(`
    select table_name || '.' || column_name as name
      from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema = 'public' and table_type = 'BASE TABLE'
       and (data_type in ('text', 'character varying', 'character', 'json', 'jsonb', 'bytea', 'inet', 'cidr', 'ARRAY', 'xml', 'USER-DEFINED')
         or column_name in ('user_id'))
    union
    select conrelid::regclass || '.' || attname from pg_constraint join pg_attribute on attrelid = conrelid and attnum = any(conkey)
     where contype = 'f' and confrelid = 'users'::regclass
    order by 1`);
  return rows.map(({ name }) => name);
}

function faultsOf(columns: readonly string[]) {
  const holdings = listHoldings(site.services);
  const personal = rulesOf(holdings).flatMap((rule) => rule.columns);
  const notPersonal = holdings.flatMap((held) => held.notPersonal);
  const declared = new Set([...personal, ...notPersonal]);
  return {
    undeclared: columns.filter((column) => !declared.has(column)),
    unknown: [...declared].filter((column) => !column.startsWith("pgboss.") && !columns.includes(column)),
    both: notPersonal.filter((column) => personal.includes(column)),
  };
}
const noFaults = { undeclared: [], unknown: [], both: [] };

test("SEC-9: every column that can hold personal data is in the table of what we keep, or declared to hold none", async () => {
  const faults = faultsOf(await listColumns());
  expect(faults, "name it in the rules, or under notPersonal, of its feature's retention.ts").toEqual(noFaults);
});

test("SEC-9: an undeclared new column is found", async () => {
  const before = faultsOf(await listColumns()).undeclared;
  await site.pool.query("create table newcomers (nickname text, seen inet, tags text[])");
  const { undeclared } = faultsOf(await listColumns());
  await site.pool.query("drop table newcomers");
  const noticed = undeclared.filter((column) => !before.includes(column));
  expect(noticed).toEqual(["newcomers.nickname", "newcomers.seen", "newcomers.tags"]);
});

test("SEC-9: each row of the table says where, what, why, how long and what happens then, in full sentences", () => {
  const rules = rulesOf(listHoldings(site.services));
  expect(new Set(rules.map(({ name }) => name)).size).toBe(rules.length);
  for (const { name, where, what, why, kept, afterwards, columns } of rules) {
    for (const text of [where, what]) expect(text, name).toMatch(/^[A-Z][^.]*/);
    for (const text of [why, kept, afterwards]) expect(text, name).toMatch(/^[A-Z\d].*\.$/);
    expect(columns.length, name).toBeGreaterThan(0);
  }
});
