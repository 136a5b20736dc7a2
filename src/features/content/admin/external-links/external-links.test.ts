import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeWhen } from "#admin/ui/when.tsx";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { readPage } from "#test/read-page.ts";
import { openSmallInternet } from "#test/small-internet.ts";
import { checkNextLink } from "../../server/external-links/check-links.ts";

const DAY_MS = 86_400_000;

let site: AdminSite;
let claire: Awaited<ReturnType<AdminSite["logIn"]>>;
let internet: Awaited<ReturnType<typeof openSmallInternet>>;
beforeAll(async () => {
  site = await openAdminSite({ LINK_CHECKS: "on" });
  claire = await site.logIn("editor");
  // The policies link to authorities.
  await site.pool.query("update pages set html = ''");
  internet = await openSmallInternet({
    "works.test": {},
    "reports.test": { reply: ({ path }) => (path.startsWith("/2019") ? 404 : 200) },
  });
});
afterAll(async () => {
  await internet.close();
  await site.close();
});

const publish = (title: string, path: string | null, html: string, from = "1") =>
  write(title, { path, html, from, next: "publish" });

type Written = { readonly path: string | null; readonly html: string; readonly from: string; readonly next: string };

/** Sends the form of a news item, a new one without a path. Returns its address. */
async function write(title: string, { path, html, from, next }: Written): Promise<string> {
  const fields = { title, html, excerpt: "E", published_on: "2026-11-24", slug: "", next };
  const answer = await claire.post(path ?? "/admin/news/new", {
    ...fields,
    image: "/identity/illustrations/hospital.svg",
    ...(path === null ? { form: randomUUID() } : { from }),
  });
  expect(answer.status, answer.html).toBe(303);
  return answer.to!;
}
const link = (address: string) => `<p>See <a href="${address}">this</a></p>`;

/** Everything that is due, `days` later. */
async function check(days = 0) {
  site.clock.advance(days * DAY_MS);
  for (let count = 0; count < 6; count += 1) {
    await checkNextLink(site.services, internet.network);
    site.clock.advance(60_000);
  }
  // Her session has ended in the meantime.
  claire = await site.logIn("editor");
}
const show = async (path: string) => readPage((await claire.get(path)).html).querySelector("main")!;
const textOf = (element: Element) => element.textContent!.replace(/\s+/g, " ").trim();
async function listRows() {
  const rows = [...(await show("/admin/links")).querySelectorAll("tbody tr")];
  return rows.map((row) => [...row.children].slice(0, 3).map(textOf)).sort();
}
const idOf = async (address: string) =>
  (await site.pool.query("select id from external_links where address = $1", [address])).rows[0].id;

test("LNK-6: dead links are on the dashboard and listed with where they stand, since when and why", async () => {
  expect(textOf(await show("/admin/links"))).toContain("No broken links");
  const path = await publish(
    "Rain in Tharparkar",
    null,
    link("https://reports.test/2019") + link("https://gone.test/"),
  );
  await publish("A second pump", null, link("https://reports.test/2019") + link("https://works.test/"));
  await check();
  await check(1);
  expect(textOf(await show("/admin"))).toContain("2 links are broken");
  expect(await listRows()).toEqual([
    ["https://gone.test/", "Rain in Tharparkar news item", "There is no website with this name."],
    [
      "https://reports.test/2019",
      "Rain in Tharparkar news itemA second pump news item",
      "The website has no such page (404).",
    ],
  ]);
  const main = await show("/admin/links");
  expect([...main.querySelectorAll("tbody td a")].map((one) => one.getAttribute("href"))).toContain(path);
  const since = main.querySelector("tbody time")!;
  const { rows } = await site.pool.query("select failing_since as at from external_links where state = 'dead'");
  const at = rows.map((row) => row.at as Date).find((one) => one.toISOString() === since.getAttribute("datetime"));
  expect(since.textContent).toBe(describeWhen(at!, site.clock.now()));
  const editor = textOf(await show(path));
  expect(editor).toContain("A link to another website leads nowhere: https://gone.test/");
});

test("LNK-6: a link is checked again when somebody asks, not while they wait", async () => {
  const id = await idOf("https://gone.test/");
  const before = internet.asked.length;
  const answer = await claire.post(`/admin/links/${id}/check`);
  expect([answer.status, answer.to, internet.asked.length]).toEqual([303, "/admin/links", before]);
  expect(textOf(await show("/admin/links"))).toContain("Being checked");
});

test("LNK-6: a link that staff say is fine leaves list and dashboard, is not asked for, and can be brought back", async () => {
  const address = "https://reports.test/2019";
  const id = await idOf(address);
  await claire.post(`/admin/links/${id}/except`);
  expect(textOf(await show("/admin"))).toContain("One link is broken");
  const main = await show("/admin/links");
  expect(textOf(main.querySelector("section[aria-labelledby=excepted] tbody th")!)).toBe(address);
  const before = internet.asked.length;
  await check(10);
  expect(internet.asked.slice(before).filter((line) => line.includes("/2019"))).toEqual([]);
  await claire.post(`/admin/links/${id}/include`);
  await check();
  expect(internet.asked.slice(before).filter((line) => line.includes("/2019"))).not.toEqual([]);
  const { rows } = await site.pool.query("select verb, after from audit_trail where subject = 'links' order by id");
  expect(rows).toEqual([
    { verb: "links.except", after: { address } },
    { verb: "links.include", after: { address } },
  ]);
  const admin = await site.logIn("administrator");
  expect(textOf(readPage((await admin.get("/admin/audit")).html).body)).toContain(
    `ended the checks of link ${address}`,
  );
});

test("LNK-6: a link that is no longer on the site is refused with a sentence", async () => {
  for (const act of ["check", "except", "include"]) {
    const answer = await claire.post(`/admin/links/999999/${act}`);
    expect(answer.html).toContain("This link is no longer on the site. Nothing was changed.");
  }
});

test("LNK-5: the screen says so when no other website can be reached", async () => {
  internet.setAway(true);
  await check(10);
  expect(textOf(await show("/admin/links"))).toMatch(/No other website has answered since .+ no link is marked until/);
});

test("LNK-5: where checks are turned off the screen says how to turn them on, and offers none", async () => {
  const quiet = await openAdminSite();
  const editor = await quiet.logIn("editor");
  await quiet.pool.query(`
    insert into external_links (address, host, state, reason, failing_since, check_at)
    values ('https://www.oaic.gov.au/privacy/privacy-complaints', 'www.oaic.gov.au', 'dead', 'not_found', now(), now())`);
  const { html } = await editor.get("/admin/links");
  expect(html).toContain("LINK_CHECKS");
  expect(html).toContain("It is fine, stop checking it");
  expect(html).not.toContain("Check again");
  const id = (await quiet.pool.query("select id from external_links where state = 'dead'")).rows[0].id;
  expect((await editor.post(`/admin/links/${id}/check`)).html).toContain("Links are not checked on this site.");
  await quiet.close();
});

test("LNK-7: links of a draft are checked before it is published, and count as broken only afterwards", async () => {
  internet.setAway(false);
  site.clock.advance(DAY_MS);
  claire = await site.logIn("editor");
  const address = "https://reports.test/2019?draft";
  const html = link(address) + link("https://works.test/draft");
  const path = await write("A draft with links", { path: null, html, from: "1", next: "save" });
  const shown = async () => textOf(await show(path));
  expect(await shown()).toContain(
    "2 links to other websites are still being checked. Open this page again in a minute.",
  );
  const listed = await listRows();
  await check();
  expect(await shown()).toContain(`A link to another website leads nowhere: ${address}`);
  expect(await shown()).not.toContain("still being checked");
  // While no website can be reached checks are put off, and nobody is told to wait for one.
  await site.pool.query(
    "update external_links set state = 'new', check_at = check_at + interval '10 days' where address = 'https://works.test/draft'",
  );
  expect(await shown()).not.toContain("still being checked");
  expect(await listRows()).toEqual(listed);

  // Publishing something else does not forget it, but a month does.
  await publish("A third pump", null, link("https://works.test/"));
  await check();
  expect(await idOf(address)).toBeDefined();
  site.clock.advance(31 * DAY_MS);
  claire = await site.logIn("editor");
  await publish("A fourth pump", null, link("https://works.test/"));
  await check();
  const { rows } = await site.pool.query("select from external_links where address like '%draft%'");
  expect(rows).toHaveLength(0);
  // Bringing the version back counts as saving it.
  expect((await claire.post(`${path}/restore`, { version: "1", from: "1" })).status).toBe(303);
  expect(await shown()).toContain("2 links to other websites are still being checked.");
  await check();
  expect(await shown()).toContain(`A link to another website leads nowhere: ${address}`);
});
