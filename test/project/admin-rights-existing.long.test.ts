import { afterAll, beforeAll, expect, test } from "vitest";
import { allRoles } from "#admin/rights.ts";
import { addDemoYear } from "#app/demo/add-demo-year.ts";
import { addDemoStaff } from "#database/demo-staff.ts";
import { makeTicketEvent } from "#database/ticket-factories.ts";
import { bookPast } from "#simulators/book-past.ts";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { readPage } from "#test/read-page.ts";
import { adminRights } from "./admin-rights.ts";
import { createTries, expectedVerdict, type Try, type Who } from "./admin-tries.ts";

// The same table as admin-rights.test.ts, with things that exist: their screens are opened from link to link, and their
// forms are sent as they stand there.

let site: AdminSite;
let tries: Awaited<ReturnType<typeof createTries>>;

beforeAll(async () => {
  site = await openAdminSite();
  const { database } = site.services;
  await addDemoStaff(database);
  const starts_at = new Date(Date.now() + 50 * 86_400_000);
  await makeTicketEvent(database, { event: { starts_at, ends_at: new Date(starts_at.getTime() + 10_800_000) } });
  await addDemoYear(site.services, (payments) => bookPast(site.simulator.url, payments, { startsOver: true }));
  tries = await createTries(site);
});
afterAll(() => site.close());

const patterns = Object.keys(adminRights).map((route) => {
  const [method, path] = route.split(" ") as [Try["method"], string];
  const parameters = path.split(":").length - 1;
  return {
    route,
    method,
    parameters,
    matches: new RegExp(`^${path.replace(/[.]/g, "\\.").replace(/:\w+/g, "[^/]+")}$`),
  };
});

/** The route of an address: the one with the fewest parameters. */
function routeOf(method: Try["method"], url: string): string | undefined {
  const path = url.split(/[?#]/, 1)[0]!;
  const found = patterns.filter((pattern) => pattern.method === method && pattern.matches.test(path));
  return found.toSorted((one, other) => one.parameters - other.parameters)[0]?.route;
}

/** Screens of the same kind that are opened, because their forms depend on what happened to the thing. */
const MAX_VISITS = 6;

/** One address of each route that an administrator comes upon, with the form as it stands on its screen. */
async function crawl(): Promise<Map<string, Try>> {
  const found = new Map<string, Try>();
  const ahead = ["/admin"];
  const seen = new Set<string>();
  const visited = new Map<string, number>();
  for (let url = ahead.shift(); url !== undefined; url = ahead.shift()) {
    const { body, status } = await tries.ask({ method: "GET", url }, "administrator", true);
    expect([url, status < 400 || status === 404]).toEqual([url, true]);
    const page = readPage(body);
    for (const link of page.querySelectorAll("a[href^='/admin']")) {
      const to = link.getAttribute("href")!;
      const route = routeOf("GET", to);
      if (route === undefined || /[.]\w+(?:$|\?)/.test(to) || seen.has(to)) continue;
      const visits = visited.get(route) ?? 0;
      if (visits === MAX_VISITS) continue;
      seen.add(to);
      visited.set(route, visits + 1);
      if (!found.has(route)) found.set(route, { method: "GET", url: to });
      ahead.push(to);
    }
    for (const form of page.querySelectorAll("form[method=post]")) {
      const to = form.getAttribute("action")!;
      const route = routeOf("POST", to);
      if (route === undefined || found.has(route)) continue;
      found.set(route, { method: "POST", url: to, payload: String(new URLSearchParams(fieldsOf(form))) });
    }
  }
  for (const route of Object.keys(adminRights)) {
    const derived = found.has(route) ? null : withIdOf(route, found);
    if (derived !== null) found.set(route, derived);
  }
  return found;
}

/** An address that no screen had a form for, with the id of a thing whose screen was found; null without one. */
function withIdOf(route: string, found: ReadonlyMap<string, Try>): Try | null {
  const [method, path] = route.split(" ") as [Try["method"], string];
  const [, owner, rest] = /^(.+?\/:\w+)(\/[^:]+)$/.exec(path) ?? [];
  const url = owner === undefined ? undefined : found.get(`GET ${owner}`)?.url.split(/[?#]/, 1)[0];
  return url === undefined ? null : { method, url: url + rest };
}

function fieldsOf(form: Element): [string, string][] {
  const fields = [...form.querySelectorAll("input[name], textarea[name], select[name], button[name]")];
  return fields.map((field) => {
    const chosen = field.querySelector("option[selected]") ?? field.querySelector("option");
    const value = chosen?.getAttribute("value") ?? field.getAttribute("value") ?? field.textContent ?? "";
    return [field.getAttribute("name")!, value];
  });
}

/** A digest of every table but those that the tries themselves fill. */
async function digest(): Promise<Record<string, string>> {
  const { rows: tables } = await site.pool.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' order by 1",
  );
  const digests: Record<string, string> = {};
  for (const { name } of tables) {
    if (/^(?:staff_sessions|staff|rate_limits|limit_counts)$/.test(name)) continue;
    const { rows } = await site.pool.query(
      `select md5(coalesce(string_agg(md5(t::text), '' order by md5(t::text)), '')) as digest from ${name} t`,
    );
    digests[name] = rows[0].digest;
  }
  return digests;
}

let found: Map<string, Try>;

test("STA-14: screens and forms of things that exist answer each role as the table says, and change nothing where they refuse", async () => {
  found = await crawl();
  expect([...found.keys()].filter((route) => route.includes(":")).length).toBeGreaterThan(115);
  const before = await digest();
  const wrong: string[] = [];
  for (const [route, sent] of found) {
    const expected = adminRights[route]!;
    for (const who of ["nobody", "ended", ...allRoles] as const satisfies Who[]) {
      const wanted = expectedVerdict(expected, who, true);
      // Where the form would do something, only those who may not are tried here.
      if (sent.method === "POST" && wanted === "answered") continue;
      const { verdict, status } = await tries.ask(sent, who, true);
      if (verdict !== wanted || status >= 500) {
        wrong.push(`${route} as ${sent.url}: ${who} should be ${wanted}, but is ${verdict} (${status}).`);
      }
    }
  }
  expect(wrong).toEqual([]);
  const after = await digest();
  expect(Object.keys(before).filter((name) => before[name] !== after[name])).toEqual(["audit_trail"]);
});

test("STA-14: what belongs to one person's account is not there for another, even an administrator", async () => {
  const { pool } = site;
  const treasurer = tries.people.get("treasurer")!;
  await pool.query(
    "insert into saved_filters (staff_id, path, name, query, created_at) values ($1, '/admin/donations', 'Mine', 'method=pp', now())",
    [treasurer],
  );
  const own = {
    filters: (await pool.query("select id from saved_filters where staff_id = $1", [treasurer])).rows[0].id,
    sessions: (await pool.query("select id from staff_sessions where staff_id = $1 limit 1", [treasurer])).rows[0].id,
  };
  for (const [path, table] of [
    [`/admin/you/filters/${own.filters}/delete`, "saved_filters"],
    [`/admin/you/sessions/${own.sessions}/end`, "staff_sessions"],
  ] as const) {
    await tries.ask({ method: "POST", url: path }, "administrator", true);
    const { rows } = await pool.query(`select count(*)::int as left from ${table} where staff_id = $1`, [treasurer]);
    expect([path, rows[0].left > 0]).toEqual([path, true]);
  }
});
