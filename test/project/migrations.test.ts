import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { kindOf, listMigrations, migrate } from "#database/migrate.ts";
import { raised } from "#shared/database/raised.ts";
import { judgeExpansion } from "#test/migration-rules.ts";
import { openTestSite, type TestSite } from "#test/site.ts";

const folder = join(import.meta.dirname, "../../database/migrations");
const read = (name: string) => readFileSync(join(folder, name), "utf8");
/** Those before were written without a kind, so no version runs beside the one that brings them. */
const withKind = listMigrations().filter((name) => name >= "0055");

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
});
afterAll(() => site.close());

test("UPG-1: each migration says in its first line whether it only adds, and what only adds disturbs nobody", () => {
  expect(withKind.length).toBeGreaterThan(2);
  for (const name of withKind) {
    expect(read(name), name).toMatch(/^-- (?:expand|contract)\b/);
    if (kindOf(read(name)) === "expand") expect([name, judgeExpansion(read(name))]).toEqual([name, []]);
  }
});

test("UPG-1: the database knows of each migration whether it only adds", async () => {
  const { rows } = await site.pool.query("select name from migrations where kind = 'expand' order by name");
  const said = withKind.filter((name) => read(name).startsWith("-- expand"));
  expect(said.length).toBeGreaterThan(2);
  expect(rows.map(({ name }) => name)).toEqual(said);
});

test("the errors that the database's functions raise are exactly those that the code knows", async () => {
  const { rows } = await site.pool.query("select prosrc from pg_proc where pronamespace = 'public'::regnamespace");
  const codes = rows.flatMap(({ prosrc }) => [...prosrc.matchAll(/errcode = '(AL\w+)'/g)].map(([, code]) => code));
  expect([...new Set(codes)].sort()).toEqual(Object.values(raised).sort());
});

test.each([
  ["alter table donations drop column email;", "takes away"],
  ["drop index donations_recent;", "takes away"],
  ["alter table donations rename column email to address;", "renames"],
  ["alter table donations alter column total_cents type numeric;", "rewrites"],
  ["alter table donations alter column email set not null;", "refuses what"],
  ["alter table donations add column origin text not null;", "give the column a default"],
  ["alter table donations add column a text default 'x', add column b text not null;", "give the column a default"],
  ["alter table donations add constraint positive check (total_cents > 0);", "not valid"],
  ["create index donations_by_origin on donations (origin);", "keeps others from writing"],
  ["delete from donations where state = 'failed';", "removes rows"],
])("UPG-1: negative control: '%s' is no expansion", (statement, said) => {
  expect(judgeExpansion(`-- expand\n${statement}`).join()).toContain(said);
});

test("UPG-1: what adds passes, whatever its comments, functions and texts say", () => {
  const text = `-- expand: drop table donations
    create table gifts (id bigint primary key, note text not null);
    create index gifts_by_note on gifts (note);
    alter table gifts alter column note set not null;
    alter table donations add column origin text not null default 'drop table x', add column b text,
      add constraint known check (origin <> '') not valid;
    create function f() returns void language plpgsql as $$ begin delete from gifts; end $$;`;
  expect(judgeExpansion(text)).toEqual([]);
});

test("UPG-2: beside a newer version the older stays ready and can be started while the newer only added to the database", async () => {
  const ready = async () => {
    const { statusCode, body } = await site.app.inject("/readyz");
    return [statusCode, JSON.parse(body).status];
  };
  const add = (name: string, kind: string) =>
    site.pool.query("insert into migrations (name, kind) values ($1, $2)", [name, kind]);
  expect(await ready()).toEqual([200, "ready"]);
  await add("9998_added.sql", "expand");
  expect(await ready()).toEqual([200, "ready"]);
  expect(await migrate(site.services.databaseUrl)).toEqual([]);
  await add("9999_took_away.sql", "contract");
  expect(await ready()).toEqual([503, "the database is newer than this version"]);
  await expect(migrate(site.services.databaseUrl)).rejects.toThrow(
    "The database is newer than this code: it holds 9999_took_away.sql.",
  );
});

test("UPG-2: a database of a version before kinds is taken as one that nobody else can run on", async () => {
  await site.pool.query("delete from migrations where name >= '9'");
  await site.pool.query("alter table migrations drop column kind");
  expect(await migrate(site.services.databaseUrl)).toEqual([]);
  const { rows } = await site.pool.query("select distinct kind from migrations");
  expect(rows).toEqual([{ kind: "contract" }]);
});
