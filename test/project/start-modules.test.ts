import { execFile } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { buildSiteWhenStale } from "#app/build.ts";
import processSettings from "#app/process-settings.json" with { type: "json" };
import { createChildSite } from "#test/child-site.ts";
import { createTestDatabase } from "#test/database.ts";
import { longTest } from "#test/long-test.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const listLoaded = `
  import { registerHooks } from "node:module";
  const packages = [];
  registerHooks({
    load(url, context, next) {
      if (!url.startsWith("node:")) packages.push(/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1]);
      return next(url, context);
    },
  });
  // What fetch is made of is a part of Node.
  const listFetch = () => process.moduleLoadList.filter((name) => name.endsWith("/undici"));
  process.on("exit", () => console.log(JSON.stringify([...packages, ...listFetch()])));
`;
const listAtExit = `data:text/javascript,${encodeURIComponent(listLoaded)}`;

/** The packages of all files that are loaded with a module; null for a file of ours. */
async function listPackages(...modules: string[]): Promise<string[]> {
  const imports = modules.map((name) => `await import(${JSON.stringify(name)});`).join("");
  const args = ["--import", listAtExit, "--input-type=module", "-e"];
  const { stdout } = await promisify(execFile)(process.execPath, [...args, imports], { cwd: root });
  return JSON.parse(stdout);
}

const heavy = [
  "sharp",
  "pdfkit",
  "nodemailer",
  "braintree",
  "@simplewebauthn/server",
  "piscina",
  "qrcode",
  "@fastify/swagger",
  "@fastify/swagger-ui",
  "yaml",
  "sanitize-html",
  "parse5",
  "libphonenumber-js",
];

test("PERF-9: what `npm start` runs are at most 60 built files, without the packages that only some requests need", async () => {
  await buildSiteWhenStale(() => undefined);
  const built = ["start-site.js", "main-*.js", "render.js", "render-admin.js"].flatMap((name) =>
    globSync(`dist/server/${name}`, { cwd: root }),
  );
  expect(built).toHaveLength(4);
  const loaded = await listPackages(...built.map((file) => `./${file}`));
  expect(loaded.length).toBeGreaterThan(built.length);
  expect(loaded.length).toBeLessThanOrEqual(60);
  expect(loaded.filter((name) => [...heavy, "fastify", "kysely", "zod", "react"].includes(name))).toEqual([]);
});

test("PERF-9: an error in built code names our source and its line", async () => {
  await buildSiteWhenStale(() => undefined);
  const script = `
    import { nameSources } from "#shared/logging/name-sources.ts";
    nameSources();
    const { renderPage } = await import("./dist/server/render.js");
    const page = { head() { throw new TypeError("no head"); } };
    try { renderPage(page, "/", {}, {}); } catch (error) { console.log(error.stack); }`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], { cwd: root });
  expect(stdout).toMatch(/^TypeError: no head\n {4}at /);
  const [, line] = /at renderPage \((?:\/[^\s()]+)\/src\/app\/rendering\/render\.tsx:(\d+):\d+\)/.exec(stdout) ?? [];
  const source = readFileSync(join(root, "src/app/rendering/render.tsx"), "utf8").split("\n");
  expect(source[Number(line) - 1]).toContain("headOf(data, context)");
});

longTest("PERF-5: a start loads no package that only some requests or jobs need", async () => {
  const loaded = await listPackages("#app/main.ts");
  expect(loaded).toContain("fastify");
  // More than ten times as many as are built.
  expect(loaded.length).toBeGreaterThan(1000);
  expect(loaded.filter((name) => heavy.includes(name))).toEqual([]);
  // Negative control: a module that loads them is noticed.
  expect(await listPackages("#shared/workers/threads.ts", "node:http")).toEqual(
    expect.arrayContaining(["piscina", expect.stringMatching(/undici$/)]),
  );
});

test("PERF-5: what launches database and simulators loads nothing of the site, which they need not wait for", async () => {
  const loaded = await listPackages("#app/start-site.ts");
  expect(loaded).toContain("pg");
  expect(loaded.filter((name) => ["fastify", "kysely", "pg-boss", "react"].includes(name))).toEqual([]);
});

longTest(
  "PERF-5: a site that is ready has loaded no compiler of schemas, no fetch, and at most 770 modules of packages",
  async () => {
    const db = await createTestDatabase();
    const dataDir = mkdtempSync(join(tmpdir(), "start-modules-"));
    const site = await createChildSite({
      databaseUrl: db.url,
      paywayUrl: "http://127.0.0.1:9/payway/rest/v1",
      dataDir,
      environment: { NODE_OPTIONS: `${processSettings.NODE_OPTIONS} --import=${listAtExit}` },
    });
    await site.start();
    await site.stop();
    await db.stop();
    const all: (string | null)[] = JSON.parse(readFileSync(site.logFile, "utf8").trim().split("\n").at(-1)!);
    rmSync(dataDir, { recursive: true });
    const loaded = all.filter((name) => name !== null);
    expect(loaded.filter((name) => /^(ajv|@fastify\/fast-json-stringify-compiler)$|undici$/.test(name))).toEqual([]);
    expect(loaded.length).toBeGreaterThan(500);
    expect(loaded.length).toBeLessThanOrEqual(770);
  },
);
