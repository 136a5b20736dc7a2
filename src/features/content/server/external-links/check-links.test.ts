import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { type Host, openSmallInternet } from "#test/small-internet.ts";
import { content } from "../feature.ts";
import { checkNextLink } from "./check-links.ts";
import { countDeadLinks, listKnownLinks } from "./known-links.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let db: TestDatabase;
let hosts: Record<string, Host | undefined>;
let internet: Awaited<ReturnType<typeof openSmallInternet>>;
let time: number;
let warnings: string[];
const now = () => new Date(time);
beforeAll(async () => {
  db = await createTestDatabase();
});
beforeEach(async () => {
  await db.pool.query("delete from news; delete from external_links; update pages set html = '', links = '[]'");
  await db.pool.query(`update external_link_checks set busy_until = null, reached_at = null, unreached_since = null`);
  hosts = { "works.test": {}, "also.test": {} };
  internet = await openSmallInternet(hosts);
  time = Date.parse("2026-11-24T00:00:00Z");
  warnings = [];
});
afterEach(() => internet.close());
afterAll(() => db.stop());

const services = () => ({
  database: db.database,
  now,
  config: { checksLinks: true, publicUrl: "https://chashma.example/" },
  log: { warn: ((...[text]: string[]) => void warnings.push(text!)) as never },
});
const check = () => checkNextLink(services(), internet.network);

/** As often as something is due, with a minute between. */
async function checkAll() {
  const before = internet.asked.length;
  for (let count = 0; count < 20; count += 1) {
    await check();
    time += 60_000;
  }
  return internet.asked.slice(before);
}

async function publish(slug: string, ...addresses: string[]) {
  const html = addresses.map((address) => `<p><a href="${address}">There</a></p>`).join("");
  const set = "do update set html = excluded.html, state = 'published'";
  await db.pool.query(
    `insert into news (slug, title, excerpt, html, image, published_on, state)
     values ($1, $1, '', $2, '/identity/illustrations/hospital.svg', '2026-11-24', 'published')
     on conflict (slug) ${set}`,
    [slug, html],
  );
}
const statesOf = async () => {
  const { rows } = await db.pool.query("select address, state from external_links order by address");
  return Object.fromEntries(rows.map(({ address, state }) => [address, state]));
};
async function listDead() {
  const { dead } = await listKnownLinks(db.database, now());
  return dead.map(({ address, reason, uses }) => [address, reason, uses.map(({ title }) => title).join()]).sort();
}

test("LNK-1: every external link of published news, pages and events is checked once, and again after a week", async () => {
  await publish(
    "one",
    "https://works.test/a#part",
    "https://works.test/a",
    "/news",
    "mailto:a@works.test",
    "tel:+61 2",
  );
  await publish("two", "https://works.test/a", "http://also.test/?b=1&amp;c=2");
  await publish("draft", "https://never.test/");
  await db.pool.query("update news set state = 'draft' where slug = 'draft'");
  await db.pool.query(
    `update pages set links = '[{"label": "W", "url": "https://works.test/of-a-page"}]' where type = 'world'`,
  );
  const asked = await checkAll();
  const agent = "as Mozilla/5.0 (compatible; AlmonerLinkCheck/1.0; +https://chashma.example)";
  expect(asked.sort()).toEqual([
    `HEAD also.test/?b=1&c=2 ${agent}`,
    `HEAD works.test/a ${agent}`,
    `HEAD works.test/of-a-page ${agent}`,
  ]);
  time += 6 * DAY_MS;
  expect(await checkAll()).toEqual([]);
  time += DAY_MS;
  expect(await checkAll()).toHaveLength(3);
});

test("LNK-1: links of published events are checked, those of drafts are not", async () => {
  await db.pool.query(`
    insert into events (slug, title, summary, html, image, place, time_zone, starts_at, ends_at, created_by, state)
    select state, 'Dinner', '', '<a href="https://works.test/' || state || '">There</a>', '', 'Sydney', 'Australia/Sydney',
      '2026-12-01', '2026-12-02', 'Sana', state from unnest(array['draft', 'published']) as state`);
  expect((await checkAll()).map((line) => line.split(" ")[1])).toEqual(["works.test/published"]);
  await db.pool.query("delete from events");
});

test("LNK-1: nothing is checked where the setting turns it off", async () => {
  await publish("one", "https://works.test/");
  await checkNextLink({ ...services(), config: { ...services().config, checksLinks: false } }, internet.network);
  expect(internet.asked).toEqual([]);
  await check();
  expect(internet.asked).toHaveLength(1);
});

test("LNK-1: the site does so by itself, every few seconds", async () => {
  await publish("one", "https://works.test/");
  // Another process is checking one, so this one asks nobody.
  await db.pool.query("update external_link_checks set busy_until = 'infinity'");
  const task = content.scheduledTasks.find(({ name }) => name === "links to other websites")!;
  await task.run(services() as never);
  expect([await statesOf(), task.every]).toEqual([{ "https://works.test/": "new" }, "tick"]);
});

test("LNK-4: two processes check each link once, and one host is left alone for ten seconds", async () => {
  await publish("one", "https://works.test/1", "https://works.test/2", "https://also.test/3");
  await Promise.all([check(), check(), check()]);
  expect(internet.asked).toHaveLength(1);
  time += 2000;
  await Promise.all([check(), check(), check()]);
  expect(internet.asked.map((line) => line.split(/[ /]/)[1])).toEqual(["works.test", "also.test"]);
  time += 7900;
  await check();
  expect(internet.asked).toHaveLength(2);
  time += 100;
  await check();
  expect(internet.asked).toHaveLength(3);
});

test("LNK-4: a link whose check was killed is checked by another process after a minute", async () => {
  await publish("one", "https://works.test/");
  const hanging = { ...internet.network, resolve: () => new Promise<never>(() => undefined) };
  void checkNextLink(services(), hanging).catch(() => undefined);
  await expect
    .poll(async () => (await db.pool.query("select busy_until from external_link_checks")).rows[0].busy_until)
    .not.toBeNull();
  await check();
  expect(internet.asked).toEqual([]);
  time += 61_000;
  await check();
  expect(internet.asked).toHaveLength(1);
});

test("LNK-3: a dead link is listed with the items in which it stands, and leaves the list once it works", async () => {
  hosts["works.test"] = { reply: ({ path }) => (path === "/gone" ? 404 : 200) };
  await publish("one", "https://works.test/gone", "https://nowhere.test/");
  await publish("two", "https://works.test/gone", "https://works.test/");
  await checkAll();
  expect(await listDead()).toEqual([["https://works.test/gone", "not_found", "one,two"]]);
  expect(await countDeadLinks(db.database, now())).toBe(1);
  time += DAY_MS;
  await checkAll();
  expect(await listDead()).toEqual([
    ["https://nowhere.test/", "no_host", "one"],
    ["https://works.test/gone", "not_found", "one,two"],
  ]);
  hosts["works.test"] = {};
  hosts["nowhere.test"] = {};
  time += 7 * DAY_MS;
  await checkAll();
  expect(await listDead()).toEqual([]);
});

test("LNK-3: a link that is taken out of the text leaves the list, and comes back as a new one", async () => {
  hosts["works.test"] = { reply: () => 410 };
  await publish("one", "https://works.test/");
  await checkAll();
  expect(await listDead()).toEqual([["https://works.test/", "removed", "one"]]);
  await publish("one", "https://also.test/");
  expect(await listDead()).toEqual([]);
  expect(await countDeadLinks(db.database, now())).toBe(0);
  await publish("one", "https://works.test/");
  await countDeadLinks(db.database, now());
  expect(await statesOf()).toEqual({ "https://works.test/": "new" });
});

test("LNK-5: without internet no link is marked, however often it is tried; it is logged once", async () => {
  await publish("one", "https://works.test/", "https://also.test/");
  await checkAll();
  internet.setAway(true);
  for (let day = 0; day < 20; day += 1) {
    time += DAY_MS;
    await checkAll();
  }
  expect(await statesOf()).toEqual({ "https://also.test/": "works", "https://works.test/": "works" });
  expect((await listKnownLinks(db.database, now())).unreachedSince).toEqual(expect.any(Date));
  expect(warnings).toEqual(["no other website answers, so links are not checked until one does"]);
  internet.setAway(false);
  time += HOUR_MS;
  await checkAll();
  expect((await listKnownLinks(db.database, now())).unreachedSince).toBeNull();
});

test("LNK-5: one website that does not answer is marked, because another one does", async () => {
  await publish("one", "https://nowhere.test/", "https://also.test/");
  await checkAll();
  time += DAY_MS;
  await checkAll();
  expect(await statesOf()).toEqual({ "https://also.test/": "works", "https://nowhere.test/": "dead" });
});

test("LNK-2: a link into a private network is not asked for, and not called dead", async () => {
  hosts["inside.test"] = { addresses: ["192.168.1.7"] };
  await publish("one", "https://inside.test/", "http://169.254.169.254/latest/", "https://works.test:8443/");
  expect(await checkAll()).toEqual([]);
  expect(new Set(Object.values(await statesOf()))).toEqual(new Set(["unclear"]));
});
