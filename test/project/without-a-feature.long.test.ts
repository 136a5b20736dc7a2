import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ChildSite, createChildSite } from "../child-site.ts";
import { createTestDatabase, type TestDatabase } from "../database.ts";

const root = resolve(import.meta.dirname, "../..");
const parts = ["src", "dev", "database", "simulators", "test", "package.json", "organisation.json", "vite.config.ts"];
const lists = ["features.ts", "pages.ts", "islands.ts", "site.css", "admin/screens.ts"].map(
  (name) => `src/app/${name}`,
);

let folder: string;
let database: TestDatabase;
let site: ChildSite;

/** The site without volunteering's folder, its lines in the lists of `app`, and its tables. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "without-a-feature-"));
  for (const part of parts) {
    cpSync(join(root, part), join(folder, part), { recursive: true, filter: (file) => !/\.test\.tsx?$/.test(file) });
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  rmSync(join(folder, "src/features/volunteering"), { recursive: true });
  for (const list of lists) edit(list, withoutVolunteering);
  edit("src/shared/ui/invitations.ts", withoutVolunteering);
  database = await createTestDatabase();
  await database.pool.query(
    `drop function has_valid_check;
     drop table working_with_children_checks, volunteer_events, volunteer_shift_places, volunteer_shift_roles,
                volunteer_shifts, volunteer_applications, volunteer_roles`,
  );
  site = await createChildSite({
    databaseUrl: database.url,
    paywayUrl: "http://127.0.0.1:9/payway/rest/v1",
    dataDir: folder,
    folder,
    hasPages: true,
  });
});
afterAll(async () => {
  await site?.stop();
  await database?.stop();
  rmSync(folder, { recursive: true, force: true });
});

function edit(file: string, change: (text: string) => string) {
  writeFileSync(join(folder, file), change(readFileSync(join(folder, file), "utf8")));
}

/** Removes the lines that name it, or its entry from a list on one line. */
function withoutVolunteering(text: string): string {
  const shorter = text.replace(/^(.*\[.*), volunteering\b(.*\])/gm, "$1$2").replace(/^.*volunteer.*\n/gim, "");
  expect(shorter.length).toBeLessThan(text.length);
  return shorter;
}

function run(...words: readonly string[]) {
  const env = { ...process.env, NODE_ENV: "production" };
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: folder, encoding: "utf8", env });
  expect(status, stdout + stderr).toBe(0);
}

test("ARC-1: without the folder of a feature and its lines in the lists, the rest compiles, builds and starts, and no link is dead", async () => {
  const include = ["src", "dev", "simulators", "database"];
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ extends: join(root, "tsconfig.json"), include }));
  run(join(root, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.json");
  run(join(root, "node_modules/vite/bin/vite.js"), "build", "--logLevel", "warn");
  await site.start();

  expect(site.routes().filter((route) => /volunteer/i.test(route))).toEqual([]);
  expect((await fetch(`${site.url}/volunteer`)).status).toBe(404);
  const wrong: string[] = [];
  const links = new Set(["/", "/login", "/donation", "/nowhere"]);
  for (const path of links) {
    const { status, html } = await read(path);
    if (status !== 200 && path !== "/nowhere") wrong.push(`${path}: ${status}`);
    for (const link of linksOf(html)) links.add(link);
  }
  expect(wrong).toEqual([]);
  expect(links.size).toBeGreaterThan(20);
  expect(readFileSync(site.logFile, "utf8")).not.toMatch(/"level":(?:50|60)/);
});

async function read(path: string) {
  const response = await fetch(site.url + path);
  const isPage = response.headers.get("content-type")?.startsWith("text/html") ?? false;
  return { status: response.status, html: isPage ? await response.text() : "" };
}

/** The site's own links on a page, except in texts by staff. */
function linksOf(html: string): string[] {
  const own = html.replace(/<div class="prose[\s\S]*?<\/div>(?=<\/)/g, "");
  return [...own.matchAll(/<a [^>]*href="(\/[^"#?]*)/g)].map(([, path]) => path!);
}
