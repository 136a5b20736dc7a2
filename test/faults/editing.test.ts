import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createStaffSessions } from "#admin/staff-sessions.ts";
import { buildSiteWhenStale } from "#app/build.ts";
import { makeStaff } from "#database/factories.ts";
import { seededRandom } from "#shared/seeded-random.ts";
import { type ChildSite, createChildSite } from "#test/child-site.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { isLongRun } from "#test/long-run.ts";
import { longTest } from "#test/long-test.ts";

let db: TestDatabase;
let dataDir: string;
let sites: ChildSite[];
let editors: Editor[];

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "editing-"));
  [db] = await Promise.all([createTestDatabase(), buildSiteWhenStale(() => undefined)]);
  const settings = { databaseUrl: db.url, paywayUrl: "http://127.0.0.1:9/payway/rest/v1", dataDir, hasPages: true };
  sites = await Promise.all(["one", "two"].map((name) => createChildSite({ ...settings, name })));
  await Promise.all(sites.map((site) => site.start()));
  editors = await Promise.all(["Claire", "Tom"].map((name, at) => openEditor(sites[at]!, name)));
});
afterAll(async () => {
  for (const site of sites) await site.stop();
  await db.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

type Editor = Awaited<ReturnType<typeof openEditor>>;

/** A person with a browser at one of the processes. */
async function openEditor(site: ChildSite, name: string) {
  const { id } = await makeStaff(db.database, { name, roles: ["editor"] });
  const sessions = createStaffSessions({ database: db.database, now: () => new Date(), isSecure: false });
  const token = await sessions.begin(db.database, id, { cookies: {}, ip: "127.0.0.1", headers: {} } as never);
  const headers = { cookie: `staff=${token}` };
  return {
    name,
    read: async (path: string) => (await fetch(site.url + path, { headers })).text(),
    send: async (path: string, fields: Record<string, string>) => {
      const body = new URLSearchParams(fields);
      const answer = await fetch(site.url + path, { method: "POST", headers, body, redirect: "manual" });
      return { status: answer.status, to: answer.headers.get("location") };
    },
  };
}

const texts = { excerpt: "E", image: "/identity/illustrations/hospital.svg", published_on: "2026-11-24" };
const article = (title: string) => ({ ...texts, title, slug: "", html: `<p>${title}</p>` });

async function writeItem(title: string): Promise<string> {
  const { to } = await editors[0]!.send("/admin/news/new", { ...article(title), form: crypto.randomUUID() });
  return to!;
}

const idOf = (path: string) => path.split("/")[3];

async function listTexts(path: string): Promise<string[]> {
  const { rows } = await db.pool.query("select data->>'html' as html from content_versions where item_id = $1", [
    idOf(path),
  ]);
  return rows.map(({ html }) => html);
}

const listLost = (typed: readonly string[], kept: readonly string[]) => {
  const all = new Set(kept);
  return typed.filter((text) => !all.has(text));
};

/**
 * An editor who works on the version that is open in their browser, whether or not it is the latest. Returns everything
 * that they typed.
 */
async function workOn(editor: Editor, path: string, { acts, seed }: { acts: number; seed: number }) {
  const random = seededRandom(seed);
  const choose = <One>(list: readonly One[]) => list[Math.floor(random() * list.length)]!;
  const typed: string[] = [];
  const statuses = new Set<number>();
  let from = 1;
  for (let act = 0; act < acts; act += 1) {
    const text = `<p>${editor.name} ${act}</p>`;
    const what = choose(["open", "save", "save", "save", "publish", "publish", "restore", "take-down", "sql"]);
    if (what === "open") {
      from = Number(/name="from" value="(\d+)"/.exec(await editor.read(path))![1]);
    } else if (what === "sql") {
      const { rowCount } = await db.pool.query(
        "update news set html = $1 where id = (select live_key::bigint from content_items where id = $2)",
        [text, idOf(path)],
      );
      // Reads the change immediately, because a second change by SQL would leave no trace of the first.
      await editor.read(path);
      if (rowCount === 0) continue;
    } else if (what === "restore") {
      const version = String(1 + Math.floor(random() * from));
      statuses.add((await editor.send(`${path}/restore`, { from: String(from), version })).status);
    } else {
      const form = { ...article("Both"), html: text, from: String(from), next: what };
      typed.push(text);
      statuses.add((await editor.send(path, form)).status);
    }
  }
  return { typed, statuses: [...statuses].sort() };
}

const ACTS = isLongRun ? 500 : 20;

test("CON-7: two editors at two processes lose no text, whatever they save, publish, restore and take down", async () => {
  const path = await writeItem("Both");
  const seed = 19;
  const [one, two] = await Promise.all([
    workOn(editors[0]!, path, { acts: ACTS, seed }),
    workOn(editors[1]!, path, { acts: ACTS, seed: seed + 1 }),
  ]);
  const kept = await listTexts(path);
  expect(one.typed.length + two.typed.length).toBeGreaterThan(ACTS / 2);
  expect(listLost([...one.typed, ...two.typed], kept)).toEqual([]);
  expect(listLost(["<p>never typed</p>"], kept), "control: a lost text is found").toHaveLength(1);
  expect([...new Set([...one.statuses, ...two.statuses])].sort()).toEqual([303, 409]);
  await editors[0]!.read(path);
  const { rows } = await db.pool.query(
    `select item.published_version, version.data->>'html' as kept, live.html, live.state
       from content_items as item left join news as live on live.id = item.live_key::bigint
       left join content_versions as version on version.item_id = item.id and number = published_version
      where item.id = $1`,
    [idOf(path)],
  );
  const { published_version: published, kept: version, html, state } = rows[0];
  if (published === null) expect(state ?? "draft").toBe("draft");
  else expect([html, state]).toEqual([version, "published"]);
}, 600_000);

/** How quickly a change must show: measured in the long run, on a quiet machine. */
const MAX_MS = isLongRun ? 1000 : 60_000;

const untilRead = async (path: string, text: string, maxMs = MAX_MS) => {
  const begun = performance.now();
  const isShown = async (site: ChildSite) => (await (await fetch(site.url + path)).text()).includes(text);
  while (!(await Promise.all(sites.map(isShown))).every(Boolean)) {
    if (performance.now() - begun > maxMs) return Number.POSITIVE_INFINITY;
    await sleep(10);
  }
  return performance.now() - begun;
};

test("CON-8: a published change is on every process within a second", async () => {
  const path = await writeItem("Within a second");
  await editors[0]!.send(path, { ...article("Within a second"), from: "1", next: "publish" });
  expect(await untilRead("/news/within-a-second", "Within a second")).toBeLessThan(MAX_MS);
  await editors[1]!.send(path, { ...article("Within another"), slug: "within-a-second", from: "1", next: "publish" });
  expect(await untilRead("/news/within-a-second", "Within another")).toBeLessThan(MAX_MS);
});

test("BAN-4: a banner that is published or taken down is so on every process within a second", async () => {
  const banner = { title: "Flood appeal", starts_at: "2026-01-01 00:00", ends_at: "2099-01-01 00:00" };
  await db.pool.query("insert into banners (title, starts_at, ends_at) values ($1, $2, $3)", Object.values(banner));
  expect(await untilRead("/events", banner.title)).toBeLessThan(MAX_MS);
  await db.pool.query("update banners set state = 'draft', title = 'Gone'");
  const texts = () => Promise.all(sites.map(async ({ url }) => (await fetch(`${url}/events`)).text()));
  await expect.poll(async () => (await texts()).join(), { timeout: MAX_MS }).not.toContain(banner.title);
});

test("MENU-1: changed menus are on every process within a second", async () => {
  const links = JSON.stringify([{ label: "Within seconds", url: "/vision" }]);
  await db.pool.query("update menus set foot_services = $1", [links]);
  expect(await untilRead("/events", "Within seconds")).toBeLessThan(MAX_MS);
});

longTest("CON-4: what was planned for a time is published once, even if every process was killed before", async () => {
  const path = await writeItem("At a time");
  await editors[0]!.send(path, {
    ...article("At a time"),
    from: "1",
    next: "schedule",
    on: "2099-01-05",
    at: "07:00",
  });
  for (const site of sites) await site.kill();
  // The chosen time passes while no process runs.
  await db.pool.query("update content_items set scheduled_at = now() where scheduled_at is not null");
  await Promise.all(sites.map((site) => site.start()));
  expect(await untilRead("/news/at-a-time", "At a time", 60_000)).toBeLessThan(60_000);
  const { rows } = await db.pool.query("select count(*) as times from audit_trail where verb = 'news.publish_at_time'");
  expect(rows).toEqual([{ times: 1 }]);
});
