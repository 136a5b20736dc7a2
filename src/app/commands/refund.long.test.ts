import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startEmbeddedDatabase } from "#database/embedded.ts";
import { migrate } from "#database/migrate.ts";
import { runProgram } from "#test/run-command.ts";

test("REL-3: the command joins the embedded database of a running site, and leaves it running", async () => {
  const folder = mkdtempSync(join(tmpdir(), "almoner-refund-"));
  const { url, stop } = await startEmbeddedDatabase({ dataDir: folder });
  try {
    const run = () => runProgram(join(import.meta.dirname, "refund.ts"), ["R-000001"], { DATA_DIR: folder });
    expect(await run()).toMatchObject({ code: 1, stderr: expect.stringContaining("Start the site") });
    await migrate(url);
    expect(await run()).toEqual({
      code: 1,
      stdout: "There is no paid donation R-000001. Nothing was refunded.\n",
      stderr: "",
    });
    expect(await migrate(url)).toEqual([]);
  } finally {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
