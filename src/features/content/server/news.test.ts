import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { findArticle, listNews } from "./news.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
  // Three a day, so that pages end within a day.
  await db.pool.query(
    `insert into news (slug, title, excerpt, html, image, published_on, state)
      select 'n-' || n, 'n' || n, 'e', '<p>Text</p><script>x</script>', '/identity/illustrations/ambulance.svg',
        date '2026-01-01' + n / 3, case when n = 30 then 'draft' else 'published' end
      from generate_series(1, 30) n`,
  );
});
afterAll(() => db.stop());

test("HOME-10: the list of news holds every published article once, newest first, page by page", async () => {
  const seen: string[] = [];
  let after: string | undefined;
  for (let pages = 1; pages <= 3; pages += 1) {
    const page = await listNews(db.database, { limit: 10, after });
    seen.push(...page!.items.map(({ title }) => title));
    after = page!.next ?? undefined;
    expect(after === undefined).toBe(pages === 3);
  }
  expect(seen).toEqual(Array.from({ length: 29 }, (_, index) => `n${29 - index}`));
});

test("HOME-10: news that arrives while reading does not shift the next page", async () => {
  const first = await listNews(db.database, { limit: 10 });
  await db.pool.query(
    "insert into news (slug, title, excerpt, image, published_on) values ('late', 'late', '', '/x.svg', '2027-01-01')",
  );
  const second = await listNews(db.database, { limit: 1, after: first!.next! });
  expect(second?.items[0]?.title).toBe("n19");
  await db.pool.query("delete from news where slug = 'late'");
});

test("HOME-10: an invalid cursor gives no page", async () => {
  for (const after of ["", "x", "2026-02-30_1", "2026-01-01_1 or 1=1"]) {
    expect(await listNews(db.database, { limit: 10, after }), after).toBeNull();
  }
  expect(await listNews(db.database, { limit: 10, after: "1990-01-01_1" })).toEqual({ items: [], next: null });
});

test("HOME-10, PAGE-8: an article is found by its address, with sanitised text; a draft is not", async () => {
  expect(await findArticle(db.database, "n-29")).toMatchObject({
    slug: "n-29",
    title: "n29",
    html: "<p>Text</p>",
    date: "2026-01-10",
    picture: { address: "/identity/illustrations/ambulance.svg", width: 800, height: 600 },
    updatedAt: expect.any(Date),
  });
  expect(await findArticle(db.database, "n-30")).toBeNull();
  expect(await findArticle(db.database, "nothing")).toBeNull();
});
