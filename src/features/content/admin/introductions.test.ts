import { afterAll, beforeAll, expect, test } from "vitest";
import { fillInNames } from "#shared/organisation.ts";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { fieldsOf } from "#test/donation-pages.ts";
import { openPages } from "#test/project/whole-site.ts";
import { readPage } from "#test/read-page.ts";

let site: AdminSite;
let claire: Awaited<ReturnType<AdminSite["logIn"]>>;
beforeAll(async () => {
  site = await openAdminSite();
  claire = await site.logIn("editor");
});
afterAll(() => site.close());

/** The screens of the items of a kind, by their titles. */
async function listScreens(kind: string) {
  const page = readPage((await claire.get(`/admin/${kind}`)).html);
  const links = [...page.querySelectorAll(`main a[href^="/admin/${kind}/"]`)];
  return new Map(links.map((link) => [link.textContent!.trim(), link.getAttribute("href")!]));
}

async function publish(screen: string, changes: Readonly<Record<string, string>>) {
  return claire.post(screen, { ...fieldsOf((await claire.get(screen)).html, screen), ...changes, next: "publish" });
}

/** Heading, sentence below it, and what search engines show of each page. */
async function read(paths: readonly string[]) {
  const { app, close } = await openPages(site.services);
  const shown = [];
  for (const path of paths) {
    const page = readPage((await app.inject(path)).body);
    const head = page.querySelector("main h1")!.parentElement!;
    shown.push([
      head.querySelector(".lede")?.textContent ?? null,
      page.querySelector("meta[name=description]")!.getAttribute("content"),
    ]);
  }
  await close();
  return shown;
}

const introduced = {
  Events: "/events",
  "News and articles": "/news",
  Gallery: "/gallery",
  Contact: "/contact",
  "Application to volunteer": "/volunteer",
};

test("CON-16: the sentence at the top of lists and forms, and what search engines show of them, are content", async () => {
  const { name, phone } = site.services.organisation.current();
  expect(await read(Object.values(introduced))).toEqual([
    ["Come along, in person or online.", `Upcoming and past events by ${name}, in Australia and online.`],
    [
      "What your donations do, told by the people who were there.",
      `What donations to ${name} do: news and articles, newest first.`,
    ],
    [
      expect.stringMatching(/^A close look|will appear here/),
      `Pictures of what donations to ${name} make possible, newest first.`,
    ],
    [
      "Have a question or an idea, or need help? Somebody on our team reads every message.",
      `Send ${name} a message, or call the helpline on ${phone}.`,
    ],
    [
      "Tell us who you are and what you like doing. It takes about five minutes.",
      `Volunteer with ${name}: what volunteers do, and the application in four short steps.`,
    ],
  ]);
  const screens = await listScreens("introductions");
  expect([...screens.keys()]).toEqual(expect.arrayContaining(Object.keys(introduced)));
  for (const [title, path] of Object.entries(introduced)) {
    const lede = path === "/volunteer" ? "" : `Call ${title} on {phone}`;
    const changes = { lede, search_description: `${title} of {name} for {supports}` };
    expect((await publish(screens.get(title)!, changes)).status).toBe(303);
  }
  const { supports } = site.services.organisation.current();
  expect(await read(["/events", "/news", "/contact", "/volunteer"])).toEqual(
    ["Events", "News and articles", "Contact", "Application to volunteer"].map((title) => [
      title === "Application to volunteer" ? null : `Call ${title} on ${phone}`,
      `${title} of ${name} for ${supports}`,
    ]),
  );
});

test("CON-16: what search engines show of a page that staff write is content too", async () => {
  const { name } = site.services.organisation.current();
  const vision = [...(await listScreens("pages"))].find(([title]) => title.startsWith("Vision"))![1];
  expect((await read(["/vision"]))[0]![1]).toBe(
    `What ${name} wants to achieve, what it does towards that every day, and its values.`,
  );
  expect((await publish(vision, { search_description: "What {name} hopes for." })).status).toBe(303);
  expect((await read(["/vision"]))[0]![1]).toBe(`What ${name} hopes for.`);
});

test("CON-16: an unknown placeholder, or no sentence for search engines, is not published", async () => {
  const events = (await listScreens("introductions")).get("Events")!;
  const wrong = await publish(events, { lede: "Call {fone}", search_description: "" });
  expect(wrong.status).toBe(422);
  expect(wrong.html).toContain("There is no {fone} in this page. Did you mean {phone}?");
  expect(wrong.html).toContain("Write the sentence for search engines before you publish.");
});

test("NAV-9: the delivered sentences for search engines are different ones, whole, and at most 155 characters long", async () => {
  const { rows } = await site.pool.query(
    `select data ->> 'search_description' as said from content_versions join content_items on content_items.id = item_id
      where kind in ('pages', 'introductions') and number = 1`,
  );
  const organisation = site.services.organisation.current();
  const said = rows.map((row) => fillInNames({ said: String(row.said) }, organisation).said);
  expect(said).toHaveLength(13);
  expect(new Set(said).size).toBe(13);
  for (const sentence of said) {
    expect(sentence).toMatch(/^[A-Z0-9].{40,}\.$/);
    expect(sentence.length, sentence).toBeLessThanOrEqual(155);
  }
});
