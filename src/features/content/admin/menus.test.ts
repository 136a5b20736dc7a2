import { afterAll, beforeAll, expect, test } from "vitest";
import { openAdminSite } from "#test/admin-site.ts";
import { deliveredMenus, menuNames, menusWith } from "../menu-links.ts";

let site: Awaited<ReturnType<typeof openAdminSite>>;
let claire: Awaited<ReturnType<typeof site.logIn>>;
let path: string;
beforeAll(async () => {
  site = await openAdminSite();
  claire = await site.logIn("editor");
  path = /\/admin\/menus\/\d+/.exec((await claire.get("/admin/menus")).html)![0];
});
afterAll(() => site.close());

const organisation = { slug: "chashma" };
const textOf = (name: (typeof menuNames)[number]) =>
  deliveredMenus(organisation)
    [name].map((link) => `${link.label} ${link.path}`)
    .join("\n");
type Typed = Record<string, string>;
const asDelivered: Typed = Object.fromEntries(menuNames.map((name) => [name, textOf(name)]));

async function latest(): Promise<string> {
  const query = "select latest_version as latest from content_items where id = $1";
  return String((await site.pool.query(query, [path.split("/")[3]])).rows[0].latest);
}
const send = async (changes: Typed, next = "publish") =>
  claire.post(path, { title: "Header and footer", ...asDelivered, ...changes, from: await latest(), next });

async function shown() {
  await site.services.menus.refresh();
  return menusWith(site.services.menus.current(), organisation);
}

test("MENU-1: the form shows the menus as delivered; publishing it unchanged changes nothing", async () => {
  const { html } = await claire.get(path);
  for (const line of [
    "Events /events",
    "Services #services",
    "Chashma World /chashma-world",
    "Patient Care /patient-care",
  ])
    expect(html).toContain(line);
  expect((await send({}, "save")).status).toBe(303);
  expect((await claire.get(path)).html).toContain("Nothing was changed.");
  expect(await shown()).toEqual(deliveredMenus(organisation));
});

test("MENU-1, MENU-2: an editor orders, renames, hides and adds entries; an empty list is as delivered again", async () => {
  const main = "Home /\nEvents /events\nہماری خدمات #services\nAnnual report https://reports.example.org/2026";
  const services = "Flood Relief /flood-relief\r\nFood /fight-against-hunger\r\n\r\n";
  expect((await send({ main, services })).status).toBe(303);
  const menus = await shown();
  expect(menus.main).toEqual([
    { label: "Home", path: "/" },
    { label: "Events", path: "/events" },
    { label: "ہماری خدمات", path: "#services" },
    { label: "Annual report", path: "https://reports.example.org/2026" },
  ]);
  expect(menus.services.map(({ label }) => label)).toEqual(["Flood Relief", "Food"]);
  expect(menus.foot_services).toEqual(deliveredMenus(organisation).foot_services);
  await send({ main: "", services: " " });
  expect(await shown()).toEqual(deliveredMenus(organisation));
  const { rows } = await site.pool.query("select verb from audit_trail where subject = 'menus' order by id");
  expect(rows.map(({ verb }) => verb)).toEqual(["menus.save", "menus.publish", "menus.save", "menus.publish"]);
});

const many = (count: number) => Array.from({ length: count }, (_, at) => `Page ${at} /page-${at}`).join("\n");
test.each<[string, Typed, string]>([
  ["the main menu without the home page", { main: "Events /events" }, "Keep the home page"],
  ["too many in the main menu", { main: `Home /\n${many(8)}` }, "Keep at most 8 entries"],
  ["too many in a list", { foot_services: many(11) }, "Keep at most 10 entries"],
  [
    "an entry that is too long",
    { main: `Home /\n${"w".repeat(25)} /vision` },
    "Shorten the words to at most 24 characters",
  ],
  ["words that are too long", { services: `${"w".repeat(41)} /vision` }, "Shorten the words to at most 40 characters"],
  ["an address without words", { services: "/vision" }, "Write words, and a page such as /vision"],
  ["words without an address", { services: "Our vision" }, "Write words, and a page such as /vision"],
  ["the same address twice", { services: "One /vision\nTwo /vision" }, "Keep /vision once"],
  ["a group within a group", { services: "Group #organisation" }, "Write words, and a page such as /vision"],
  ["an unknown group", { main: "Home /\nGroup #donate" }, "Write words, and a page such as /vision"],
  ["a script", { services: "Now javascript:alert(1)" }, "Write words, and a page such as /vision"],
  ["another site as a path", { services: "Now //evil.example" }, "Write words, and a page such as /vision"],
  ["a site without https", { services: "Now http://plain.example" }, "Write words, and a page such as /vision"],
  [
    "words that turn the line around",
    { services: "a\u202eb /vision" },
    "again instead of pasting it: it has characters that nobody can see",
  ],
])("MENU-3: %s is refused with a sentence at its list", async (_, changes, sentence) => {
  const { status, html } = await send(changes);
  expect(status).toBe(422);
  expect(html).toContain(sentence);
  expect(await shown()).toEqual(deliveredMenus(organisation));
});

test("MENU-3: an entry that leads nowhere is named before it is published", async () => {
  await send({ services: "Gone /no-such-page?x" }, "save");
  expect((await claire.get(path)).html).toContain("This leads nowhere on this site: /no-such-page");
  await send({ services: "" }, "save");
});

test("MENU-4: what somebody else has saved is shown beside what was typed, and nothing is published", async () => {
  const from = await latest();
  await send({ services: "Theirs /flood-relief" });
  const { status, html } = await claire.post(path, {
    title: "Header and footer",
    ...asDelivered,
    services: "Mine /patient-care",
    from,
    next: "publish",
  });
  expect(status).toBe(409);
  expect(html).toContain("Mine /patient-care");
  expect(html).toContain("Theirs");
  expect((await shown()).services).toEqual([{ label: "Theirs", path: "/flood-relief" }]);
  await send({ services: "" });
});

test("MENU-3: what SQL has made invalid is as delivered, and the rest holds", async () => {
  await site.pool.query(`update menus set
    main = '[{"label": "x", "url": "javascript:alert(1)"}]', services = '[{"label": "Food", "url": "/fight-against-hunger"}]'`);
  const menus = await shown();
  expect(menus.main).toEqual(deliveredMenus(organisation).main);
  expect(menus.services).toEqual([{ label: "Food", path: "/fight-against-hunger" }]);
});
