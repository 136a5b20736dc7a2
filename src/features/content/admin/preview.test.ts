import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { makeStaff } from "#database/factories.ts";
import { clockIn, dayInSydney, formatDay } from "#shared/language.ts";
import { openWholeSite, type WholeSite } from "#test/project/whole-site.ts";
import { readPage } from "#test/read-page.ts";
import { findItem, findVersion, lockItem, takeInRows } from "../server/editing/items.ts";
import type { ContentData, Kind } from "../server/editing/kind.ts";
import { kinds } from "../server/editing/kinds.ts";
import { createItem, saveVersion } from "../server/editing/write.ts";
import { previewLink } from "../server/preview.ts";

let site: WholeSite;
let by: number;
beforeAll(async () => {
  site = await openWholeSite();
  by = (await makeStaff(site.database, { roles: ["editor"] })).id;
});
afterAll(() => site.close());

const image = "/identity/illustrations/hospital.svg";
const marked = "A title of the draft";
/** Enough values for any kind: each uses those for its own columns. */
const all: ContentData = {
  title: marked,
  slug: "a-title-of-the-draft",
  excerpt: "E",
  html: "<p>Said in the draft</p>",
  image,
  links: [],
  image_words: "A hospital",
  image_decorates: false,
  published_on: "2026-11-24",
  image_date: "2099-11-24",
  description: "D",
  position: 0,
  created_by: "Sana",
};

async function draft(kind: Kind, values = all): Promise<number> {
  const data = Object.fromEntries(kind.fields.map(({ name }) => [name, values[name] ?? ""]));
  return site.database
    .transaction()
    .execute((transaction) => createItem(transaction, kind, { data, formKey: randomUUID(), by, at: site.clock.now() }));
}

const linkTo = (item: number, version = 1) =>
  previewLink(site.services.config.secretKey, { item, version }, site.clock.now()).path;

const countRows = async ({ table }: Kind) =>
  (await site.pool.query(`select count(*) as rows from ${table}`)).rows[0].rows as number;

test.each(kinds.filter(({ isOpen }) => isOpen))(
  "CON-9: a draft of $name shows on its page for whoever has the link, and nowhere else",
  async (kind) => {
    const { rows: version } = await site.pool.query("select version from content_version");
    const item = await draft(kind);
    const before = [await countRows(kind), version];
    const answer = await site.app.inject(linkTo(item));
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.body).toContain(marked);
    expect(answer.headers).toMatchObject({
      "cache-control": "private, no-store",
      "x-robots-tag": "noindex",
      "referrer-policy": "no-referrer",
    });
    expect([await countRows(kind), (await site.pool.query("select version from content_version")).rows]).toEqual(
      before,
    );
    const page = await site.app.inject(kind.path({ key: null, data: all }, site.services.organisation.current()));
    expect(page.body).not.toContain(marked);
  },
);

test("CON-9: the page of a preview says first that it is a draft, and of which day; of what visitors see it says nothing", async () => {
  const news = kinds.find(({ name }) => name === "news")!;
  const item = await draft(news);
  const said = "Draft: not published. Only people with this link see it. Version 1, saved on";
  const shown = async (path: string) => readPage((await site.app.inject(path)).body);
  const page = await shown(linkTo(item));
  const day = formatDay(dayInSydney(site.clock.now()));
  expect(page.body.firstElementChild!.textContent).toBe(`${said} ${day}.`);
  expect(page.title).toMatch(/^Draft: /);
  await takeInRows(site.database, kinds.find(({ name }) => name === "home")!);
  const { rows } = await site.pool.query("select id from content_items where kind = 'home'");
  const same = await shown(linkTo(Number(rows[0].id)));
  expect([same.title.includes("Draft"), same.querySelector(".draft-line")]).toEqual([false, null]);
  for (const path of ["/", "/news"]) expect((await shown(path)).querySelector(".draft-line"), path).toBeNull();
});

test.each(kinds.filter(({ isOpen }) => isOpen))(
  "CON-9: a draft of $name with nothing but its title is previewed too",
  async (kind) => {
    const title = "Begun and not finished";
    const values = { title, slug: "begun", image_decorates: false };
    const answer = await site.app.inject(linkTo(await draft(kind, values)));
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.body).toContain(title);
  },
);

test.each([
  ["pages", 8],
  ["services", 6],
  ["home", 1],
  ["introductions", 5],
])("CON-9, CON-11: each of the %s is previewed on the page that visitors know", async (name, count) => {
  const kind = kinds.find((one) => one.name === name)!;
  await takeInRows(site.database, kind);
  const { rows } = await site.pool.query("select id, live_key as key from content_items where kind = $1", [name]);
  expect(rows).toHaveLength(count);
  for (const { id, key } of rows) {
    const item = await findItem(site.database, kind, id);
    const shown = await site.app.inject(linkTo(id));
    const real = await site.app.inject(kind.path({ key, data: {} }, site.services.organisation.current()));
    expect(item?.published, key).toBe(1);
    expect(shown.statusCode, key).toBe(200);
    expect(/<main.*<\/main>/s.exec(shown.body)?.[0], key).toBe(/<main.*<\/main>/s.exec(real.body)![0]);
  }
});

test("BAN-5: a banner is previewed on the home page before it has times, above what visitors see", async () => {
  const banners = kinds.find(({ name }) => name === "banners")!;
  const data = { title: "رمضان کی اپیل", link_label: "", link_address: "/donation", starts_at: null, ends_at: null };
  const id = await site.database
    .transaction()
    .execute((transaction) =>
      createItem(transaction, banners, { data, formKey: randomUUID(), by, at: site.clock.now() }),
    );
  const { statusCode, body } = await site.app.inject(linkTo(id));
  expect(statusCode).toBe(200);
  expect(body).toMatch(/<aside class="banner"[^>]*><div class="wrap"><p dir="auto">رمضان کی اپیل<\/p>/);
  expect(body).toContain("Donate to");
  expect((await site.app.inject("/")).body).not.toContain(data.title);
});

test("BAN-4: every page that is cached, and the 404 page, change at the moments of a banner, without another query", async () => {
  await site.pool.query("insert into banners (title, starts_at, ends_at) values ('Appeal', $1, $2)", [
    ...[60, 120].map((minutes) => clockIn("Australia/Sydney", new Date(site.clock.now().getTime() + minutes * 60_000))),
  ]);
  await site.services.banners.refresh();
  const cached = ["/", "/events", "/vision"];
  const shown = async (more = ["/no-such-page"]) => {
    const bodies = await Promise.all([...cached, ...more].map(async (path) => (await site.app.inject(path)).body));
    return bodies.map((body) => body.includes('<p dir="auto">Appeal</p>'));
  };
  expect(await shown()).toEqual([false, false, false, false]);
  site.clock.advance(61 * 60_000);
  expect(await shown()).toEqual([true, true, true, true]);
  const queries = vi.spyOn(site.services.pool, "query");
  const clients = vi.spyOn(site.services.pool, "connect");
  expect(await shown([])).toEqual([true, true, true]);
  expect([queries.mock.calls.length, clients.mock.calls.length]).toEqual([0, 0]);
  vi.restoreAllMocks();
  site.clock.advance(60 * 60_000);
  expect(await shown()).toEqual([false, false, false, false]);
});

test("MENU-5: menus are previewed on the home page, and others see them only once they are published", async () => {
  const menus = kinds.find(({ name }) => name === "menus")!;
  await takeInRows(site.database, menus);
  const { rows } = await site.pool.query("select id from content_items where kind = 'menus'");
  const id = Number(rows[0].id);
  const version = await site.database.transaction().execute(async (transaction) => {
    const item = await lockItem(transaction, menus, id);
    const { data } = (await findVersion(transaction, id, 1))!;
    const main = [
      { label: "Home", url: "/" },
      { label: "رپورٹ", url: "https://reports.example.org/" },
    ];
    const changed = { ...data, main, foot_services: [{ label: "Only this", url: "/vision" }] };
    return (await saveVersion(transaction, menus, item, { data: changed, from: 1, by, at: site.clock.now() })).version;
  });
  const { body } = await site.app.inject(linkTo(id, version));
  const own = '<a href="https://reports.example.org/" rel="external"><bdi>رپورٹ</bdi></a>';
  expect(body.split(own), "in the header and in the panel of phones").toHaveLength(3);
  expect(body).not.toContain('aria-controls="menu-services"');
  expect(body).toContain("<bdi>Only this</bdi>");
  for (const always of ["Donate", "Become a volunteer", "Contact Us", "Privacy policy"]) expect(body).toContain(always);
  expect(body).toContain('aria-label="Log in"');
  expect((await site.app.inject("/")).body).not.toContain("Only this");
});

test("CON-9: a link opens its own version only, until the end of its week", async () => {
  const news = kinds.find(({ name }) => name === "news")!;
  const [one, other] = [await draft(news), await draft(news)];
  const link = linkTo(one);
  const key = link.split("?")[1];
  for (const wrong of [`/preview/${other}/1?${key}`, `/preview/${one}/2?${key}`, `/preview/${one}/1`, `${link}x`]) {
    expect((await site.app.inject(wrong)).statusCode, wrong).toBe(404);
  }
  expect((await site.app.inject(linkTo(one, 7))).statusCode).toBe(404);
  site.clock.advance(8 * 86_400_000);
  const ended = await site.app.inject(link);
  expect(ended.statusCode).toBe(410);
  expect(ended.body).toContain("This preview has ended. Ask whoever sent you the link for a new one.");
});
