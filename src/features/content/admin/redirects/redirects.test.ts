import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { seededRandom } from "#shared/seeded-random.ts";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { publishDue } from "../../server/editing/publish-due.ts";
import { followRedirect } from "../../server/redirects/redirects.ts";

let site: AdminSite;
let claire: Awaited<ReturnType<AdminSite["logIn"]>>;
beforeAll(async () => {
  site = await openAdminSite();
  claire = await site.logIn("editor");
});
// Versions can't be deleted, so this hides what earlier tests have written.
beforeEach(() =>
  site.pool.query("delete from news; delete from redirects; update content_items set kind = 'earlier ' || id"),
);
afterAll(() => site.close());

const text = { title: "A warm room", excerpt: "E", html: "<p>One</p>", image: "/identity/illustrations/hospital.svg" };
const article = (slug: string, next = "publish") => ({ ...text, published_on: "2026-11-24", slug, next });

async function publish(slug: string): Promise<string> {
  const { to, html } = await claire.post("/admin/news/new", { ...article(slug), form: randomUUID() });
  expect(to, html).toBeDefined();
  return to!;
}

async function move(path: string, slug: string): Promise<void> {
  const { rows } = await site.pool.query("select latest_version as latest from content_items where id = $1", [
    path.split("/")[3],
  ]);
  const { status, html } = await claire.post(path, { ...article(slug), from: String(rows[0].latest) });
  expect(status, html).toBe(303);
}

const add = (path: string, target: string) => claire.post("/admin/redirects", { path, target });
const follow = (path: string) => followRedirect(site.database, path);
const listAll = async () => (await site.pool.query("select path, target from redirects order by path")).rows;

test("RED-1: the address that a published item had leads to the one it has, also after several moves, and back", async () => {
  const path = await publish("one");
  await move(path, "two");
  expect(await follow("/news/one?utm=1")).toBe("/news/two?utm=1");
  await move(path, "three");
  expect([await follow("/news/one"), await follow("/news/two")]).toEqual(["/news/three", "/news/three"]);
  await move(path, "one");
  expect(await listAll()).toEqual([
    { path: "/news/three", target: "/news/one" },
    { path: "/news/two", target: "/news/one" },
  ]);
  const { rows } = await site.pool.query(
    "select before, after from audit_trail where verb = 'news.publish' order by id desc limit 1",
  );
  expect(rows[0]).toMatchObject({ before: { address: "/news/three" }, after: { address: "/news/one" } });
});

test("RED-1: a draft moves nothing, an address that nobody saw is not kept, and a planned move happens at its time", async () => {
  const path = await publish("seen");
  await claire.post(path, { ...article("drafted", "save"), from: "1" });
  expect(await listAll()).toEqual([]);
  await claire.post(path, { ...article("planned", "schedule"), from: "2", on: "2099-01-05", at: "07:00" });
  expect(await listAll()).toEqual([]);
  await site.pool.query("update content_items set scheduled_at = now() where scheduled_at is not null");
  await publishDue({ database: site.database, now: () => new Date(site.clock.now().getTime() + 1000) });
  expect(await listAll()).toEqual([{ path: "/news/seen", target: "/news/planned" }]);
});

test("RED-1: two items that swap their addresses both stay where they are now", async () => {
  const [one, two] = [await publish("a"), await publish("b")];
  await move(one, "c");
  await move(two, "a");
  await move(one, "b");
  expect(await listAll()).toEqual([{ path: "/news/c", target: "/news/b" }]);
});

test("RED-2: an editor redirects an old path by hand, sees it in the list, and deletes it", async () => {
  const added = await add("/About-Us.html/", "/vision");
  expect([added.status, added.to]).toEqual([303, "/admin/redirects"]);
  expect(await follow("/ABOUT-US.html?a=b")).toBe("/vision?a=b");
  await add("/shop", "https://shop.example.org/a?b=c");
  expect(await follow("/shop/?d=e")).toBe("https://shop.example.org/a?b=c&d=e");
  const { html } = await claire.get("/admin/redirects");
  for (const shown of ["/about-us.html", "https://shop.example.org/a?b=c", "Added by hand", claire.name]) {
    expect(html).toContain(shown);
  }
  await claire.post("/admin/redirects/delete", { path: "/shop" });
  expect(await follow("/shop")).toBeNull();
  const again = await claire.post("/admin/redirects/delete", { path: "/shop" });
  expect(again.status).toBe(303);
  const admin = await site.logIn("administrator");
  const trail = (await admin.get("/admin/audit")).html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
  expect(trail).toContain("redirected the address /about-us.html");
  expect(trail).toContain("deleted the redirect of the address /shop");
});

test.each([
  ["an address of the back office", "/admin/x", "/vision", "Enter the old address as a path on this site"],
  ["a call", "/api/site-info", "/vision", "Enter the old address as a path on this site"],
  ["another site", "//evil.example", "/vision", "Enter the old address as a path on this site"],
  ["a query", "/old?page=1", "/vision", "without ? or #"],
  ["a page", "/TicketAbout", "/vision", "A page on this site has this address"],
  ["the world page", "/chashma-world", "/vision", "A page on this site has this address"],
  ["to a script", "/old", "javascript:alert(1)", "Enter a page on this site, such as /donation"],
  ["to another site as a path", "/old", "//evil.example", "Enter a page on this site, such as /donation"],
  ["to two lines", "/old", "/vision\r\nSet-Cookie: x", "Enter a page on this site, such as /donation"],
  ["to nothing", "/old", "", "Enter a page on this site, such as /donation"],
  ["to no page", "/old", "/no-such-page?x", "No page on this site has this address now."],
  ["to itself", "/old", "/old", "No page on this site has this address now."],
])(
  "RED-3: a redirect of %s is refused with a sentence, and keeps what was typed",
  async (_, path, target, sentence) => {
    const { status, html } = await add(path, target);
    expect(status).toBe(422);
    expect(html).toContain(sentence);
    expect(html).toContain(`value="${path}"`);
    expect(await listAll()).toEqual([]);
  },
);

test("RED-3: what is published or redirected already is not redirected", async () => {
  await publish("mine");
  expect((await add("/news/Mine", "/vision")).html).toContain("A page on this site has this address");
  await add("/old", "/vision");
  expect((await add("/OLD", "/contact")).html).toContain("This address already leads to /vision.");
});

test("RED-4: after any moves and redirects, whatever is redirected leads somewhere in one hop", async () => {
  const random = seededRandom(28);
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)]!;
  const slugs = ["a", "b", "c", "d", "e", "f", "g"];
  const items = [await publish("a"), await publish("b")];
  let hops = 0;
  for (let round = 0; round < 60; round += 1) {
    const path = pick(items);
    const id = path.split("/")[3];
    const { rows } = await site.pool.query("select latest_version as latest from content_items where id = $1", [id]);
    const from = String(rows[0].latest);
    const act = pick(["move", "move", "take-down", "by hand"]);
    if (act === "by hand")
      await add(`/news/${pick(slugs)}`, pick(["/vision", ...slugs.map((slug) => `/news/${slug}`)]));
    else await claire.post(path, { ...article(pick(slugs), act === "move" ? "publish" : "take-down"), from });
    for (const { path: old, target } of await listAll()) {
      hops += 1;
      expect(target, `round ${round}`).not.toBe(old);
      expect(await follow(target), `${old} → ${target} in round ${round}`).toBeNull();
    }
  }
  expect(hops).toBeGreaterThan(20);
});
