import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sanitiseHtml } from "#shared/html/sanitise.ts";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { fewOfEach } from "#test/project/injection-corpus.ts";
import { readPage } from "#test/read-page.ts";
import { kinds } from "../server/editing/kinds.ts";

let site: AdminSite;
let claire: Awaited<ReturnType<AdminSite["logIn"]>>;
beforeAll(async () => {
  site = await openAdminSite();
  claire = await site.logIn("editor", "events");
});
afterAll(() => site.close());

const image = "/identity/illustrations/hospital.svg";
/** Enough values for any kind: each form reads only its own fields. */
const all = {
  title: "A warm room",
  slug: "",
  excerpt: "Before the snow.",
  html: "<p>One</p>",
  image,
  links: "",
  published_on: "2026-11-24",
  image_date: "2026-11-24",
  description: "D",
  position: "3",
  created_by: "Sana",
  link_label: "",
  link_address: "",
  starts_at: "2099-03-01T07:00",
  ends_at: "2099-03-30T22:00",
  summary: "S",
  place: "Town hall",
  time_zone: "Australia/Sydney",
};
type Fields = Record<string, string>;

async function write(kind: string, fields: Fields = {}): Promise<string> {
  const answer = await claire.post(`/admin/${kind}/new`, { ...all, form: randomUUID(), ...fields });
  expect(answer.status, answer.html).toBe(303);
  return answer.to!;
}

const findLatest = async (path: string): Promise<Fields> => {
  const { rows } = await site.pool.query(
    `select data from content_versions join content_items on id = item_id and number = latest_version where id = $1`,
    [path.split("/")[3]],
  );
  return rows[0].data;
};
const mainOf = (html: string) => readPage(html).querySelector("main")!;

test.each(kinds.filter(({ isOpen }) => isOpen))(
  "CON-1: $name are written, published, changed and taken down through the same forms",
  async ({ name, table }) => {
    const title = `Through the forms of ${name}`;
    const path = await write(name, { title, next: "publish" });
    const find = async () =>
      (await site.pool.query(`select title, state from ${table} where title like $1`, [`${title}%`])).rows;
    expect(await find()).toEqual([{ title, state: "published" }]);
    const changed = { ...all, title: `${title}, again`, from: "1", next: "publish" };
    expect((await claire.post(path, changed)).status).toBe(303);
    expect(await find()).toEqual([{ title: changed.title, state: "published" }]);
    expect((await claire.post(path, { ...changed, from: "2", next: "take-down" })).status).toBe(303);
    expect(await find()).toEqual([{ title: changed.title, state: "draft" }]);
    expect((await claire.get(`/admin/${name}?q=${encodeURIComponent(title)}`)).html).toContain("Not published");
  },
);

test.each(["causes", "testimonials"])(
  "CON-1: a draft of %s has no place until somebody publishes it, who is asked for one",
  async (name) => {
    const path = await write(name, { title: "Without a place", position: "" });
    expect(await findLatest(path)).toMatchObject({ position: null });
    expect(mainOf((await claire.get(path)).html).textContent).toContain("Enter a place before you publish.");
    const answer = await claire.post(path, { ...all, position: "", from: "1", next: "publish" });
    expect(answer.status).toBe(422);
    expect(mainOf(answer.html).querySelector(".err")?.textContent).toBe("Enter a place before you publish.");
    expect((await claire.post(path, { ...all, from: "1", next: "publish" })).status).toBe(303);
  },
);

test.each(["causes", "testimonials"])(
  "CON-1: %s of the same place are listed in the order of the home page",
  async (kind) => {
    const titles = ["First of two", "Second of two"].map((title) => `${title} ${kind}`);
    for (const title of titles) await write(kind, { title, position: "9", next: "publish" });
    const { html } = await claire.get(`/admin/${kind}?q=of+two`);
    expect([...mainOf(html).querySelectorAll("th a")].map(({ textContent }) => textContent)).toEqual(titles);
  },
);

test("CON-11: a service is changed field by field, and what cannot be shown has a sentence at its field", async () => {
  const list = (await claire.get("/admin/services")).html;
  const path = /\/admin\/services\/\d+(?="><bdi>Flood Relief)/.exec(list)![0];
  const before = await findLatest(path);
  const form = mainOf((await claire.get(path)).html);
  const causes = [...form.querySelectorAll("select[name=cause] option")].map((option) => option.getAttribute("value"));
  expect(causes).toEqual(expect.arrayContaining(["", "flood-relief", "homes"]));
  const wrong = await claire.post(path, {
    ...before,
    from: "1",
    next: "publish",
    title: "Flood\u202e relief",
    figures: "Many boats",
    questions: "Is there a flood?",
    cause: "../x",
    give_to: "",
  });
  expect(wrong.status).toBe(422);
  for (const said of [
    "Type this again instead of pasting it: it has characters that nobody can see.",
    "Begin “Many boats” with its figure",
    "Write the answer on the line below “Is there a flood?”",
    "Choose one of the list.",
  ]) {
    expect(mainOf(wrong.html).textContent).toContain(said);
  }
  const changed = { figures: "12 boats\n300 tents", questions: "Why?\nBecause.", cause: "homes", give_to: "boats" };
  expect((await claire.post(path, { ...before, ...changed, from: "1", next: "publish" })).status).toBe(303);
  const { rows } = await site.pool.query("select * from services where type = 'flood_relief'");
  expect(rows[0]).toMatchObject({ ...before, ...changed });
  const need = await claire.post(path, { ...before, ...changed, lede: "", from: "2", next: "publish" });
  expect(mainOf(need.html).textContent).toContain("Write an opening sentence before you publish.");
  expect((await claire.get("/admin/services/new")).status).toBe(404);
});

test("CON-1: a page is changed with its links, and is never new", async () => {
  const list = (await claire.get("/admin/pages")).html;
  const path = /\/admin\/pages\/\d+(?="><bdi>One Foundation)/.exec(list)![0];
  const before = await findLatest(path);
  const fields = { title: before.title!, html: before.html!, image: before.image!, from: "1", next: "publish" };
  const refused = await claire.post(path, { ...fields, links: "Annual report" });
  expect(refused.html).toContain("Write words and an address that begins with https:// in “Annual report”.");
  await claire.post(path, { ...fields, links: "Annual report https://reports.example/2026\n" });
  const { rows } = await site.pool.query("select html, links from pages where type = 'world'");
  expect(rows).toEqual([
    { html: before.html, links: [{ label: "Annual report", url: "https://reports.example/2026" }] },
  ]);
  expect((await claire.get("/admin/pages/new")).status).toBe(404);
});

test.each([
  ["pages", "Vision &amp; Mission", "type = 'vision'"],
  ["services", "Patient Care", "type = 'patient_care'"],
])("CON-12: one of the %s is taken down in its editor, and published again", async (name, title, where) => {
  const path = new RegExp(`/admin/${name}/\\d+(?="><bdi>${title})`).exec((await claire.get(`/admin/${name}`)).html)![0];
  const fields = Object.fromEntries(
    Object.entries(await findLatest(path)).map(([field, value]) => [field, typeof value === "string" ? value : ""]),
  );
  const stateOf = async () => (await site.pool.query(`select state from ${name} where ${where}`)).rows[0].state;
  expect((await claire.get(path)).html).toContain("Take it down");
  expect((await claire.post(path, { ...fields, from: "1", next: "take-down" })).status).toBe(303);
  expect(await stateOf()).toBe("draft");
  const { html } = await claire.get(path);
  expect(html).toContain("Not published");
  expect(html).not.toContain("See it on the site");
  expect((await claire.post(path, { ...fields, from: "1", next: "publish" })).status).toBe(303);
  expect(await stateOf()).toBe("published");
});

test("PAGE-9: a policy with an unknown placeholder is kept as a draft, and not published until it is put right", async () => {
  const path = /\/admin\/pages\/\d+(?="><bdi>Refund policy)/.exec((await claire.get("/admin/pages")).html)![0];
  const { title } = await findLatest(path);
  const said = "There is no {nmae} in this page. Did you mean {name}?";
  const fields = { title: title!, html: "<p>{nmae} refunds.</p>", links: "" };
  expect((await claire.post(path, { ...fields, from: "1", next: "save" })).status).toBe(303);
  expect((await claire.get(path)).html).toContain(said);
  for (const next of ["publish", "schedule"]) {
    const refused = await claire.post(path, { ...fields, from: "2", next, on: "2099-01-05", at: "07:00" });
    expect([refused.status, mainOf(refused.html).textContent?.includes(said)], next).toEqual([422, true]);
  }
  const right = { ...fields, html: "<p>{name} refunds.</p>", from: "2", next: "publish" };
  expect((await claire.post(path, right)).status).toBe(303);
});

test("CON-12: a policy is not taken down", async () => {
  const path = /\/admin\/pages\/\d+(?="><bdi>Privacy policy)/.exec((await claire.get("/admin/pages")).html)![0];
  expect((await claire.get(path)).html).not.toContain("Take it down");
  const { title, html } = await findLatest(path);
  const answer = await claire.post(path, { title: title!, html: html!, links: "", from: "1", next: "take-down" });
  expect([answer.status, answer.html.includes("This is always there, and cannot be taken down.")]).toEqual([409, true]);
  expect((await site.pool.query("select from pages where type = 'privacy' and state = 'published'")).rows).toHaveLength(
    1,
  );
});

test("CON-5: what the site cannot show is named before anything is kept, and left out once that is agreed to", async () => {
  const html = '<p onclick="x()">Two<script>alert(1)</script></p>';
  const path = await write("news", { title: "To clean" });
  const asked = await claire.post(path, { ...all, html, from: "1", next: "publish" });
  expect(asked.status).toBe(200);
  expect(asked.html).toContain("&lt;script&gt;");
  expect(asked.html).toContain("onclick on &lt;p&gt;");
  expect((await findLatest(path)).html).toBe("<p>One</p>");
  const agreed = mainOf(asked.html).querySelector<HTMLInputElement>("[name=agreed]")!.value;
  const other = await claire.post(path, { ...all, html: `${html}<iframe></iframe>`, from: "1", agreed });
  expect(other.html, "another text is asked about again").toContain("&lt;iframe&gt;");
  expect((await claire.post(path, { ...all, html, from: "1", agreed })).status).toBe(303);
  expect((await findLatest(path)).html).toBe("<p>Two</p>");
});

test("CON-5: hostile texts are stored sanitised, and run on no screen", async () => {
  const path = await write("news", { title: "Hostile" });
  let from = 1;
  for (const { text } of fewOfEach) {
    const fields: Fields = { ...all, title: text, excerpt: text, html: text, from: String(from) };
    let answer = await claire.post(path, fields);
    const agreed = mainOf(answer.status === 200 ? answer.html : "<main>").querySelector<HTMLInputElement>(
      "[name=agreed]",
    );
    if (agreed !== null) answer = await claire.post(path, { ...fields, agreed: agreed.value });
    expect([303, 422], text).toContain(answer.status);
    if (answer.status === 422) continue;
    from += 1;
    const { html } = await findLatest(path);
    expect(html).toBe(sanitiseHtml(html!));
    const screens = [path, `${path}/history?before=${from - 1}&after=${from}`];
    for (const screen of screens) {
      const main = mainOf((await claire.get(screen)).html);
      expect(
        main.querySelectorAll("script, [onerror], [onload], [onfocus], [autofocus], svg[onload]"),
        screen,
      ).toHaveLength(0);
    }
    expect(mainOf((await claire.get(path)).html).querySelector("textarea[name=html]")!.textContent).toBe(html);
  }
  expect(from).toBeGreaterThan(fewOfEach.length / 2);
});

test("CON-6: the history names who changed what, compares any two versions, and brings one back as a new one", async () => {
  const path = await write("news", { title: "History" });
  const slug = "history";
  await claire.post(path, { ...all, slug, title: "History", html: "<p>240 families</p>", from: "1" });
  await claire.post(path, { ...all, slug, title: "History, later", html: "<p>240 families</p>", from: "2" });
  const history = mainOf((await claire.get(`${path}/history?before=1&after=3`)).html);
  const added = [...history.querySelectorAll("ins")].map((one) => one.textContent);
  expect(added).toEqual(["History, later", "240 families"]);
  expect(history.querySelector("tr[data-id='2']")!.textContent).toContain(`${claire.name}Text`);
  const stale = await claire.post(`${path}/restore`, { from: "2", version: "1" });
  expect([stale.status, stale.html]).toEqual([409, expect.stringContaining("Nothing was restored")]);
  await claire.post(`${path}/restore`, { from: "3", version: "2" });
  expect(await findLatest(path)).toMatchObject({ title: "History", html: "<p>240 families</p>" });
  expect((await claire.get(`${path}/history`)).html).toContain("Version 2 restored");
});

test("CON-6: a comparison shows the words of each block, and tags only where the words are the same", async () => {
  const path = await write("news", { title: "Words" });
  const texts = ["<p>240 families</p><p>A stove</p>", "<p>241 <b>families</b></p>", "<p>241 families</p>"];
  for (const [at, html] of texts.entries()) {
    await claire.post(path, { ...all, slug: "words", title: "Words", html, from: String(at + 1) });
  }
  const compare = async (before: number, after: number) => {
    const page = mainOf((await claire.get(`${path}/history?before=${before}&after=${after}`)).html);
    return ["del", "ins"].map((tag) => [...page.querySelectorAll(`.versions ${tag}`)].map((one) => one.textContent));
  };
  expect(await compare(2, 3)).toEqual([["240", "\nA stove"], ["241"]]);
  const [removed, added] = await compare(3, 4);
  expect([removed!.length, added]).toEqual([2, []]);
  expect(removed![0]).toMatch(/^<\w+>$/);
});

test("CON-10, DASH-4: drafts are on the dashboard and in the search, and each act is in the audit trail in words", async () => {
  const path = await write("causes", { title: "Wells in Tharparkar" });
  await write("causes", { title: "Blankets" });
  const dashboard = (await claire.get("/admin")).html;
  expect(dashboard).toMatch(
    /2 causes have changes that are not published: (Wells in Tharparkar|Blankets) and (Wells|Blankets)/,
  );
  expect(dashboard).toContain('href="/admin/causes?state=draft"');
  const found = (await claire.get("/admin/find?q=tharparkar")).html;
  expect(found).toContain(`href="${path}"`);
  await claire.post(path, { ...all, title: "Wells in Tharparkar", from: "1", next: "publish" });
  await claire.post(path, { ...all, title: "Wells in Tharparkar", from: "1", next: "take-down" });
  const administrator = await site.logIn("administrator");
  const trail = (await administrator.get("/admin/audit")).html;
  for (const words of ["began", "published", "took down"]) expect(trail).toContain(words);
  expect(trail).toContain("cause Wells in Tharparkar");
  expect(trail).not.toContain("did “");
});

test.each(["news", "events"])(
  "CON-15: a draft of %s is put aside, found under its own filter, and brought back",
  async (name) => {
    const title = `Never finished ${name}`;
    const path = await write(name, { title });
    const isListed = async (address: string) => (await claire.get(address)).html.includes(`<bdi>${title}</bdi>`);
    const dashboard = async () => mainOf((await claire.get("/admin")).html).textContent;
    const before = await dashboard();
    expect((await claire.get(`/admin/${name}`)).html).not.toContain("Put aside");
    expect((await claire.post(path, { ...all, title, from: "1", next: "put-aside" })).status).toBe(303);
    const lists = ["", "?state=draft", "?state=aside"].map((query) => isListed(`/admin/${name}${query}`));
    expect(await Promise.all(lists)).toEqual([false, false, true]);
    expect((await claire.get(`/admin/${name}`)).html).toContain(`href="/admin/${name}?state=aside"`);
    expect(await dashboard()).not.toBe(before);
    expect((await claire.get(`/admin/find?q=${encodeURIComponent(title)}`)).html).toContain(`href="${path}"`);
    expect(mainOf((await claire.get(path)).html).textContent).toContain("Bring it back");
    expect((await claire.post(path, { ...all, title, from: "1", next: "bring-back" })).status).toBe(303);
    expect(await isListed(`/admin/${name}?state=draft`)).toBe(true);
    expect(await dashboard()).toBe(before);
  },
);

test("CON-15: what is published, or goes out at a time, is not put aside; publishing or planning a draft brings it back", async () => {
  const title = "Aside and out";
  const path = await write("causes", { title, next: "put-aside" });
  const isAside = async () =>
    (await site.pool.query("select is_put_aside from content_items where id = $1", [path.split("/")[3]])).rows[0]
      .is_put_aside;
  const send = (next: string) => claire.post(path, { ...all, title, from: "1", next, on: "2099-01-05", at: "07:00" });
  expect(await isAside()).toBe(true);
  await send("save");
  expect(await isAside()).toBe(true);
  await send("schedule");
  expect(await isAside()).toBe(false);
  expect((await send("put-aside")).status).toBe(409);
  await send("unschedule");
  await send("put-aside");
  await send("publish");
  expect(await isAside()).toBe(false);
  for (const next of ["put-aside", "take-down", "put-aside"]) await send(next);
  expect(await isAside()).toBe(false);
});

test("CON-10: what is missing is listed beside the form: a sentence, words for a picture, a link that leads nowhere", async () => {
  const html =
    '<p><a href="/newz">1</a><a href="/news">2</a><a href="https://example.org">3</a></p><img src="/identity/a.svg">';
  const path = await write("news", { title: "Checks", excerpt: "", html });
  const list = mainOf((await claire.get(path)).html).querySelector(".check-list")!;
  expect([...list.querySelectorAll("a")].map((one) => one.textContent)).toEqual([
    "No sentence for lists and search engines.",
    "A picture in the text has no words for people who cannot see it.",
    "A link leads nowhere on this site: /newz",
  ]);
});

test("CON-3: an auditor reads everything and changes nothing", async () => {
  const text = '<p>One <strong>word</strong>.</p><ul><li>Two</li></ul><p><a href="/news">Three</a></p>';
  const path = await write("news", { title: "For the auditor", html: text });
  const auditor = await site.logIn("auditor");
  const { html } = await auditor.get(path);
  expect(html).toContain("One word.\nTwo\nThree (/news)");
  expect(html).not.toContain("&lt;p&gt;");
  expect(html).not.toContain("<textarea");
  expect((await auditor.post(path, { ...all, from: "1" })).status).toBe(403);
});
