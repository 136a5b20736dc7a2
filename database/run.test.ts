import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startEmbeddedDatabase } from "./embedded.ts";

const run = (settings: Record<string, string>) =>
  spawn(process.execPath, ["database/run.ts"], {
    cwd: join(import.meta.dirname, ".."),
    env: { ...process.env, NODE_ENV: "production", PAYMENTS: "off", DATABASE_URL: "", ...settings },
  });

async function untilSaid(child: ChildProcess, words: string): Promise<void> {
  let said = "";
  for await (const chunk of child.stdout!) {
    said += String(chunk);
    if (said.includes(words)) return;
  }
  throw new Error(`It ended after saying: ${said}`);
}

test("DEP-4: `npm run database` runs the embedded database alone: processes of the site come and go, and it ends when told to", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "database-run-"));
  const child = run({ DATA_DIR: dataDir });
  const ended = once(child, "exit");
  try {
    await untilSaid(child, "runs.");
    for (let time = 0; time < 2; time += 1) {
      const joined = await startEmbeddedDatabase({ dataDir });
      expect(joined.isOwner).toBe(false);
      await joined.stop();
    }
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
  } finally {
    child.kill("SIGKILL");
    await ended;
    rmSync(dataDir, { recursive: true, force: true });
  }
});

test("DEP-4: with DATABASE_URL it says that there is nothing to run", async () => {
  const child = run({ DATABASE_URL: "postgres://elsewhere/almoner", DATA_DIR: tmpdir() });
  let said = "";
  child.stderr.on("data", (chunk) => {
    said += String(chunk);
  });
  expect(await once(child, "exit")).toEqual([1, null]);
  expect(said).toBe(
    "The database did not start. DATABASE_URL is set, so the site uses that database and needs no other.\n",
  );
});
