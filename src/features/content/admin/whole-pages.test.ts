import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeStaff } from "#database/factories.ts";
import { openWholeSite, type WholeSite } from "#test/project/whole-site.ts";
import { lockItem, takeInRows } from "../server/editing/items.ts";
import type { Kind } from "../server/editing/kind.ts";
import { kinds } from "../server/editing/kinds.ts";
import { createItem, publishVersion, saveVersion, takeDown } from "../server/editing/write.ts";
import { listLostPaths } from "../server/known-paths.ts";
import { addRedirect } from "../server/redirects/redirects.ts";

let site: WholeSite;
let by: number;
beforeAll(async () => {
  site = await openWholeSite();
  by = (await makeStaff(site.database, { roles: ["editor"] })).id;
});
afterAll(() => site.close());

async function act(name: Kind["name"], key: string, what: "take down" | "put back") {
  const kind = kinds.find((one) => one.name === name)!;
  await takeInRows(site.database, kind);
  const query = "select id, latest_version as version from content_items where kind = $1 and live_key = $2";
  const { id, version } = (await site.pool.query(query, [name, key])).rows[0];
  await site.database.transaction().execute(async (transaction) => {
    const item = await lockItem(transaction, kind, id);
    if (what === "take down") await takeDown(transaction, kind, item);
    else await publishVersion(transaction, kind, item, { version, by, at: site.clock.now() });
  });
  await openAgain();
}

/** Pages are kept by the process; a new server has none yet. */
async function openAgain() {
  await site.services.menus.refresh();
  site.app = await site.build(site.services);
}

const read = async (path: string) => (await site.app.inject(path)).body;
const statusOf = async (path: string) => (await site.app.inject(path)).statusCode;

test.each([
  ["services", "patient_care", "/patient-care"],
  ["pages", "vision", "/vision"],
  ["pages", "world", "/chashma-world"],
] as const)(
  "CON-12: %s %s is not found once it is taken down, nothing leads there, and it comes back",
  async (name, key, path) => {
    expect(await statusOf(path)).toBe(200);
    await act(name, key, "take down");
    const gone = await site.app.inject(path);
    expect([gone.statusCode, gone.body.includes("We couldn’t find that page")]).toEqual([404, true]);
    for (const page of ["/", "/recognition", "/flood-relief", "/sitemap.xml", "/no-such-page"]) {
      expect(await read(page), page).not.toMatch(new RegExp(`${path}["<]`));
    }
    expect(await listLostPaths(site.database, [path], site.services.organisation.current())).toEqual([path]);
    await act(name, key, "put back");
    expect(await statusOf(path)).toBe(200);
    expect(await read("/sitemap.xml")).toContain(`${path}<`);
    expect(await read("/")).toContain(`href="${path}"`);
    expect(await listLostPaths(site.database, [path], site.services.organisation.current())).toEqual([]);
  },
);

test("CON-12: the calls answer nothing for it, and the home page no chairman's message", async () => {
  const ask = async (type: string) =>
    (await (await site.visitor()).post("/api/general-pages", { type })) as { data: unknown };
  await act("pages", "msg_chairman", "take down");
  expect((await ask("msg_chairman")).data).toEqual([]);
  expect(await read("/")).not.toContain('id="about-title"');
  await act("pages", "msg_chairman", "put back");
  expect((await ask("msg_chairman")).data).toHaveLength(1);
  expect(await read("/")).toContain('id="about-title"');
});

test("CON-12: the address of what was taken down can be redirected, and the page wins once it is back", async () => {
  await act("services", "flood_relief", "take down");
  await site.database.transaction().execute((transaction) =>
    addRedirect(transaction, {
      path: "/flood-relief",
      target: "/ambulance-fund",
      isMove: false,
      by,
      at: site.clock.now(),
    }),
  );
  const { statusCode, headers } = await site.app.inject("/flood-relief");
  expect([statusCode, headers.location]).toEqual([301, "/ambulance-fund"]);
  await act("services", "flood_relief", "put back");
  expect(await statusOf("/flood-relief")).toBe(200);
});

test("CON-12: not even SQL takes a policy down", async () => {
  await expect(site.pool.query("update pages set state = 'draft' where type = 'privacy'")).rejects.toThrow(/check/);
});

const ownPages = kinds.find(({ name }) => name === "own-pages")!;

/** Writes a page and publishes it; with an item, another version of it. Returns the item. */
async function publishOwn(data: Record<string, string | null>, id?: number): Promise<number> {
  const values = { summary: "", image: null, image_words: "", ...data };
  const whole = Object.fromEntries(ownPages.fields.map(({ name }) => [name, values[name as "summary"] ?? null]));
  return site.database.transaction().execute(async (transaction) => {
    const at = site.clock.now();
    const typed = { ...whole, image_decorates: false };
    const made = id ?? (await createItem(transaction, ownPages, { data: typed, formKey: randomUUID(), by, at }));
    const item = await lockItem(transaction, ownPages, made);
    const version =
      id === undefined
        ? 1
        : (await saveVersion(transaction, ownPages, item, { data: typed, from: item.latest, by, at })).version;
    await publishVersion(transaction, ownPages, item, { version, by, at });
    return made;
  });
}

test("CON-13: a charity's own page is at its address, in the site map and, once an entry leads there, in the menus", async () => {
  const html = "<h2>Amina</h2><script>x</script><p>She keeps the books.</p>";
  const id = await publishOwn({ title: "Our <team>", slug: "our-team", html });
  const links = [{ label: "The team", url: "/about/our-team" }];
  await site.pool.query("update menus set organisation = $1", [JSON.stringify(links)]);
  await openAgain();
  const page = await read("/about/our-team");
  expect(page).toContain("<title>Our &lt;team&gt; | ");
  expect(page).toContain('<meta name="description" content="Amina She keeps the books."/>');
  expect(page).toContain('<div class="prose written"><h2>Amina</h2><p>She keeps the books.</p>');
  expect(page).toMatch(/<nav class="plain-card side-nav" aria-label="Organisation">.*aria-current="page">The team</s);
  expect(await read("/sitemap.xml")).toContain("/about/our-team<");
  expect(await read("/")).toContain('href="/about/our-team"');
  const organisation = site.services.organisation.current();
  expect(await listLostPaths(site.database, ["/about/our-team", "/about/x"], organisation)).toEqual(["/about/x"]);

  await publishOwn({ title: "Our team", slug: "team", html, summary: "Who does the work." }, id);
  await openAgain();
  const moved = await site.app.inject("/about/our-team");
  expect([moved.statusCode, moved.headers.location]).toEqual([301, "/about/team"]);
  expect(await read("/about/team")).toContain('<p class="lede" dir="auto">Who does the work.</p>');

  await site.pool.query("update menus set organisation = $1", [JSON.stringify([{ label: "Us", url: "/about/team" }])]);
  await site.database
    .transaction()
    .execute(async (transaction) => takeDown(transaction, ownPages, await lockItem(transaction, ownPages, id)));
  await openAgain();
  expect(await statusOf("/about/team")).toBe(404);
  for (const path of ["/", "/sitemap.xml"]) expect(await read(path), path).not.toContain("/about/team");
  await site.pool.query("update menus set organisation = '[]'");
});
