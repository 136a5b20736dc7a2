import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { publishDue } from "../server/editing/publish-due.ts";

let site: AdminSite;
let claire: Awaited<ReturnType<AdminSite["logIn"]>>;
let tom: typeof claire;
beforeAll(async () => {
  site = await openAdminSite();
  claire = await site.logIn("editor");
  tom = await site.logIn("editor");
});
// Versions can't be deleted, so this hides what earlier tests have written.
beforeEach(() => site.pool.query("delete from news; update content_items set kind = 'earlier ' || id"));
afterAll(() => site.close());

const image = "/identity/illustrations/hospital.svg";
const complete = { title: "A warm room", slug: "", excerpt: "Before the first snow.", html: "<p>One</p>", image };
const typed = { ...complete, published_on: "2026-11-24" };
type Typed = Record<string, string>;

/** A new item by Claire: its address in the back office. */
async function write(fields: Typed = {}): Promise<string> {
  const { to, status, html } = await claire.post("/admin/news/new", { ...typed, form: randomUUID(), ...fields });
  expect(status, html).toBe(303);
  return to!;
}

const findLive = async () => (await site.pool.query("select * from news order by id")).rows;
const listVersions = async (path: string) => {
  const { rows } = await site.pool.query(
    "select number, data, began_from, saved_by from content_versions where item_id = $1 order by number",
    [path.split("/")[3]],
  );
  return rows as { number: number; data: Typed; began_from: number | null; saved_by: number | null }[];
};

/** Adds a row as SQL does, and opens it from the list. */
async function openRow(changes: Typed = {}): Promise<string> {
  const row = { slug: "by-sql", title: "By SQL", excerpt: "E", html: "\n<p>Sana</p>\n\n", image, ...changes };
  const names = Object.keys(row);
  await site.pool.query(
    `insert into news (${names.join(", ")}, published_on) values (${names.map((_, at) => `$${at + 1}`)}, '2026-10-01')`,
    Object.values(row),
  );
  const { html } = await claire.get("/admin/news");
  return /\/admin\/news\/\d+/.exec(html)![0];
}

test("CON-1: a draft is nowhere on the site until it is published; then the row is exactly its version", async () => {
  const path = await write();
  expect(await findLive()).toEqual([]);
  const { html } = await claire.get(path);
  expect(html).toContain("Saved as version 1");
  const { to } = await claire.post(path, {
    ...typed,
    slug: "a-warm-room",
    title: "A warmer room",
    from: "1",
    next: "publish",
  });
  expect(to).toBe(path);
  const [version] = (await listVersions(path)).slice(-1);
  const [live, ...more] = await findLive();
  expect(more).toEqual([]);
  expect(live).toMatchObject({ ...version!.data, state: "published", slug: "a-warm-room", title: "A warmer room" });
  expect((await claire.get(path)).html).toContain("Published. Visitors see it now.");
  expect((await claire.get("/admin/news")).html).toContain("A warmer room");
});

test("CON-1: an item without a picture or a date is kept as a draft, and cannot be published", async () => {
  const path = await write({ image: "", published_on: "" });
  const { status, html } = await claire.post(path, {
    ...typed,
    image: "",
    published_on: "",
    from: "1",
    next: "publish",
  });
  expect(status).toBe(422);
  expect(html).toContain("Choose a picture before you publish.");
  expect(html).toContain("Enter a date before you publish.");
  expect(await findLive()).toEqual([]);
});

test("CON-2: a row of the site's table becomes version 1, byte for byte, and stays so until somebody changes it", async () => {
  const written = "\n<p>A &amp; B &#8211; “quotes”</p>\n\n<div class='x'>old</div>  ";
  const path = await openRow({ html: written, title: "  Two  spaces " });
  expect(await listVersions(path)).toMatchObject([
    { number: 1, began_from: null, saved_by: null, data: { html: written, title: "  Two  spaces " } },
  ]);
  const { html } = await claire.get(path);
  expect(html).toContain("&lt;div class=&#x27;x&#x27;&gt;old");
  const same = {
    ...typed,
    title: "  Two  spaces ",
    slug: "by-sql",
    excerpt: "E",
    html: written,
    published_on: "2026-10-01",
  };
  await claire.post(path, { ...same, from: "1" });
  expect(await listVersions(path)).toHaveLength(1);
  await claire.post(path, { ...same, excerpt: "New", from: "1", next: "publish" });
  expect(await findLive()).toMatchObject([{ html: written, excerpt: "New", title: "  Two  spaces " }]);
});

test("CON-2: a later change by SQL becomes a version too, and a form that was open at that time shows both", async () => {
  const path = await openRow();
  await site.pool.query("update news set title = 'Corrected by SQL'");
  const { status, html } = await claire.post(path, {
    ...typed,
    title: "Mine",
    slug: "by-sql",
    from: "1",
    next: "publish",
  });
  expect(status).toBe(409);
  expect(html).toContain("Somebody outside the back office saved version 2");
  expect(await findLive()).toMatchObject([{ title: "Corrected by SQL" }]);
  expect((await listVersions(path)).map(({ data }) => data.title)).toEqual(["By SQL", "Corrected by SQL", "Mine"]);
  await site.pool.query("delete from news");
  expect((await claire.get("/admin/news")).html).toContain("Draft");
});

test("CON-3: the second of two editors sees both versions, keeps every word, and can save again", async () => {
  const path = await write();
  await tom.post(path, { ...typed, html: "<p>One by Tom</p>", from: "1" });
  const mine = { ...typed, html: "<p>One by Claire</p>", next: "publish" };
  const refused = await claire.post(path, { ...mine, from: "1" });
  expect(refused.status).toBe(409);
  expect(refused.html).toContain(`${tom.name} saved version 2 while you were writing. Yours is safe as version 3`);
  expect(refused.html).toContain("<del>Tom&lt;/p&gt;</del>".replace("&lt;/p&gt;", ""));
  expect(refused.html).toContain("<ins>Claire</ins>");
  expect(refused.html).toContain("&lt;p&gt;One by Claire&lt;/p&gt;</textarea>");
  expect(refused.html).toContain('name="from" value="2"');
  expect(await findLive()).toEqual([]);
  await claire.post(path, { ...mine, from: "1" });
  expect(await listVersions(path), "a form that is sent twice is kept once").toHaveLength(3);
  expect((await claire.get(path)).html).toContain("One by Tom");
  expect((await claire.post(path, { ...mine, from: "2" })).status).toBe(303);
  expect(await findLive()).toMatchObject([{ html: "<p>One by Claire</p>" }]);
  const texts = (await listVersions(path)).map(({ data }) => data.html);
  expect(texts).toEqual(["<p>One</p>", "<p>One by Tom</p>", "<p>One by Claire</p>", "<p>One by Claire</p>"]);
});

test("CON-3: a form that is sent twice makes one item and one version", async () => {
  const form = randomUUID();
  const [one, two] = [await write({ form }), await write({ form })];
  expect(two).toBe(one);
  expect(await listVersions(one)).toHaveLength(1);
  expect(await write({ form, title: "Changed after going back" })).toBe(one);
  expect((await listVersions(one)).map(({ data }) => data.title)).toEqual(["A warm room", "Changed after going back"]);
  for (let times = 0; times < 2; times += 1) {
    expect((await claire.post(one, { ...typed, title: "Twice", slug: "a-warm-room", from: "2" })).status).toBe(303);
  }
  expect(await listVersions(one)).toHaveLength(3);
});

test("CON-3: a form that is sent several times at the same moment makes one item, and every answer leads to it", async () => {
  const form = randomUUID();
  const answers = await Promise.all(Array.from({ length: 4 }, () => write({ form })));
  expect(new Set(answers).size).toBe(1);
  expect(await listVersions(answers[0]!)).toHaveLength(1);
});

test("CON-3: versions can be added, and never changed or removed", async () => {
  await write();
  for (const statement of ["update content_versions set saved_by = null", "delete from content_versions"]) {
    await expect(site.pool.query(statement)).rejects.toThrow("append only");
  }
});

test("CON-4: publishing now, taking down, and a button cancel the chosen time", async () => {
  const path = await write();
  const at = { on: "2098-01-05", at: "07:00" };
  const isScheduled = async () => (await claire.get(path)).html.includes("Cancel this time");
  for (const next of ["unschedule", "publish", "take-down"]) {
    await claire.post(path, { ...typed, ...at, from: "1", next: "schedule" });
    expect(await isScheduled(), next).toBe(true);
    await claire.post(path, { ...typed, from: "1", next });
    expect(await isScheduled(), next).toBe(false);
  }
});

test("CON-4: with a time for its next version, an item that visitors see is still said to be published", async () => {
  const path = await write();
  const schedule = async (title: string, from: string) => {
    await claire.post(path, { ...typed, title, from, next: "schedule", on: "2098-01-05", at: "07:00" });
    return (await claire.get(path)).html;
  };
  const time = "5 January 2098, 7:00 am";
  expect(await schedule(typed.title, "1")).toContain(`>Goes out ${time}<`);
  await claire.post(path, { ...typed, from: "1", next: "publish" });
  expect(await schedule("A warmer room", "1")).toContain(`>Published, and a newer version goes out ${time}<`);
  // It cancels the time too, for the next test.
  await claire.post(path, { ...typed, from: "2", next: "take-down" });
});

test("CON-4: at the chosen time in Sydney the chosen version is published, once", async () => {
  const path = await write();
  const now = site.clock.now();
  const past = await claire.post(path, { ...typed, from: "1", next: "schedule", on: "2020-01-01", at: "07:00" });
  expect(past.html).toContain("Choose a time to come, or publish now.");
  await claire.post(path, { ...typed, from: "1", next: "schedule", on: "2099-01-05", at: "07:00" });
  const { rows } = await site.pool.query("select scheduled_at from content_items where scheduled_at is not null");
  expect(rows).toEqual([{ scheduled_at: new Date("2099-01-04T20:00:00Z") }]);
  await claire.post(path, { ...typed, title: "A later draft", from: "1" });
  await publishDue(site.services);
  expect(await findLive()).toEqual([]);
  site.clock.advance(new Date("2099-01-04T20:00:00Z").getTime() - now.getTime());
  await Promise.all([publishDue(site.services), publishDue(site.services)]);
  expect(await findLive()).toMatchObject([{ title: "A warm room", state: "published" }]);
  await site.pool.query("update news set title = 'Untouched'");
  await publishDue(site.services);
  expect(await findLive()).toMatchObject([{ title: "Untouched" }]);
  const acts = await site.pool.query("select actor from audit_trail where verb = 'news.publish_at_time'");
  expect(acts.rows).toEqual([{ actor: claire.name }]);
});
