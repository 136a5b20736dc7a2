import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seedDemo } from "#database/seed.ts";
import { answerError } from "#shared/http/answer-errors.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { chashma } from "#test/organisation.ts";
import organisation from "../../../../organisation.json" with { type: "json" };
import { contentReads } from "./content-reads.ts";
import { contentRoutes } from "./routes.ts";

let db: TestDatabase;
let app: FastifyInstance;

beforeAll(async () => {
  db = await createTestDatabase();
  app = Fastify();
  // As on the server: only the contract validates input.
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  app.setErrorHandler(answerError);
  await app.register(contentRoutes, {
    prefix: "/api",
    database: db.database,
    organisation: () => chashma,
    now: () => new Date("2026-11-21T00:00:00Z"),
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
  expect(data.news[0].image).toMatch(/^\/images\/[0-9a-f]{32}$/);
  const dates = data.news.map(({ date }: { date: string }) => date);
  expect(dates).toEqual([...dates].sort().reverse());
});

test("API-2, PAGE-6: GET /api/gallery answers title, description, image_date, userName and image_link, page by page", async () => {
  const whole = (await app.inject("/api/gallery")).json();
  expect(whole).toMatchObject({ code: "200", status: "true" });
  expect(Object.keys(whole.data[0]).sort()).toEqual(["description", "image_date", "image_link", "title", "userName"]);
  expect(whole.data[0].image_date).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  expect(whole.data[0].image_link).toMatch(/^\//);
  expect(whole.next).toBeUndefined();
  const first = (await app.inject("/api/gallery?limit=5")).json();
  const second = (await app.inject(`/api/gallery?limit=100&after=${first.next}`)).json();
  expect([...first.data, ...second.data]).toEqual(whole.data);
  expect(second.next).toBeUndefined();
});

test("API-2, API-7: GET /api/gallery refuses an invalid limit or cursor, with the field's name", async () => {
  for (const [query, field] of [
    ["limit=0", "limit"],
    ["limit=101", "limit"],
    ["after=tomorrow", "after"],
    ["after=2026-02-30_1", "after"],
  ]) {
    const answer = await app.inject(`/api/gallery?${query}`);
    expect(answer.statusCode, query).toBe(422);
    expect(Object.keys(answer.json().data), query).toEqual([field]);
  }
});

test("API-2: POST /api/site-info answers phone, email and address as the first of a list", async () => {
  const answer = await app.inject({ method: "POST", url: "/api/site-info", payload: {} });
  const { phone, email, address } = organisation;
  expect(answer.json()).toMatchObject({ code: "200", status: "true", data: [{ phone, email, address }] });
});

test("PAGE-11: with the demo content, news and pictures have a second page, and no two neighbours look alike", async () => {
  const reads = contentReads(db.database, () => new Date());
  const images = async (list: "listNews" | "listGallery") => {
    const first = (await reads[list]())!;
    const second = (await reads[list](first.next!))!;
    expect(second.items.length, list).toBeGreaterThan(2);
    return [...first.items, ...second.items].map(({ picture }) => picture.address);
  };
  for (const list of ["listNews", "listGallery"] as const) {
    const addresses = await images(list);
    expect(new Set(addresses).size, list).toBe(addresses.length);
  }
});

test("REL-5: the demo seed adds its rows and its pictures once, even if two processes start at the same time", async () => {
  expect(await seedDemo(db.database)).toBe(false);
  // The pictures stay, because encoding them again takes time.
  await db.pool.query("delete from ticket_types; delete from events; truncate testimonials, news, gallery_items");
  const added = await Promise.all([seedDemo(db.database), seedDemo(db.database)]);
  expect(added.sort()).toEqual([false, true]);
  const { rows } = await db.pool.query(
    `select (select count(*)::int from testimonials) as testimonials, (select count(*)::int from news) as news,
      (select count(*)::int from gallery_items) as gallery, (select count(*)::int from images) as images,
      (select array_agg(event_title || ': ' || title || ' ' || price_cents order by event_title, position) from
        (select types.*, events.title as event_title from ticket_types types join events on events.id = event_id) sold) as tickets`,
  );
  const tickets = [
    "Charity dinner: VIP Seat 10000",
    "Charity dinner: Standard Seat 5000",
    "Community iftar: Adult 3000",
    "Community iftar: Child under 12 1200",
  ];
  expect(rows[0]).toMatchObject({ testimonials: 6, news: 10, gallery: 20, tickets });
  expect(rows[0].images).toBeGreaterThanOrEqual(9);
});
