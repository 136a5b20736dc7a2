import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sharp } from "#shared/images/sharp.ts";
import { storeImage } from "#shared/images/store.ts";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { readPage } from "#test/read-page.ts";
import type { Kind } from "../server/editing/kind.ts";
import { kinds } from "../server/editing/kinds.ts";
import { listGallery } from "../server/gallery.ts";
import { findHome } from "../server/home.ts";
import { findArticle } from "../server/news.ts";
import { findService, findWrittenPage } from "../server/written-pages.ts";

let site: AdminSite;
let claire: Awaited<ReturnType<AdminSite["logIn"]>>;
let photograph: string;
beforeAll(async () => {
  site = await openAdminSite();
  claire = await site.logIn("editor", "events");
  const pixels = sharp({ create: { width: 400, height: 300, channels: 3, background: "#a08060" } });
  photograph = await storeImage(site.database, await pixels.png().toBuffer(), { name: "IMG_2041.jpg" });
});
afterAll(() => site.close());

type Fields = Record<string, string>;
const SAY = "Say in words what the picture shows, or tick that it only decorates.";
const words = "A girl fills a bucket at a new pump";

/** Enough values for any kind that staff add to. */
const all = (): Fields => ({
  title: "A pump",
  slug: "",
  excerpt: "E",
  html: "<p>One</p>",
  image: photograph,
  description: "D",
  position: "1",
  published_on: "2026-11-24",
  image_date: "2026-11-24",
  created_by: "Sana",
  summary: "S",
  place: "Town hall",
  time_zone: "Australia/Sydney",
  starts_at: "2099-03-01T07:00",
  ends_at: "2099-03-01T22:00",
});

const add = (kind: Kind, fields: Fields) =>
  claire.post(`/admin/${kind.name}/new`, { ...all(), form: randomUUID(), ...fields });

/** The errors in an answer, by the names of their fields. */
function errorsIn(html: string): Fields {
  const document = readPage(html);
  const wrong = [...document.querySelectorAll("main [aria-invalid=true]")];
  return Object.fromEntries(
    wrong.map((field) => [
      field.getAttribute("name"),
      document.getElementById(`${field.id}-error`)?.textContent?.trim() ?? "",
    ]),
  );
}

test("PIC-9: every picture of a kind has a field for its words and a box for none", () => {
  const withPicture = kinds.filter(({ fields }) => fields.some(({ input }) => input === "picture"));
  expect(withPicture.map(({ name }) => name)).toEqual([
    "news",
    "pages",
    "own-pages",
    "services",
    "causes",
    "testimonials",
    "gallery",
    "events",
  ]);
  for (const { fields } of withPicture) {
    const place = fields.findIndex(({ input }) => input === "picture");
    expect(fields.slice(place, place + 3).map(({ name }) => name)).toEqual(["image", "image_words", "image_decorates"]);
  }
});

test.each(kinds.filter(({ isOpen, fields }) => isOpen && fields.some(({ name }) => name === "image")))(
  "PIC-9: $name go out with a picture only in words, or once it is said that it decorates",
  async (kind) => {
    const refused = await add(kind, { next: "publish" });
    expect([refused.status, errorsIn(refused.html)]).toEqual([422, { image_words: SAY }]);
    expect(readPage(refused.html).querySelector("input[name=title]")).toHaveProperty("value", "A pump");
    expect((await add(kind, { next: "save" })).status).toBe(303);
    for (const fields of [{ image_words: words }, { image_decorates: "yes" }]) {
      expect((await add(kind, { next: "publish", ...fields })).status).toBe(303);
    }
    const { rows } = await site.pool.query(
      `select image_words as words, image_decorates as decorates from ${kind.table} order by id`,
    );
    expect(rows.slice(-2)).toEqual([
      { words, decorates: false },
      { words: "", decorates: true },
    ]);
  },
);

test("PIC-9: a page that is always there is refused in the same way, unless it has no picture", async () => {
  const list = (await claire.get("/admin/pages")).html;
  const path = /\/admin\/pages\/\d+(?="><bdi>One Foundation)/.exec(list)![0];
  const fields = { title: "One Foundation", html: "<p>One</p>", links: "", from: "1", next: "publish" };
  const refused = await claire.post(path, { ...fields, image: photograph });
  expect(errorsIn(refused.html)).toEqual({ image_words: SAY });
  expect((await claire.post(path, { ...fields, image: "" })).status).toBe(303);
});

test("PIC-9: a file’s name is not taken for words, and our own drawings have theirs", async () => {
  const [news] = kinds;
  const refused = await add(news!, { image_words: "IMG_2041.jpg" });
  expect(errorsIn(refused.html)).toEqual({ image_words: "Write what the picture shows, not the name of its file." });
  const drawing = await add(news!, { image: "/identity/illustrations/hospital.svg", next: "publish" });
  expect(drawing.status).toBe(303);
});

test("PIC-9: what is missing stands in the list before publishing", async () => {
  const [news] = kinds;
  const { to } = await add(news!, { title: "A draft without words", next: "save" });
  expect((await claire.get(to!)).html).toContain(SAY);
});

test("PIC-9: pages get the words, nothing for a picture that decorates, and know where nobody has said", async () => {
  const said = async (table: string, where: string, fields: string) =>
    site.pool.query(`update ${table} set image = '${photograph}', ${fields} where ${where}`);
  const inWords = `image_words = '${words}', image_decorates = false`;
  await said("news", "id = (select max(id) from news)", inWords);
  await said("pages", "type = 'msg_chairman'", "image_words = 'kept', image_decorates = true");
  await said("pages", "type = 'vision'", "image_words = ''");
  await said("services", "type = 'ambulance_fund'", inWords);
  await said("gallery_items", "true", inWords);
  await said("causes", "true", inWords);
  await said("testimonials", "true", "image_decorates = true");
  const { rows } = await site.pool.query("select slug from news order by id desc limit 1");
  expect((await findArticle(site.database, rows[0].slug))!.alt).toBe(words);
  expect((await findWrittenPage(site.database, "msg_chairman"))!.alt).toBe("");
  expect((await findWrittenPage(site.database, "vision"))!.alt).toBeUndefined();
  expect((await findService(site.database, "ambulance_fund"))!.alt).toBe(words);
  expect((await listGallery(site.database, { limit: 1 }))!.items[0]!.alt).toBe(words);
  const home = await findHome(site.database);
  expect([home.message!.alt, home.causes[0]!.alt, home.testimonials[0]!.alt]).toEqual(["", words, ""]);
});
