import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");

/** The compiler's errors for one planted file under one of our configurations; empty if none. */
function compilePlanted(configuration: string, file: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "almoner-pure-"));
  try {
    for (const name of ["package.json", "tsconfig.json", configuration, "test/project/web-standards.d.ts"]) {
      cpSync(join(root, name), join(folder, name));
    }
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
    return spawnSync(join(root, "node_modules/.bin/tsc"), ["-p", configuration], { cwd: folder, encoding: "utf8" })
      .stdout;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const pure = "src/features/donations/planted.ts";
const server = "src/features/donations/server/planted.ts";
const page = "src/features/donations/ui/planted.ts";

test.each([
  ["a rule that touches the page", "tsconfig.pure.json", pure, "export const title = document.title;", "document"],
  ["a rule that fetches", "tsconfig.pure.json", pure, 'export const answer = fetch("/");', "fetch"],
  ["a rule that reads the environment", "tsconfig.pure.json", pure, "export const port = process.env.PORT;", "process"],
  ["a rule that imports Node", "tsconfig.pure.json", pure, 'export { join } from "node:path";', "node:path"],
  [
    "a server file that touches the page",
    "tsconfig.server.json",
    server,
    "export const at = window.location;",
    "window",
  ],
  [
    "a page that reads the environment",
    "tsconfig.browser.json",
    page,
    "export const port = process.env.PORT;",
    "process",
  ],
])("the compiler refuses %s", (_, configuration, file, text, named) => {
  expect(compilePlanted(configuration, file, text)).toMatch(new RegExp(`error TS\\d+.*${named}`));
});

test.each([
  ["a rule", "tsconfig.pure.json", pure, "export const half = (cents: number) => Math.floor(cents / 2);"],
  ["a server file", "tsconfig.server.json", server, "export const port = process.env.PORT;"],
  ["a page", "tsconfig.browser.json", page, "export const title = () => document.title;"],
])("the compiler accepts %s that keeps to its side", (_, configuration, file, text) => {
  expect(compilePlanted(configuration, file, text)).toBe("");
});
