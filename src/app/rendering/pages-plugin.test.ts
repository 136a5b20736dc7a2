import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deliveredFrame } from "#shared/brand/delivered-frame.ts";
import type { PageReads } from "#shared/pages/page.ts";
import type { SessionUser } from "#shared/sessions/session-user.ts";
import { chashma } from "#test/organisation.ts";
import organisation from "../../../organisation.json" with { type: "json" };
import { registerPages } from "./pages-plugin.ts";

/** A site of a few pages in the shape of a build, so that these tests need none. */
const render = `
const head = (data) => ({ title: "A & B", description: "d", picture: null });
export const listPages = () => [
  { path: "/", head, load: ({ findHome }) => findHome() },
  { path: "/donation", head, load: async () => "form", takesPayments: true, access: "member or guest", isIndexed: false },
  { path: "/contact", head, load: async () => "form", hasCaptcha: true },
  { path: "/events", head, isPaged: true, load: async (_, { after = "" }) => (after === "gone" ? null : "after " + after) },
  { path: "/events/:slug", head, load: async (_, { params }) => (params.slug === "dinner" ? "dinner" : null) },
  { path: "/:slug-world", head, load: async (_, { params }, { slug }) => (params.slug === slug ? "world" : null) },
  { path: "/hidden", head, load: async () => "hidden", isIndexed: false },
  { path: "/profile", head, access: "member", isIndexed: false, load: async (_, __, ___, user) => "hello " + user.firstName },
  { path: "/history", head, access: "member", isIndexed: false, queryParameters: ["day", "after"], load: async (_, { query }) => JSON.stringify(query) },
  { path: "/tickets", head, caching: "none", queryParameters: ["event"], load: async ({ countSeats }, { query }) => (query.event === "gone" ? null : query.event + " " + countSeats()) },
  { path: "/checkout", head, caching: "none", takesPayments: true, isIndexed: false, load: async () => "form" },
  { path: "/dev/parts", head, load: async () => "parts", isForDevelopers: true },
];
export const renderPage = (page, path, data) => {
  if (data === "broken") throw new Error("secret detail");
  return "<title>" + path + "</title>" + data;
};
export const renderNotFound = () => "not found";
export const renderFailure = (incident) => "incident " + incident;
`;

let app: FastifyInstance;
let folder: string;
const drops: (() => void)[] = [];
const drop = () => drops.forEach((dropAll) => void dropAll());
let content: () => Promise<unknown> = async () => "first";
let loads = 0;
let seats = 100;
let drawn = 0;
/** Whether the answers that may be repeated still may. */
const ready: (() => boolean)[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "almoner-pages-"));
  for (const name of ["server", "client/.vite"]) {
    mkdirSync(join(folder, name), { recursive: true });
  }
  const entry = (file: string) => ({ file: `assets/${file}` });
  writeFileSync(join(folder, "server/render.js"), render);
  writeFileSync(join(folder, "client/.vite/manifest.json"), JSON.stringify({ "src/app/site.css": entry("site.css") }));
  writeFileSync(
    join(folder, "client/.vite/shell-manifest.json"),
    JSON.stringify({
      "src/app/shell/shell.ts": entry("shell.js"),
      "src/features/content/ui/carousel.script.ts": entry("car.js"),
      "src/features/content/ui/gallery/gallery.script.ts": entry("gallery.js"),
      "src/features/donations/ui/history/history-range.script.ts": entry("range.js"),
      "src/shared/events/ui/your-time.script.ts": entry("time.js"),
      "src/app/shell/member.script.ts": entry("member.js"),
      "src/features/accounts/ui/entrance/login-start.script.ts": entry("login.js"),
    }),
  );
  writeFileSync(join(folder, "client/.vite/scripts.json"), JSON.stringify({ integrity: {}, payment: [] }));
  app = Fastify({ routerOptions: { maxParamLength: 200 } });
  await registerPages(app, {
    publicUrl: "https://give.example",
    payment: { providers: ["https://pay.example"] },
    organisation: () => chashma,
    banner: () => null,
    brand: () => deliveredFrame,
    menus: () => ({}),
    reads: {
      findRedirect: async () => null,
      countSeats: () => --seats,
      findHome: async () => {
        loads += 1;
        return content();
      },
      listChanges: async () => [
        { path: "/", changedAt: new Date("2026-10-14T01:00:00Z") },
        { path: "/events/dinner", changedAt: new Date("2026-10-15T01:00:00Z") },
        { path: "world", changedAt: new Date("2026-10-16T01:00:00Z") },
        { path: "/hidden", changedAt: new Date("2026-10-17T01:00:00Z") },
      ],
    } as Partial<PageReads> as PageReads,
    drawSharingPicture: async ({ title }, { name }) => {
      drawn += 1;
      return Buffer.from(`${title} by ${name}, ${drawn}`);
    },
    hasRecipient: async () => true,
    findUser: async ({ headers }) => {
      if (headers.cookie === "session=unknown") throw new Error("the database is away");
      return headers.cookie === "session=amina" ? ({ firstName: "Amina" } as SessionUser) : null;
    },
    isGuest: ({ headers }) => headers.cookie === "guest=true",
    onContentChanged: (dropAll) => void drops.push(dropAll),
    keepReady: (_, isCurrent) => void ready.push(isCurrent),
    buildFolder: folder,
  });
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

test("HOME-12: a page is built once whatever its query, and sent in an encoding that the browser accepts", async () => {
  const plain = await app.inject("/?x=1");
  expect(plain.body).toBe("<title>/</title>first");
  const compressed = await app.inject({ url: "/?x=2", headers: { "accept-encoding": "gzip, br" } });
  expect(compressed.headers["content-encoding"]).toBe("br");
  expect(brotliDecompressSync(compressed.rawPayload).toString()).toBe(plain.body);
  const refused = await app.inject({ url: "/", headers: { "accept-encoding": "br;q=0, gzip;q=0.5" } });
  expect(refused.headers["content-encoding"]).toBe("gzip");
  expect(loads).toBe(1);
  expect(plain.headers["cache-control"]).toBe("public, max-age=0, must-revalidate");
});

test("HOME-12, PERF-19: an unchanged page answers 304; answers may be repeated once their bytes are final, until the page changes", async () => {
  const open = (headers = {}) => app.inject({ url: "/", headers: { "accept-encoding": "br", ...headers } });
  const tag = (await open()).headers.etag as string;
  ready.splice(0);
  const again = await open({ "if-none-match": `W/"x", ${tag}` });
  expect([again.statusCode, again.body, ready.length]).toEqual([304, "", 1]);
  drop();
  expect([ready[0]!(), (await open()).headers.etag, ready.map((isCurrent) => isCurrent())]).toEqual([
    false,
    tag,
    [true, true],
  ]);
});

test("PERF-19: the first answer that is compressed is not repeated; HEAD answers without a body", async () => {
  ready.splice(0);
  await app.inject({ url: "/contact", headers: { "accept-encoding": "br" } });
  expect(ready).toEqual([]);
  const [whole, head] = await Promise.all((["GET", "HEAD"] as const).map((method) => app.inject({ method, url: "/" })));
  const length = String(whole!.body.length);
  expect([head!.statusCode, head!.body, head!.headers["content-length"]]).toEqual([200, "", length]);
});

test("DON-15: only the page that takes payments allows the provider", async () => {
  const policyOf = async (url: string) =>
    (await app.inject({ url, headers: { cookie: "guest=true" } })).headers["content-security-policy"];
  expect(await policyOf("/donation")).toContain("frame-src https://pay.example");
  expect(await policyOf("/")).not.toContain("pay.example");
});

test("DON-2: the donation redirects visitors who are neither logged in nor guests to the log-in, with the query, before the cache is used", async () => {
  const open = (headers: Record<string, string> = {}, query = "?cause=ambulance-fund") =>
    app.inject({ url: `/donation${query}`, headers });
  const guest = await open({ cookie: "guest=true" });
  expect([guest.statusCode, guest.body]).toEqual([200, "<title>/donation</title>form"]);
  expect((await open({ cookie: "session=amina" })).body).toBe(guest.body);
  const again = await open({ cookie: "guest=true", "if-none-match": String(guest.headers.etag) });
  expect(again.statusCode).toBe(304);
  for (const kept of [guest, again]) {
    expect(kept.headers).toMatchObject({
      "cache-control": "private, max-age=0, must-revalidate",
      vary: "cookie, accept-encoding",
    });
  }
  for (const cookie of ["", "session=over", "theme=dark"]) {
    const stranger = await open({ cookie, "if-none-match": String(guest.headers.etag) });
    expect([stranger.statusCode, stranger.body]).toEqual([302, ""]);
    expect(stranger.headers).toMatchObject({
      location: "/login?return=%2Fdonation%3Fcause%3Dambulance-fund",
      "cache-control": "no-store",
      vary: "cookie",
    });
  }
  expect((await open({}, "")).headers.location).toBe("/login?return=%2Fdonation");
  const head = await app.inject({ method: "HEAD", url: "/donation" });
  expect(head.statusCode).toBe(302);
});

test("DON-2: while sessions cannot be looked up, the donation is shown", async () => {
  const answer = await app.inject({ url: "/donation", headers: { cookie: "session=unknown" } });
  expect([answer.statusCode, answer.body]).toEqual([200, "<title>/donation</title>form"]);
});

test("PAGE-7: a page with a captcha allows its worker, and no provider", async () => {
  const policy = String((await app.inject("/contact")).headers["content-security-policy"]);
  expect(policy).toContain("worker-src 'self'");
  expect(policy).not.toContain("pay.example");
});

test("PAGE-5, PAGE-4: path parameters and the cursor of a list reach the page; unknown ones are 404", async () => {
  const bodyOf = async (url: string) => (await app.inject(url)).body;
  expect(await bodyOf("/events/dinner?x=1")).toBe("<title>/events/dinner</title>dinner");
  expect(await bodyOf("/chashma-world")).toBe("<title>/chashma-world</title>world");
  expect(await bodyOf("/events?after=2026-10-14_3")).toBe("<title>/events</title>after 2026-10-14_3");
  expect(await bodyOf("/events")).toBe("<title>/events</title>after ");
  const nowhere = [
    "/events/lunch",
    "/other-world",
    "/events/Dinner",
    "/events/a%2Fb",
    `/events/${"a".repeat(121)}`,
    "/events?after=gone",
    `/events?after=${"1".repeat(61)}`,
    "/events?after=1&after=2",
  ];
  for (const url of nowhere) {
    const answer = await app.inject(url);
    expect([answer.statusCode, answer.body], url).toEqual([404, "not found"]);
  }
});

test("NAV-9: the site map lists every indexed page once, with the day of its last change", async () => {
  const answer = await app.inject("/sitemap.xml");
  expect(answer.headers["content-type"]).toBe("application/xml; charset=utf-8");
  const lines = [...answer.body.matchAll(/<url><loc>(.*?)<\/loc>(?:<lastmod>(.*?)<\/lastmod>)?<\/url>/g)];
  expect(lines.map(([, address, day]) => [address, day])).toEqual([
    ["https://give.example/", "2026-10-14"],
    ["https://give.example/contact", undefined],
    ["https://give.example/events", undefined],
    ["https://give.example/events/dinner", "2026-10-15"],
    ["https://give.example/chashma-world", "2026-10-16"],
  ]);
});

test("NAV-9: robots.txt and the web manifest follow their standards", async () => {
  const robots = (await app.inject("/robots.txt")).body;
  expect(robots).toMatch(/^User-agent: \*\nDisallow: \/api\//);
  expect(robots).toContain("Sitemap: https://give.example/sitemap.xml");
  const manifest = (await app.inject("/manifest.webmanifest")).json();
  expect(manifest).toMatchObject({ name: organisation.name, start_url: "/", lang: "en-AU" });
  expect(manifest.icons.map(({ sizes }: { sizes: string }) => sizes)).toEqual(["192x192", "512x512", "512x512"]);
});

test("PAGE-10: security.txt has the organisation's email and expires within a year, and no other well-known file exists", async () => {
  const answer = await app.inject("/.well-known/security.txt");
  expect(answer.headers["content-type"]).toBe("text/plain; charset=utf-8");
  const security = answer.body;
  expect(security).toContain(`Contact: mailto:${organisation.email}\n`);
  expect(security).toContain("Canonical: https://give.example/.well-known/security.txt\n");
  expect(security).toContain("Preferred-Languages: en\n");
  const expires = new Date(/^Expires: (.*)$/m.exec(security)![1]!).getTime();
  expect(expires).toBeGreaterThan(Date.now() + 170 * 86_400_000);
  expect(expires).toBeLessThan(Date.now() + 366 * 86_400_000);
  expect((await app.inject("/security.txt")).headers.location).toBe("/.well-known/security.txt");
  const unknown = "/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200";
  expect((await app.inject(unknown)).statusCode).toBe(404);
});

test("NAV-9: a page's sharing picture is drawn from its head once for all requests; an unknown address has none", async () => {
  const answer = await app.inject("/sharing/home.png");
  expect([answer.statusCode, answer.headers["content-type"]]).toEqual([200, "image/png"]);
  expect(answer.body).toBe(`A & B by ${organisation.name}, 1`);
  expect(answer.headers["cross-origin-resource-policy"]).toBe("cross-origin");
  const again = await app.inject({
    url: "/sharing/home.png",
    headers: { "if-none-match": answer.headers.etag as string },
  });
  expect(again.statusCode).toBe(304);
  expect((await app.inject("/sharing/events/dinner.png")).statusCode).toBe(200);
  for (const url of [
    "/sharing/nothing.png",
    "/sharing/events/lunch.png",
    "/sharing/home.jpg",
    "/sharing/..%2Fhome.png",
  ]) {
    expect((await app.inject(url)).statusCode, url).toBe(404);
  }
});

test("PRO-1, LOG-17: a personal page is rendered for each request, never cached, and redirects to the log-in without a session", async () => {
  const mine = await app.inject({ url: "/profile", headers: { cookie: "session=amina" } });
  expect([mine.statusCode, mine.body]).toEqual([200, "<title>/profile</title>hello Amina"]);
  expect(mine.headers["cache-control"]).toBe("private, no-store");
  const other = await app.inject("/profile?tab=1");
  expect([other.statusCode, other.headers.location]).toEqual([302, "/login?return=%2Fprofile%3Ftab%3D1"]);
  expect(other.headers["cache-control"]).toBe("private, no-store");
  expect((await app.inject("/sharing/profile.png")).statusCode).toBe(404);
});

test("TIC-1, TIC-2: an uncached page is rendered for each request, with its query", async () => {
  const bodies = [await app.inject("/tickets?event=dinner&other=1"), await app.inject("/tickets?event=dinner")];
  expect(bodies.map(({ body }) => body)).toEqual([
    "<title>/tickets</title>dinner 99",
    "<title>/tickets</title>dinner 98",
  ]);
  const { headers } = bodies[0]!;
  expect([headers["cache-control"], headers.etag]).toEqual(["no-store", undefined]);
  expect(headers["content-security-policy"]).not.toContain("pay.example");
  expect((await app.inject("/tickets?event=gone")).statusCode).toBe(404);
});

test("DON-15: a page that takes payments allows the provider and keeps its window open, cached or not", async () => {
  const { headers } = await app.inject("/checkout");
  expect(headers["content-security-policy"]).toContain("frame-src https://pay.example");
  expect(headers["cross-origin-opener-policy"]).toBe("same-origin-allow-popups");
});

test("PRO-7: a personal page reads only the parameters it declares, and only short values", async () => {
  const askedBy = async (query: string) =>
    (await app.inject({ url: `/history?${query}`, headers: { cookie: "session=amina" } })).body.split("</title>")[1];
  expect(await askedBy("day=2026-07-01&other=1")).toBe('{"day":"2026-07-01"}');
  expect(await askedBy(`day=1&day=2&after=${"x".repeat(121)}`)).toBe("{}");
});

test("NAV-8: a site that takes real money has no pages for developers", async () => {
  expect((await app.inject("/dev/parts")).body).toContain("parts");
  const live = Fastify();
  await registerPages(live, {
    publicUrl: "https://give.example",
    payment: undefined,
    organisation: () => chashma,
    banner: () => null,
    brand: () => deliveredFrame,
    menus: () => ({}),
    reads: { findRedirect: async () => null } as Partial<PageReads> as PageReads,
    findUser: async () => null,
    hasRecipient: async () => true,
    isGuest: () => false,
    drawSharingPicture: async () => Buffer.of(),
    onContentChanged: () => undefined,
    hasDeveloperPages: false,
    buildFolder: folder,
  });
  expect((await live.inject("/dev/parts")).statusCode).toBe(404);
  await live.close();
});

test("NAV-8: an unknown address answers 404 with a page; an address with a trailing slash redirects to the page", async () => {
  const unknown = await app.inject("/zzz?a=b");
  expect([unknown.statusCode, unknown.headers["content-type"], unknown.body]).toEqual([
    404,
    "text/html; charset=utf-8",
    "not found",
  ]);
  const slashed = await app.inject("/donation/?a=b");
  expect([slashed.statusCode, slashed.headers.location]).toEqual([301, "/donation?a=b"]);
  expect((await app.inject("//evil.example/")).statusCode).toBe(404);
});

test("NAV-8: changed content shows immediately; while it cannot be read, the last page is served", async () => {
  content = async () => "second";
  expect((await app.inject("/")).body).toContain("first");
  drop();
  expect((await app.inject("/")).body).toContain("second");
  content = async () => {
    throw new Error("database away");
  };
  drop();
  const stale = await app.inject("/");
  expect([stale.statusCode, stale.body]).toEqual([200, "<title>/</title>second"]);
});

test("NAV-8: a page that fails answers with an incident number and reveals nothing else", async () => {
  const other = Fastify();
  const failing = {
    findUser: async () => null,
    hasRecipient: async () => true,
    isGuest: () => false,
    publicUrl: "",
    drawSharingPicture: async () => Buffer.of(),
    payment: undefined,
    organisation: () => chashma,
    banner: () => null,
    brand: () => deliveredFrame,
    menus: () => ({}),
    buildFolder: folder,
  };
  let broken: () => Promise<unknown> = async () => "broken";
  await registerPages(other, {
    ...failing,
    reads: { findHome: () => broken() } as Partial<Record<keyof PageReads, unknown>> as PageReads,
    onContentChanged: () => undefined,
  });
  const failed = await other.inject("/");
  expect(failed.statusCode).toBe(500);
  expect(failed.body).toMatch(/^incident \S+$/);
  broken = async () => {
    throw new TypeError("undefined is not an object");
  };
  const mistaken = await other.inject("/");
  expect([mistaken.statusCode, mistaken.headers["retry-after"]]).toEqual([500, undefined]);
  broken = async () => {
    throw Object.assign(new Error("database away"), { code: "ECONNREFUSED" });
  };
  const away = await other.inject("/");
  expect([away.statusCode, away.headers["retry-after"], away.headers["cache-control"]]).toEqual([
    503,
    "10",
    "no-store",
  ]);
  await other.close();
});
