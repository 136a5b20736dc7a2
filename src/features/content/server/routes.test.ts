import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seedDemo } from "#database/seed.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import organisation from "../../../../organisation.json" with { type: "json" };
import { contentRoutes } from "./routes.ts";
import { findHome } from "./store.ts";

let db: TestDatabase;
let app: FastifyInstance;

beforeAll(async () => {
  db = await createTestDatabase();
  app = Fastify();
  await app.register(contentRoutes, {
    prefix: "/api",
    database: db.database,
    organisation: () => organisation as never,
  });
});
afterAll(async () => {
  await app.close();
  await db.stop();
});

test("API-2: GET /api/home answers chairman_messages, causes, testimonials and news in the envelope", async () => {
  const empty = (await app.inject("/api/home")).json();
  expect(empty).toMatchObject({ code: "200", status: "true", data: { testimonials: [], news: [] } });
  expect(empty.data.causes).toHaveLength(6);
  expect(await seedDemo(db.database)).toBe(true);
  const { data } = (await app.inject("/api/home")).json();
  expect(Object.keys(data).sort()).toEqual(["causes", "chairman_messages", "news", "testimonials"]);
  expect(Object.keys(data.chairman_messages[0]).sort()).toEqual(["image", "title"]);
  expect(Object.keys(data.causes[0]).sort()).toEqual(["description", "image", "title"]);
  expect(Object.keys(data.news[0]).sort()).toEqual(["date", "excerpt", "image", "title"]);
  expect(data.news[0].image).toMatch(/^\//);
  const dates = data.news.map(({ date }: { date: string }) => date);
  expect(dates).toEqual([...dates].sort().reverse());
});

test("API-2: POST /api/site-info answers phone, email and address as the first of a list", async () => {
  const answer = await app.inject({ method: "POST", url: "/api/site-info", payload: {} });
  const { phone, email, address } = organisation;
  expect(answer.json()).toMatchObject({ code: "200", status: "true", data: [{ phone, email, address }] });
});

test("REL-5: the demo seed adds its rows once", async () => {
  expect(await seedDemo(db.database)).toBe(false);
  const count = await db.pool.query("select count(*)::int as n from testimonials");
  expect(count.rows[0].n).toBe(6);
});

test("HOME-8: home reads the six newest gallery items and no more", async () => {
  await db.pool.query(
    "insert into gallery_items (title, description, image, image_date, created_by) select 'n' || n, '', '/x.svg', date '2026-12-01' + n, 'a' from generate_series(1, 8) n",
  );
  const { gallery } = await findHome(db.database);
  expect(gallery.map(({ title }) => title)).toEqual(["n8", "n7", "n6", "n5", "n4", "n3"]);
});

test("HOME-3: the chairman's message is read as words, without its markup", async () => {
  await db.pool.query(
    "update pages set html = '<p>Rice &amp; bread.</p><script>x</script> &#8220;Yes&#8221;' where type = 'msg_chairman'",
  );
  expect((await findHome(db.database)).chairmanText).toBe("Rice & bread. x “Yes”");
});
