import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, inject, test } from "vitest";
import { onDatabase } from "#test/database.ts";
import { runProgram } from "#test/run-command.ts";

const folder = mkdtempSync(join(tmpdir(), "operator-words-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const root = join(import.meta.dirname, "../../..");
const DATA_DIR = join(folder, "none");
const file = join(folder, "copy.tar.zst");

const commands = {
  refund: "src/app/commands/refund.ts",
  reconcile: "src/app/commands/reconcile.ts",
  staff: "src/app/commands/staff.ts",
  files: "src/app/commands/files.ts",
  backup: "database/backup/main.ts",
  restore: "database/backup/restore-main.ts",
  export: "database/transfer/export-main.ts",
  import: "database/transfer/import-main.ts",
};

const run = (name: keyof typeof commands, words: readonly string[], settings: Record<string, string> = {}) =>
  runProgram(join(root, commands[name]), words, { DATA_DIR, ...settings });

test("REL-16: a command with wrong words says how it is used", async () => {
  const names = ["refund", "reconcile", "files", "backup", "restore", "export", "import"] as const;
  for (const { name, code, stderr } of await Promise.all(
    names.map(async (name) => ({ name, ...(await run(name, [file, "--sideways"])) })),
  )) {
    expect(code).toBeGreaterThan(0);
    expect(stderr).toContain(`npm run ${name}`);
    expect(stderr).not.toMatch(/positional|\n {4}at /);
  }
  expect(existsSync(DATA_DIR)).toBe(false);
});

test("REL-16: a command that finds no database says which folder it looked in, and makes nothing there", async () => {
  for (const [name, words] of [
    ["staff", ["list"]],
    ["reconcile", []],
    ["backup", [file]],
    ["export", [file]],
  ] as const) {
    const { code, stderr } = await run(name, words);
    expect(code).toBeGreaterThan(0);
    expect(stderr).toBe(
      `There is no database in ${DATA_DIR}. Set DATA_DIR to the site's data folder, or DATABASE_URL, or start the site once.\n`,
    );
  }
  expect(existsSync(DATA_DIR)).toBe(false);
});

test("REL-16: a command that cannot open DATABASE_URL says what to correct", async () => {
  const DATABASE_URL = onDatabase(inject("serverUrl"), "no_such_database");
  const sentence = "The database server has no database of the name in DATABASE_URL. Create it, or correct the name.\n";
  for (const [name, words] of [
    ["staff", ["list"]],
    ["export", [file]],
    ["backup", ["--prove-database"]],
  ] as const) {
    const { code, stderr } = await run(name, words, { DATABASE_URL });
    expect([code, stderr]).toEqual([name === "staff" ? 1 : 2, sentence]);
  }
});

test("REL-16: a restore whose file is missing makes no key", async () => {
  const empty = join(folder, "empty");
  const { code, stderr } = await run("restore", [file], { DATA_DIR: empty });
  expect([code, stderr]).toEqual([2, `There is no file ${file}.\n`]);
  expect(existsSync(join(empty, "secret-key"))).toBe(false);
});
