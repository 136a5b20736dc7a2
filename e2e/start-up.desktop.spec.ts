import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { cpuSeconds } from "../bench/processes.ts";
import { startSite } from "../bench/site.ts";

/** Processor time from the start to the first `200` of /readyz: unlike the time by the clock, other programs hardly change it. */
async function start(folder: string, settings: Record<string, string> = {}): Promise<number> {
  const site = await startSite(folder, settings);
  const seconds = cpuSeconds(site.pid);
  await site.stop();
  return seconds;
}

test("REL-11: a start reads what an earlier one compiled, and takes three quarters of its processor time at most", async () => {
  test.skip(process.platform !== "linux", "processor time is read from /proc");
  test.setTimeout(180_000);
  const folder = mkdtempSync(join(tmpdir(), "start-up-"));
  try {
    // Makes the database, and what is compiled.
    await start(folder);
    const cold = await start(folder, { NODE_DISABLE_COMPILE_CACHE: "1" });
    const warm = Math.min(await start(folder), await start(folder));
    expect(warm / cold).toBeLessThan(0.75);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
});
