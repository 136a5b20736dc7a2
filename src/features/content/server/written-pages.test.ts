import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sanitiseHtml } from "#shared/html/sanitise.ts";
import { answerError } from "#shared/http/answer-errors.ts";
import { Organisation } from "#shared/organisation.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import settings from "../../../../organisation.json" with { type: "json" };
import { generalPageTypes } from "../contract.ts";
import { type ServiceType, servicePaths } from "../services.ts";
import { contentRoutes } from "./routes.ts";
import { findService, findWrittenPage } from "./written-pages.ts";

const organisation = Organisation.parse({ ...settings, slug: "blue-water" });
let db: TestDatabase;
let app: FastifyInstance;

beforeAll(async () => {
  db = await createTestDatabase();
  app = Fastify();
  app.setValidatorCompiler(() => () => true);
  app.setErrorHandler(answerError);
  const options = { database: db.database, organisation: () => organisation, now: () => new Date() };
  await app.register(contentRoutes, { prefix: "/api", ...options });
});
afterAll(async () => {
  await app.close();
  await db.stop();
});

function ask(type: unknown) {
  return app.inject({ method: "POST", url: "/api/general-pages", payload: { type } });
}

test("API-2, REL-5: each of the seven general pages comes by migration and answers image, title and description", async () => {
  expect(generalPageTypes).toHaveLength(7);
  for (const type of generalPageTypes) {
    const { code, status, data } = (await ask(type)).json();
    expect([code, status, data.length], type).toEqual(["200", "true", 1]);
    expect(Object.keys(data[0]).sort(), type).toEqual(["description", "image", "title"]);
    expect(data[0].image, type).toMatch(/^\/identity\/illustrations\/[a-z-]+\.svg$/);
    expect(data[0].title, type).not.toBe("");
    expect(data[0].description, type).toContain("<p>");
  }
});

test.each(["world", "privacy", "ambulance_fund", "", 7, null, "__proto__"])(
  "API-2: %o is no general page and is refused with 422",
  async (type) => {
    const answer = await ask(type);
    expect(answer.statusCode).toBe(422);
  },
);

test("PAGE-4, API-2: the world call answers the page with its links, for the organisation's own name only", async () => {
  const links = [{ label: "Annual report", url: "https://reports.example/annual-report" }];
  await db.pool.query("update pages set links = $1 where type = 'world'", [JSON.stringify(links)]);
  const { code, data } = (await app.inject("/api/blue-water-world")).json();
  expect(code).toBe("200");
  expect(Object.keys(data[0]).sort()).toEqual(["description", "image", "links", "title"]);
  expect(data[0].links).toEqual(links);
  for (const other of ["chashma", "blue", "water", "blue-water-blue-water"]) {
    expect((await app.inject(`/api/${other}-world`)).statusCode, other).toBe(404);
  }
});

test("PAGE-8: HTML written straight into the table is sanitised on the way out, in the call and for the page", async () => {
  const html =
    '<p onclick="x()">Kept</p><script>alert(1)</script><a href="javascript:alert(1)">words</a><iframe src="https://evil.example"></iframe><img src="https://evil.example/x.png" alt="a tracker">';
  await db.pool.query("update pages set html = $1 where type = 'vision'", [html]);
  const { data } = (await ask("vision")).json();
  const page = await findWrittenPage(db.database, "vision");
  expect(page?.html).toBe(data[0].description);
  expect(page?.html).toContain("<p>Kept</p>");
  expect(page?.html).toContain("words");
  expect(page?.html).not.toMatch(/script|onclick|iframe|evil|<img/);
});

test("PAGE-8: the texts that come with the code pass the sanitiser unchanged", async () => {
  const fresh = await createTestDatabase();
  const { rows } = await fresh.pool.query<{ type: string; html: string }>(
    "select type, html from pages union all select type, html from services",
  );
  await fresh.stop();
  expect(rows).toHaveLength(14);
  for (const { type, html } of rows) expect(sanitiseHtml(html), type).toBe(html);
});

test("PAGE-4: a link without a web address or a name is left out", async () => {
  const links = [
    { label: "Report", url: "https://reports.example/a" },
    { label: "Trap", url: "javascript:alert(1)" },
    { label: "", url: "https://reports.example/b" },
    { label: "Half" },
    "words",
    null,
  ];
  await db.pool.query("update pages set links = $1 where type = 'world'", [JSON.stringify(links)]);
  const page = await findWrittenPage(db.database, "world");
  expect(page?.links).toEqual([{ label: "Report", url: "https://reports.example/a" }]);
});

test("PAGE-1: a page without a row or a picture is null", async () => {
  await db.pool.query("update pages set image = null where type = 'recognition'");
  await db.pool.query("delete from pages where type = 'vision'");
  expect((await findWrittenPage(db.database, "recognition"))?.picture).toBeNull();
  expect((await ask("recognition")).json().data[0].image).toBe("");
  expect(await findWrittenPage(db.database, "vision")).toBeNull();
  expect((await ask("vision")).json().data).toEqual([]);
});

const serviceTypes = Object.keys(servicePaths) as ServiceType[];
const wordsOf = (html: string) => html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");

test("PAGE-2, PAGE-3, CON-11: a new site has the words of every service, with the claims of the specification and no other figure", async () => {
  const claims: Partial<Record<ServiceType, readonly string[]>> = {
    ambulance_fund: ["over 1,800 ambulances"],
    home_and_orphanage: ["18 homes and orphanages", "over 8,500 residents"],
  };
  const seen = new Set<string>();
  for (const type of serviceTypes) {
    const service = (await findService(db.database, type))!;
    const { title, summary, lede, giveTo, donation, html, figures, questions, picture } = service;
    const said = wordsOf([lede, ...figures.flatMap(({ figure, words }) => [figure, words]), html, donation].join(" "));
    for (const claim of claims[type] ?? []) expect(said, type).toContain(claim);
    const numbers = `${said} ${questions.map(({ answer }) => answer).join(" ")}`.match(/\d[\d,]*\d|\d/g) ?? [];
    expect(
      numbers.filter((number) => !["1,800", "18", "8,500"].includes(number)),
      type,
    ).toEqual([]);
    expect(html, type).toBe(sanitiseHtml(html));
    expect(wordsOf(html).length, type).toBeGreaterThan(700);
    expect(summary, type).toMatch(/^[A-Z0-9].{40,154}\.$/);
    expect([giveTo, picture.address].every(Boolean), type).toBe(true);
    seen.add(title).add(summary);
  }
  expect(seen.size).toBe(2 * serviceTypes.length);
});

test("NAV-9, CON-11: the default text of every service names a cause that donors can choose", async () => {
  const { rows } = await db.pool.query(
    "select type from services where not exists (select from donation_categories where fund = cause and retired_at is null)",
  );
  expect(rows).toEqual([]);
});
