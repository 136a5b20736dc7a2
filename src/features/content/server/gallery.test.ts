import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { listGallery } from "./gallery.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
  await db.pool.query(
    `insert into gallery_items (title, description, image, image_date, created_by, state)
      select 'n' || n, 'd', '/x.svg', date '2026-01-01' + n / 3, 'admin', case when n = 7 then 'draft' else 'published' end
      from generate_series(1, 8) n`,
  );
});
afterAll(() => db.stop());

test("PAGE-6: the gallery lists every published picture once, newest first, with who made it and when", async () => {
  const first = await listGallery(db.database, { limit: 4 });
  expect(first?.items.map(({ title }) => title)).toEqual(["n8", "n6", "n5", "n4"]);
  expect(first?.items[0]).toMatchObject({ description: "d", date: "2026-01-03", createdBy: "admin", id: 8 });
  const second = await listGallery(db.database, { limit: 4, after: first!.next! });
  expect(second).toMatchObject({ items: [{ title: "n3" }, { title: "n2" }, { title: "n1" }], next: null });
  expect(await listGallery(db.database, { limit: 4, after: "soon" })).toBeNull();
});

test("PAGE-6: a page deep in a long gallery reads only its own rows", async () => {
  await db.pool.query(
    "insert into gallery_items (title, description, image, image_date, created_by) select 'm', '', '/x.svg', date '1990-01-01' + n, 'a' from generate_series(1, 10000) n",
  );
  await db.pool.query("analyze gallery_items");
  const { rows } = await db.pool.query(
    `explain (analyze, format json) select id, title, description, image, image_date, created_by from gallery_items
      where state = 'published' and (image_date, id) < ('2000-01-01'::date, 9) order by image_date desc, id desc limit 25`,
  );
  const [{ Plan: plan }] = rows[0]["QUERY PLAN"];
  expect(plan.Plans[0]).toMatchObject({ "Index Name": "gallery_items_newest_first", "Actual Rows": 25 });
});
