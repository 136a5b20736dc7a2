import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { listChanges } from "./page-changes.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.stop());

const drawing = "/identity/illustrations/hospital.svg";

test("NAV-9: pages whose content is in the database are listed with their last change, drafts are not", async () => {
  await db.pool.query(
    `insert into news (slug, title, excerpt, image, published_on, state) values
      ('old', 'Old', 'e', $1, '2026-01-01', 'published'), ('draft', 'Draft', 'e', $1, '2026-02-01', 'draft')`,
    [drawing],
  );
  await db.pool.query(
    `insert into events (slug, title, summary, image, place, starts_at, ends_at, created_by, state) values
      ('dinner', 'Dinner', 's', $1, 'Auburn', now(), now(), 'admin', 'published'),
      ('secret', 'Secret', 's', $1, 'Auburn', now(), now(), 'admin', 'draft')`,
    [drawing],
  );
  await db.pool.query("alter table news disable trigger news_touched");
  await db.pool.query("update news set updated_at = '2026-03-01' where slug = 'old'");
  const changes = await listChanges(db.database);
  const paths = changes.map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining(["/", "/vision", "world", "/news", "/news/old", "/events/dinner"]));
  expect(paths).not.toContain("/news/draft");
  expect(paths).not.toContain("/events/secret");
  expect(paths).not.toContain("/gallery");
  const dayOf = (wanted: string) => changes.find(({ path }) => path === wanted)!.changedAt!.toISOString();
  expect(dayOf("/news/old")).toMatch(/^2026-03-01/);
  expect(dayOf("/news")).toBe(dayOf("/news/old"));
  expect(new Set(paths).size).toBe(paths.length);
});

test("NAV-9: the home page is dated by the latest change of what it shows, and by no other page", async () => {
  const dayOfHome = async () =>
    (await listChanges(db.database))
      .find(({ path }) => path === "/")!
      .changedAt!.toISOString()
      .slice(0, 10);
  const date = async (table: string, day: string, where = "true") => {
    await db.pool.query(`alter table ${table} disable trigger ${table}_touched`);
    await db.pool.query(`update ${table} set updated_at = $1 where ${where}`, [day]);
  };
  const shown = ["home", "pages", "causes", "testimonials", "news", "gallery_items"];
  for (const table of shown) await date(table, "2026-01-01");
  await date("pages", "2026-09-01", "type = 'vision'");
  expect(await dayOfHome()).toBe("2026-01-01");
  for (const [index, table] of ["home", "news", "causes"].entries()) {
    await date(table, `2026-02-0${index + 1}`);
    expect(await dayOfHome()).toBe(`2026-02-0${index + 1}`);
  }
  await date("pages", "2026-03-01", "type = 'msg_chairman'");
  expect(await dayOfHome()).toBe("2026-03-01");
  await db.pool.query("alter table pages enable trigger pages_touched");
});

test("NAV-9: a change of a row is dated by the database", async () => {
  const before = new Date(Date.now() - 1000);
  await db.pool.query("update pages set title = 'Vision' where type = 'vision'");
  const { changedAt } = (await listChanges(db.database)).find(({ path }) => path === "/vision")!;
  expect(changedAt!.getTime()).toBeGreaterThan(before.getTime());
});
