import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { startSite } from "../bench/site.ts";

const compiled = "node_modules/.cache/start";

/** What is kept of one start for the next: each file with the time at which it was written. */
function listCompiled(): string[] {
  const files = readdirSync(compiled, { recursive: true, encoding: "utf8" }).map((name) => join(compiled, name));
  return files.filter((file) => statSync(file).isFile()).map((file) => `${file} ${statSync(file).mtimeMs}`);
}

test("REL-11: a start reads what an earlier one compiled, and compiles nothing again", async () => {
  test.setTimeout(180_000);
  const folder = mkdtempSync(join(tmpdir(), "start-up-"));
  const start = async () => (await startSite(folder)).stop();
  try {
    rmSync(compiled, { recursive: true, force: true });
    // The first one makes the database too, for which it needs more than a later one.
    await start();
    await start();
    const before = listCompiled();
    expect(before.length).toBeGreaterThan(500);
    await start();
    expect(listCompiled().sort()).toEqual(before.sort());
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
});
