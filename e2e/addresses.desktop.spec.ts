import { contentPages, formPages, redirects, ticketPages } from "#test/public-pages.ts";
import { expect, siteUrl, test } from "./journey.ts";

// Nothing here depends on the width of the window.

const organisation = "Chashma Foundation Australia";
const titles: Readonly<Record<string, string>> = { ...contentPages, ...formPages, ...ticketPages };

test("NAV-1, NAV-2, PRO-1: every route of the specification has its own title, or redirects where it should", async ({
  request,
}) => {
  const home = await request.get(siteUrl());
  expect([home.status(), titleOf(await home.text())]).toEqual([
    200,
    `${organisation}: Helping Today. Shaping Tomorrow`,
  ]);
  for (const [path, title] of Object.entries(titles)) {
    const answer = await request.get(siteUrl() + path);
    expect([answer.status(), titleOf(await answer.text())], path).toEqual([200, `${title} | ${organisation}`]);
  }
  for (const [path, to] of Object.entries(redirects)) {
    const answer = await request.get(siteUrl() + path, { maxRedirects: 0 });
    expect([answer.status(), answer.headers().location], path).toEqual([
      path === "/volunteerApplication" ? 301 : 302,
      to,
    ]);
  }
});

test("NAV-9: each page has its own title, description, address and sharing picture", {
  tag: "@long",
}, async ({ request }) => {
  const seen = { title: new Set(), description: new Set(), picture: new Set() };
  const paths = ["/", ...Object.keys(contentPages), ...Object.keys(formPages)];
  for (const path of paths) {
    const html = await (await request.get(siteUrl() + path)).text();
    const description = /<meta name="description" content="(.*?)"/.exec(html)?.[1] ?? "";
    expect(description.length, `${path}: ${description}`).toBeGreaterThan(50);
    expect(description.length, `${path}: ${description}`).toBeLessThanOrEqual(160);
    expect(/<link rel="canonical" href="(.*?)"/.exec(html)?.[1], path).toBe(siteUrl() + path);
    const picture = /<meta property="og:image" content="(.*?)"/.exec(html)?.[1] ?? "";
    const answer = await request.get(picture);
    const png = await answer.body();
    expect([answer.status(), png.readUInt32BE(16), png.readUInt32BE(20)], picture).toEqual([200, 1200, 630]);
    expect(png.length, picture).toBeLessThan(300_000);
    seen.title.add(titleOf(html));
    seen.description.add(description);
    seen.picture.add(picture);
  }
  for (const [what, all] of Object.entries(seen)) expect(all.size, what).toBe(paths.length);
});

test("NAV-9: pages tell search engines about the organisation, their place in the site, events and articles", async ({
  request,
}) => {
  const itemsOf = async (path: string) => {
    const html = await (await request.get(siteUrl() + path)).text();
    const text = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1] ?? "{}";
    return JSON.parse(text)["@graph"] as Record<string, unknown>[];
  };
  const find = async (path: string, type: string) => (await itemsOf(path)).find((item) => item["@type"] === type);
  for (const path of ["/", ...Object.keys(contentPages)]) {
    expect(await find(path, "NGO"), path).toMatchObject({ name: organisation, url: `${siteUrl()}/` });
    if (path !== "/") expect(await find(path, "BreadcrumbList"), path).toBeDefined();
  }
  expect(await find("/ambulance-fund", "BreadcrumbList")).toMatchObject({
    itemListElement: [
      { position: 1, name: "Home", item: `${siteUrl()}/` },
      { position: 2, name: "Ambulance Fund", item: `${siteUrl()}/ambulance-fund` },
    ],
  });
  expect(await find("/events/flood-relief-campaign", "Event")).toMatchObject({
    name: "Flood relief campaign",
    startDate: expect.stringContaining("2022-08-28"),
    eventStatus: "https://schema.org/EventScheduled",
  });
  const article = Object.keys(contentPages).find((path) => path.startsWith("/news/"))!;
  expect(await find(article, "Article")).toMatchObject({
    headline: contentPages[article as keyof typeof contentPages],
    datePublished: expect.stringContaining("2026-10-14"),
    publisher: { "@id": `${siteUrl()}/#organisation` },
  });
});

test("NAV-8, NAV-9: every link on every page works, and the site map lists only pages that exist", async ({
  request,
}) => {
  const map = await (await request.get(`${siteUrl()}/sitemap.xml`)).text();
  const listed = [...map.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => new URL(address!).pathname);
  for (const path of ["/", ...Object.keys(contentPages), ...Object.keys(formPages)]) expect(listed).toContain(path);
  for (const path of Object.keys(ticketPages)) expect(listed).not.toContain(path);
  const reached = new Set<string>();
  const waiting = ["/"];
  while (waiting.length > 0) {
    const path = waiting.pop()!;
    if (reached.has(path)) continue;
    reached.add(path);
    const answer = await request.get(siteUrl() + path);
    expect(answer.status(), path).toBe(200);
    if (!answer.headers()["content-type"]?.startsWith("text/html")) continue;
    const html = await answer.text();
    const ids = new Set([...html.matchAll(/ id="(.*?)"/g)].map(([, id]) => id));
    for (const [, link = ""] of html.matchAll(/<a [^>]*?href="(.*?)"/g)) {
      if (link.startsWith("#")) expect([...ids], `${path} ${link}`).toContain(link.slice(1));
      else if (link.startsWith("/")) waiting.push(link.replaceAll("&amp;", "&").split("#", 1)[0]!);
    }
  }
  for (const path of listed) expect([...reached], `nothing leads to ${path}`).toContain(path);
});

function titleOf(html: string): string | undefined {
  return /<title>(.*?)<\/title>/.exec(html)?.[1]?.replaceAll("&amp;", "&");
}
