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

test("NAV-9: a change of a row is dated by the database", async () => {
  const before = new Date(Date.now() - 1000);
  await db.pool.query("update pages set title = 'Vision' where type = 'vision'");
  const { changedAt } = (await listChanges(db.database)).find(({ path }) => path === "/vision")!;
  expect(changedAt!.getTime()).toBeGreaterThan(before.getTime());
});
