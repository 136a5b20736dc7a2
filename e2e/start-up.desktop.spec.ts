import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { startBenchSite } from "../bench/site.ts";

const compiled = "node_modules/.cache/start";

/** The compiled files that one start leaves for the next, with the time each was written. */
function listCompiled(): string[] {
  const files = readdirSync(compiled, { recursive: true, encoding: "utf8" }).map((name) => join(compiled, name));
  return files.filter((file) => statSync(file).isFile()).map((file) => `${file} ${statSync(file).mtimeMs}`);
}

test("REL-11: a start reuses what an earlier one compiled", { tag: "@long" }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "start-up-"));
  const start = async () => (await startBenchSite(folder)).stop();
  try {
    rmSync(compiled, { recursive: true, force: true });
    // The first start also creates the database, which needs more code.
    await start();
    await start();
    const before = listCompiled();
    expect(before.length).toBeGreaterThan(200);
    await start();
    expect(listCompiled().sort()).toEqual(before.sort());
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
});
