import { afterAll, beforeAll, expect, test } from "vitest";
import { makeManyDonors } from "#database/many-donations.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { explainSearch, explainStatement } from "#test/explain-search.ts";
import { searchKinds } from "#test/search-kinds.ts";
import { noFilter } from "./donation-filter.ts";
import type { DonationOrder } from "./donation-order.ts";
import { listDonations } from "./list-donations.ts";

const DONATIONS = 20_000;
const until = new Date("2026-11-01T00:00:00Z");
/** The limits of a search, scaled down from those for a million donations. */
const depth = { first: 200, ofFilter: 600 };
const limit = 3;

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
  await makeManyDonors(db.database, { count: DONATIONS, until });
});
afterAll(() => db.stop());

/** Small tables that are read whole, and do not grow with the donations. */
const isSmall = (table: string) => !/^(donations|donation_|payment_|receipts)/.test(table);

test("DESK-9: no search reads more than a tenth of the donations, and any further reading uses an index", async () => {
  const tooMuch: string[] = [];
  for (const [name, filters] of searchKinds(until, DONATIONS)) {
    for (const filter of filters) {
      const { examined, scanned } = await explainSearch(db.pool, filter, { depth, limit });
      const whole = scanned.filter((table) => !isSmall(table));
      if (examined > DONATIONS / 10 || whole.length > 0) {
        tooMuch.push(`${name} ${JSON.stringify(filter)}: ${examined} rows, whole: ${whole}`);
      }
    }
  }
  expect(tooMuch).toEqual([]);
});

test("DESK-11: the largest of whatever is searched for are found without reading a table whole", async () => {
  const whole: string[] = [];
  for (const [name, filters] of searchKinds(until, DONATIONS)) {
    for (const filter of filters) {
      const { scanned } = await explainSearch(db.pool, filter, { depth, limit, order: "largest" });
      whole.push(...scanned.filter((table) => !isSmall(table)).map((table) => `${name}: ${table}`));
    }
  }
  expect(whole).toEqual([]);
});

test("DESK-9: negative control: without the index by time, a search reads more than a tenth", async () => {
  await db.pool.query("drop index donations_by_time");
  expect((await explainSearch(db.pool, {}, { depth })).examined).toBeGreaterThan(DONATIONS / 10);
  await db.pool.query("create index donations_by_time on donations (created_at, id)");
});

test("DESK-9: a search for part of an email uses the letters on both sides of the @; negative control: if the index writes no letter for @, every address at that host is read", async () => {
  const across = { q: "3@gmail.com" };
  expect((await explainSearch(db.pool, across, { depth, limit })).examined).toBeLessThan(DONATIONS / 10);
  await db.pool.query("create index donations_by_text on donations using gin (search_text gin_trgm_ops)");
  const { examined } = await explainStatement(db.pool, "select from donations where search_text like '%3@gmail.com%'");
  expect(examined).toBeGreaterThan(DONATIONS / 10);
  await db.pool.query("drop index donations_by_text");
});

test("DESK-1: however deep a search goes, it finds the same rows as reading the whole table", async () => {
  const examples = [
    [{ q: "zephyrine" }, "first_name = 'Zephyrine'"],
    [{ q: "khan", method: "pp" }, "last_name in ('Khan') and method = 'pp'"],
    [{ fund: "flood-relief" }, "id in (select donation_id from donation_lines where fund = 'flood-relief')"],
    [{ minCents: 200_000 }, "total_cents >= 200000"],
    [{ state: "disputed" }, "id in (select donation_id from payment_attempts where state = 'disputed')"],
    [{ q: "کھان", state: "declined" }, "false"],
    [{ q: "fa" }, "search_words(search_text) @@ 'fa:*'"],
    [{ q: "fa", minCents: 500_000 }, "search_words(search_text) @@ 'fa:*' and total_cents >= 500000"],
    [{ q: "a.1@hot" }, "email ~ 'a[.]1@hot'"],
    [{ q: "n@g" }, "email ~ 'n@g'"],
    [{ q: "41@example" }, "email ~ '41@example'"],
  ] as const;
  for (const [filter, condition] of examples) {
    for (const order of Object.keys(sorted) as DonationOrder[]) {
      const { rows } = await db.pool.query(
        `select id from donations where ${condition} order by ${sorted[order]} limit 25`,
      );
      const found = await listDonations(db.database, { filter: { ...noFilter, ...filter }, order, limit: 25, depth });
      expect(found.rows.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
    }
  }
});

const sorted: Readonly<Record<DonationOrder, string>> = {
  newest: "created_at desc, id desc",
  oldest: "created_at, id",
  largest: "total_cents desc, created_at desc, id desc",
  smallest: "total_cents, created_at, id",
};

test("DESK-11: in each order, paging both ways skips and repeats nothing, with a filter too", async () => {
  for (const order of Object.keys(sorted) as DonationOrder[]) {
    const filter = { ...noFilter, from: new Date("2026-01-01T00:00:00Z"), method: "pp" } as const;
    const { rows } = await db.pool.query(
      `select id from donations where created_at >= $1 and method = 'pp' order by ${sorted[order]} limit 120`,
      [filter.from],
    );
    const pages = [await listDonations(db.database, { filter, order, limit: 40, depth })];
    for (let page = 0; page < 2; page += 1) {
      pages.push(await listDonations(db.database, { filter, order, limit: 40, depth, next: pages.at(-1)!.next }));
    }
    expect(pages.flatMap((page) => page.rows.map(({ id }) => id))).toEqual(rows.map(({ id }) => id));
    const back = await listDonations(db.database, { filter, order, limit: 40, depth, previous: pages[2]!.previous });
    expect(back.rows).toEqual(pages[1]!.rows);
    expect(pages[0]!.previous).toBeNull();
  }
});
