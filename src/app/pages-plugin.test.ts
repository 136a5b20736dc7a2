import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import organisation from "../../organisation.json" with { type: "json" };
import { registerPages } from "./pages-plugin.ts";

/** A site of two pages in the shape that the build makes, so that these tests need no build. */
const render = `
export const listPages = () => [
  { path: "/", load: ({ findHome }) => findHome() },
  { path: "/donation", load: async () => "form", takesPayments: true },
];
export const renderPage = (page, data) => {
  if (data === "broken") throw new Error("secret detail");
  return "<title>" + page.path + "</title>" + data;
};
export const renderNotFound = (path) => "not found" + (path === "/events" ? ", being written" : "");
export const findLabel = (path) => (path === "/events" ? "Events" : null);
export const renderFailure = (incident) => "incident " + incident;
`;

let app: FastifyInstance;
let folder: string;
let drop = () => {};
let content: () => Promise<unknown> = async () => "first";
let loads = 0;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "almoner-pages-"));
  for (const name of ["server", "client/.vite", "client/assets", "client/identity/brand"]) {
    mkdirSync(join(folder, name), { recursive: true });
  }
  const entry = (file: string) => ({ file: `assets/${file}` });
  writeFileSync(join(folder, "server/render.js"), render);
  writeFileSync(join(folder, "client/.vite/manifest.json"), JSON.stringify({ "src/app/site.css": entry("site.css") }));
  writeFileSync(
    join(folder, "client/.vite/shell-manifest.json"),
    JSON.stringify({ "src/app/shell/shell.ts": entry("shell.js"), "src/app/shell/carousels.ts": entry("car.js") }),
  );
  writeFileSync(join(folder, "client/assets/shell.js"), "plain");
  writeFileSync(join(folder, "client/assets/shell.js.br"), "compressed");
  cpSync("src/shared/ui/identity/brand/favicon.svg", join(folder, "client/identity/brand/favicon.svg"));
  app = Fastify();
  await registerPages(app, {
    publicUrl: "https://give.example",
    payment: { providers: ["https://pay.example"] },
    organisation: () => organisation as never,
    services: {
      findHome: async () => {
        loads += 1;
        return (await content()) as never;
      },
    },
    onContentChanged: (dropAll) => {
      drop = dropAll;
    },
    buildFolder: folder,
  });
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

test("HOME-12: a page is built once whatever its query says, and comes in the encoding the browser takes", async () => {
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

test("HOME-12: an unchanged page answers 304, and HEAD answers without a body", async () => {
  const first = await app.inject("/");
  const tag = first.headers.etag as string;
  const again = await app.inject({ url: "/", headers: { "if-none-match": `W/"x", ${tag}` } });
  expect([again.statusCode, again.body]).toEqual([304, ""]);
  const head = await app.inject({ method: "HEAD", url: "/" });
  expect([head.statusCode, head.body, head.headers["content-length"]]).toEqual([200, "", String(first.body.length)]);
});

test("DON-15: only the page that takes payments lets the provider in", async () => {
  const policyOf = async (url: string) => (await app.inject(url)).headers["content-security-policy"];
  expect(await policyOf("/donation")).toContain("frame-src https://pay.example");
  expect(await policyOf("/")).not.toContain("pay.example");
});

test("NAV-8: an unknown address answers 404 with a page; a page's address with a slash too many leads to it", async () => {
  const unknown = await app.inject("/zzz?a=b");
  expect([unknown.statusCode, unknown.headers["content-type"], unknown.body]).toEqual([
    404,
    "text/html; charset=utf-8",
    "not found",
  ]);
  expect((await app.inject("/events")).body).toBe("not found, being written");
  const slashed = await app.inject("/donation/?a=b");
  expect([slashed.statusCode, slashed.headers.location]).toEqual([301, "/donation?a=b"]);
  expect((await app.inject("//evil.example/")).statusCode).toBe(404);
});

test("NAV-8: changed content shows at once; while it cannot be read the last page serves on", async () => {
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

test("NAV-8: a page that fails answers with an incident number and tells nothing else", async () => {
  const other = Fastify();
  const failing = { publicUrl: "", payment: undefined, organisation: () => organisation as never, buildFolder: folder };
  let broken: () => Promise<never> = async () => "broken" as never;
  await registerPages(other, { ...failing, services: { findHome: () => broken() }, onContentChanged: () => undefined });
  const failed = await other.inject("/");
  expect(failed.statusCode).toBe(500);
  expect(failed.body).toMatch(/^incident \S+$/);
  broken = async () => {
    throw new Error("database away");
  };
  const away = await other.inject("/");
  expect([away.statusCode, away.headers["retry-after"], away.headers["cache-control"]]).toEqual([
    503,
    "10",
    "no-store",
  ]);
  await other.close();
});

test("HOME-12: built files are kept for good and come compressed; drawings stand under plain addresses", async () => {
  const script = await app.inject({ url: "/assets/shell.js", headers: { "accept-encoding": "br" } });
  expect([script.body, script.headers["cache-control"]]).toEqual(["compressed", "public, max-age=31536000, immutable"]);
  const icon = await app.inject("/identity/brand/favicon.svg");
  expect([icon.statusCode, icon.headers["content-type"]]).toEqual([200, "image/svg+xml"]);
  expect(icon.headers["cache-control"]).toContain("max-age=86400");
  expect((await app.inject("/assets/../server/render.js")).statusCode).toBe(404);
  const rules = await app.inject("/speculation-rules.json");
  expect(rules.headers["content-type"]).toContain("application/speculationrules+json");
  expect(rules.body).toContain("/donation*");
});
