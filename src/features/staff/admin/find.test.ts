import { afterAll, beforeAll, expect, test } from "vitest";
import type { HitGroup } from "#admin/search.ts";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";

let site: AdminSite;
beforeAll(async () => {
  site = await openAdminSite();
});
afterAll(() => site.close());

test("FIND-1: screens are found by part of their name, on the search screen and in the palette, but not by strangers", async () => {
  const treasurer = await site.logIn("treasurer");
  const found: HitGroup[] = JSON.parse((await treasurer.get("/admin/find.json?q=dashb")).html);
  expect(found.at(-1)).toEqual({
    title: "Go to",
    icon: "right",
    hits: [{ label: "Dashboard", detail: "", path: "/admin" }],
  });
  expect((await treasurer.get("/admin/find?q=dashb")).html).toContain('href="/admin"');
  expect((await treasurer.get("/admin/find?q=zzz")).html).toContain("Nothing found");
  const stranger = await site.openBrowser();
  expect((await stranger.get("/admin/find.json?q=dashb")).status).toBe(401);
  expect((await stranger.get("/admin/find?q=dashb")).status).toBe(302);
});

test("FIND-1: the search screen's title says what was searched for and how much is shown, as its first line does", async () => {
  const treasurer = await site.logIn("treasurer");
  const shown = async (search: string) => {
    const { html } = await treasurer.get(`/admin/find${search}`);
    const [, title] = /<title>(.*?) \| Back office/.exec(html)!;
    return { title, line: /<p class="sub">(.*?)<\/p>/.exec(html)![1] };
  };
  expect((await shown("")).title).toBe("Search or go to");
  expect((await shown("?q=+")).title).toBe("Search or go to");
  const more = ". The search shows up to five people, donations and so on; their own lists show all.";
  for (const [q, found] of [
    ["dashb", "One found for “\u2068dashb\u2069”"],
    ["zzz", "Nothing found for “\u2068zzz\u2069”"],
  ]) {
    expect(await shown(`?q=${q}`)).toEqual({ title: found, line: found + more });
  }
});
