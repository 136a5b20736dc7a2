import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { listPages } from "#app/rendering/render.tsx";
import { makeStaff } from "#database/factories.ts";
import { openWholeSite, type WholeSite } from "#test/project/whole-site.ts";
import { listFixedPaths } from "../known-paths.ts";
import { toRedirectPath } from "./redirect-path.ts";
import { addRedirect } from "./redirects.ts";

let site: WholeSite;
let by: number;
beforeAll(async () => {
  site = await openWholeSite();
  by = (await makeStaff(site.database, { roles: ["editor"] })).id;
});
afterAll(() => site.close());

const redirect = (path: string, target: string) =>
  site.database
    .transaction()
    .execute((transaction) => addRedirect(transaction, { path, target, isMove: true, by, at: site.clock.now() }));

test("RED-1: an old address answers 301 with the query kept, and is asked for again each time", async () => {
  await redirect("/news/old", "/news/new");
  for (const [url, to] of [
    ["/news/old", "/news/new"],
    ["/news/old/?a=b", "/news/new?a=b"],
    ["/NEWS/Old", "/news/new"],
  ] as const) {
    const { statusCode, headers } = await site.app.inject(url);
    expect([statusCode, headers.location, headers["cache-control"]], url).toEqual([301, to, "no-cache"]);
  }
  const head = await site.app.inject({ method: "HEAD", url: "/news/old" });
  expect([head.statusCode, head.headers.location]).toEqual([301, "/news/new"]);
  expect((await site.app.inject("/news/other")).statusCode).toBe(404);
});

test("RED-1: whatever answers at an old address wins over its redirect", async () => {
  await redirect("/news/back", "/vision");
  expect((await site.app.inject("/news/back")).statusCode).toBe(301);
  await site.pool.query(
    "insert into news (slug, title, excerpt, image, published_on) values ('back', 'T', 'E', '/identity/illustrations/hospital.svg', '2026-11-24')",
  );
  expect((await site.app.inject("/news/back")).statusCode).toBe(200);
  await redirect("/vision", "/contact");
  expect((await site.app.inject("/vision")).statusCode).toBe(200);
});

test.each([
  "//evil.example",
  "//evil.example/",
  "/%2F%2Fevil.example",
  "/%5Cevil.example",
  "/a%0d%0aSet-Cookie:%20x=y",
  `/${"a".repeat(5000)}`,
  "/%E0%A4%A",
  "/..%2f..%2fetc",
  "/news/%00",
])("RED-3: %j is not found, and leads nowhere", async (url) => {
  const { statusCode, headers } = await site.app.inject(url);
  expect([statusCode, headers.location, headers["set-cookie"]]).toEqual([404, undefined, undefined]);
});

test("RED-3: a redirect never answers a call, a form or a file", async () => {
  for (const path of ["/api/old", "/assets/old.js", "/images/old", "/admin/old"]) {
    await site.pool.query("insert into redirects values ($1, '/vision', false, now(), $2) on conflict do nothing", [
      path,
      by,
    ]);
    expect((await site.app.inject(path)).statusCode, path).toBe(404);
  }
  expect((await site.app.inject({ method: "POST", url: "/news/old" })).statusCode).not.toBe(301);
});

test("RED-3: every address of the server is a page or below a part that is never redirected", () => {
  const pages = new Set(listPages().map(({ path }) => path));
  const others = site.routes.map((route) => route.split(" ")[1]!).filter((path) => !pages.has(path));
  const fixed = new Set(listFixedPaths(site.services.organisation.current()));
  // Below pages, which staff may have moved.
  const isBelowPage = (path: string) => [...pages].some((page) => page !== "/" && path.startsWith(`${page}/`));
  const open = others.filter((path) => toRedirectPath(path.replace(/[:*]/g, "x")) !== null && !fixed.has(path));
  expect(others.length).toBeGreaterThan(20);
  expect(open.filter((path) => !isBelowPage(path))).toEqual([]);
  const missing = [...pages].filter((path) => !path.includes(":") && !fixed.has(path) && toRedirectPath(path) !== null);
  expect(missing).toEqual([]);
});

test("RED-1: while the database is away an unknown address is not found", async () => {
  const lost = vi.spyOn(site.services.pool, "connect").mockImplementation(() => {
    throw new Error("the database is away");
  });
  expect((await site.app.inject("/news-of-old")).statusCode).toBe(404);
  lost.mockRestore();
});
