import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { findEvent } from "#shared/events/find-event.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { listEvents } from "./events.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
beforeEach(async () => {
  await db.pool.query("delete from events; alter table events alter column id restart");
});
afterAll(() => db.stop());

const now = new Date("2026-11-21T00:00:00Z");
const hoursFromNow = (hours: number) => new Date(now.getTime() + hours * 3_600_000);

/** Events of one hour, named by the hours from now at which they end. */
async function addEvents(...endHours: number[]) {
  for (const [index, hours] of endHours.entries()) {
    await db.pool.query(
      `insert into events (slug, title, summary, image, place, starts_at, ends_at, created_by)
        values ($1, $2, 'S', '/identity/illustrations/ambulance.svg', 'Hall', $3, $4, 'admin')`,
      [`event-${index}`, String(hours), hoursFromNow(hours - 1), hoursFromNow(hours)],
    );
  }
}

/** The titles of all pages, read one after the other. */
async function readAll(limit: number, times: (page: number) => Date = () => now): Promise<string[][]> {
  const pages: string[][] = [];
  let after: string | undefined;
  do {
    const page = await listEvents(db.database, { limit, now: times(pages.length), after });
    pages.push(page!.items.map(({ title }) => title));
    after = page!.next ?? undefined;
  } while (after !== undefined && pages.length < 50);
  return pages;
}

test("PAGE-5: upcoming events come first, soonest first; then past ones, latest first", async () => {
  await addEvents(-30, 50, -2, 3, 0, 20, -10);
  const order = ["3", "20", "50", "0", "-2", "-10", "-30"];
  expect((await readAll(24))[0]).toEqual(order);
  for (const limit of [1, 2, 3, 4, 6]) expect((await readAll(limit)).flat()).toEqual(order);
  const { items } = (await listEvents(db.database, { limit: 24, now }))!;
  expect(items.map(({ isOver }) => isOver)).toEqual([false, false, false, true, true, true, true]);
  expect(items[0]).toMatchObject({ place: "Hall", isOnline: false, timeZone: "Australia/Sydney", createdBy: "admin" });
});

test("PAGE-5: events that end at the same time are neither skipped nor repeated", async () => {
  await addEvents(5, 5, 5, 5, -5, -5, -5, -5);
  const all = (await readAll(3)).flat();
  expect(all).toEqual(["5", "5", "5", "5", "-5", "-5", "-5", "-5"]);
});

test("PAGE-5: an event that ends between two pages hides none of the later ones", async () => {
  await addEvents(1, 2, 3, 4, -1, -2);
  // The first two have ended when the second page is read.
  const pages = await readAll(2, (page) => (page === 0 ? now : hoursFromNow(2.5)));
  expect(pages).toEqual([
    ["1", "2"],
    ["3", "4"],
    ["2", "1"],
    ["-1", "-2"],
  ]);
});

test("PAGE-5: a page of past events continues where the last one ended, whatever has ended since", async () => {
  await addEvents(1, -1, -2, -3);
  const first = (await listEvents(db.database, { limit: 2, now }))!;
  expect(first.next).toMatch(/^over_/);
  const second = await listEvents(db.database, { limit: 2, now: hoursFromNow(5), after: first.next! });
  expect(second!.items.map(({ title }) => title)).toEqual(["-2", "-3"]);
});

test.each(["", "x", "over_", "2026-11-21_1", "past_2026-11-21_1", "over_2026-02-30_1", "over_2026-11-21_1; drop"])(
  "PAGE-5: a list cannot continue at '%s'",
  async (after) => {
    expect(await listEvents(db.database, { limit: 2, now, after })).toBeNull();
  },
);

test("PAGE-5: a made-up cursor shows no draft and causes no error", async () => {
  await addEvents(1, -1);
  await db.pool.query("update events set state = 'draft'");
  for (const after of [
    "coming_2000-01-01_1",
    "coming_2999-01-01_1",
    "over_2999-01-01_999999999999999",
    "over_2000-01-01_1",
  ]) {
    expect(await listEvents(db.database, { limit: 2, now, after })).toEqual({ items: [], next: null });
  }
});

test("PAGE-5: a draft is in no list and has no page", async () => {
  await addEvents(1, 2);
  await db.pool.query("update events set state = 'draft' where slug = 'event-0'");
  expect((await readAll(24))[0]).toEqual(["2"]);
  expect(await findEvent(db.database, "event-0", now)).toBeNull();
  expect(await findEvent(db.database, "nothing", now)).toBeNull();
  expect(await findEvent(db.database, "event-1", now)).toMatchObject({ title: "2", isOver: false });
});

test("PAGE-8: an event's HTML is sanitised on the way out", async () => {
  await addEvents(1);
  await db.pool.query("update events set html = $1", ['<p onclick="x()">Come <script>alert(1)</script><b>all</b></p>']);
  expect((await findEvent(db.database, "event-0", now))!.html).toBe("<p>Come <b>all</b></p>");
});

test("PAGE-5: with ten thousand events, every page reads one index and no more rows than it shows", async () => {
  await db.pool.query(
    `insert into events (slug, title, summary, image, place, starts_at, ends_at, created_by, state)
      select 'e-' || n, n, 'S', '/identity/illustrations/ambulance.svg', 'Hall', at, at, 'admin',
        case when n % 10 = 0 then 'draft' else 'published' end
      from generate_series(1, 10000) n, lateral (select $1::timestamptz + (n - 5000) * interval '1 hour' as at) t`,
    [now],
  );
  await db.pool.query("analyze events");
  const cursorAt = (half: string, n: number) => `${half}_${hoursFromNow(n - 5000).toISOString()}_${n}`;
  for (const after of [
    undefined,
    cursorAt("coming", 7001),
    cursorAt("coming", 9990),
    cursorAt("over", 4001),
    cursorAt("over", 99),
  ]) {
    const plans = await explain(() => listEvents(db.database, { limit: 24, now, after }));
    const scans = plans.flatMap(scansOf);
    expect(scans.map(({ index }) => index)).toEqual(plans.map(() => "events_by_end"));
    expect(scans.reduce((sum, { rows }) => sum + rows, 0)).toBe(25);
    expect(scans.every(({ removed }) => removed === 0)).toBe(true);
  }
});

type Plan = { "Index Name"?: string; "Actual Rows": number; "Rows Removed by Filter"?: number; Plans?: Plan[] };

/** The executed plans of the queries on events that `read` runs. */
async function explain(read: () => Promise<unknown>): Promise<Plan[]> {
  const { pool } = db;
  const connect = pool.connect.bind(pool);
  const seen: { text: string; values: unknown[] }[] = [];
  pool.connect = (async () => {
    const client = await connect();
    const query = client.query.bind(client);
    client.query = ((text: string, values: unknown[]) => {
      if (text.includes('from "events"')) seen.push({ text, values });
      return query(text, values);
    }) as typeof client.query;
    const release = client.release.bind(client);
    client.release = (...given) => {
      client.query = query;
      client.release = release;
      release(...given);
    };
    return client;
  }) as typeof pool.connect;
  await read().finally(() => {
    pool.connect = connect;
  });
  expect(seen.length).toBeGreaterThan(0);
  const plans = seen.map(({ text, values }) => pool.query(`explain (analyze, format json) ${text}`, values));
  return (await Promise.all(plans)).map(({ rows }) => rows[0]["QUERY PLAN"][0].Plan);
}

function scansOf(plan: Plan): { index: string; rows: number; removed: number }[] {
  const name = plan["Index Name"];
  const own =
    name === undefined
      ? []
      : [{ index: name, rows: plan["Actual Rows"], removed: plan["Rows Removed by Filter"] ?? 0 }];
  return [...own, ...(plan.Plans ?? []).flatMap(scansOf)];
}
