import { afterAll, beforeAll, expect, test } from "vitest";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { deliveredHomeTexts } from "#test/pages/home-texts.ts";
import { openPages } from "#test/project/whole-site.ts";
import { readPage } from "#test/read-page.ts";
import { homeColumns } from "../home-texts.ts";
import { findHome } from "../server/home.ts";

let site: AdminSite;
let claire: Awaited<ReturnType<AdminSite["logIn"]>>;
let path: string;
beforeAll(async () => {
  site = await openAdminSite();
  claire = await site.logIn("editor");
  path = /\/admin\/home\/\d+/.exec((await claire.get("/admin/home")).html)![0];
});
afterAll(() => site.close());

const delivered = Object.fromEntries(
  Object.entries(homeColumns).map(([name, column]) => [
    column,
    deliveredHomeTexts[name as keyof typeof deliveredHomeTexts],
  ]),
);
const send = (changes: Record<string, string>, from: string, next = "publish") =>
  claire.post(path, { title: "Home page", ...delivered, ...changes, from, next });
const shown = async () => (await findHome(site.database)).texts;

test("HOME-13: an editor writes the home page as a draft, publishes it, and brings the delivered words back", async () => {
  const { html } = await claire.get(path);
  expect(html).toContain('value="Give a child the Gift of Education"');
  expect(html).toContain('<option value="patient-care" selected="">');
  const changes = { headline: "A well for every village", card_1_title: "Wells", card_1_fund: "", donors_lede: "" };
  expect((await send(changes, "1", "save")).status).toBe(303);
  expect(await shown()).toEqual(deliveredHomeTexts);
  expect((await send(changes, "2")).status).toBe(303);
  expect(await shown()).toEqual({
    ...deliveredHomeTexts,
    headline: "A well for every village",
    card1Title: "Wells",
    card1Fund: "",
    donorsLede: "",
  });
  expect((await claire.post(`${path}/restore`, { version: "1", from: "2" })).status).toBe(303);
  expect((await send({}, "3")).status).toBe(303);
  expect(await shown()).toEqual(deliveredHomeTexts);
  expect((await claire.get("/admin/home/new")).status).toBe(404);
  expect((await claire.get(path)).html).not.toContain("Take it down");
});

test("HOME-13: the words of the tiles are on home, below the news and in the gallery; one without a title is left out", async () => {
  const changes = {
    tiles_heading: "Help {name}",
    tile_volunteer_title: "Lend a hand",
    tile_volunteer_text: "",
    tile_fundraising_title: "",
  };
  expect((await send(changes, "3")).status).toBe(303);
  const { app, close } = await openPages(site.services);
  const { name } = site.services.organisation.current();
  for (const page of ["/", "/news", "/gallery"]) {
    const tiles = readPage((await app.inject(page)).body).querySelector("main section.tiles")!;
    expect([page, tiles.querySelector("h2")!.textContent]).toEqual([page, `Help ${name}`]);
    const shownTiles = [...tiles.querySelectorAll("li")].map((tile) => [
      tile.querySelector("a")!.textContent,
      tile.querySelector("a")!.getAttribute("href"),
      tile.querySelector("p")?.textContent ?? null,
    ]);
    expect(shownTiles).toEqual([
      ["Lend a hand", "/volunteer", null],
      ["Start donating", "/donation", "Four short steps, and a receipt by email."],
    ]);
  }
  await close();
  expect((await send({}, "4")).status).toBe(303);
});

test("HOME-14: an unknown placeholder or an empty heading is not published, and the sentence at its field says why", async () => {
  const wrong = await send({ headline: "{nmae} helps", causes_heading: "", search_title: "{ name }" }, "5");
  expect(wrong.status).toBe(422);
  for (const said of [
    "There is no {nmae} in this page. Did you mean {name}?",
    "Write something here before you publish.",
    "Write placeholders like {name}, without spaces.",
  ]) {
    expect(wrong.html).toContain(said);
  }
  expect(await shown()).toEqual(deliveredHomeTexts);
});
