import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findPostmaster } from "#database/embedded/postmaster.ts";
import { type EmbeddedDatabase, startEmbeddedDatabase } from "#database/embedded.ts";
import { migrate } from "#database/migrate.ts";
import { controlSimulator } from "#simulators/control.ts";
import { type ChildSite, createChildSite } from "#test/child-site.ts";
import { openSimulators } from "#test/simulators.ts";
import { signalAll } from "#test/supervisor.ts";

let dataDir: string;
let database: EmbeddedDatabase;
let simulators: Awaited<ReturnType<typeof openSimulators>>;
let site: ChildSite;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "database-hangs-"));
  database = await startEmbeddedDatabase({ dataDir });
  await migrate(database.url);
  simulators = await openSimulators(dataDir);
  const { paywayUrl } = controlSimulator(simulators.url);
  site = await createChildSite({ databaseUrl: database.url, paywayUrl, dataDir });
  await site.start();
});

afterAll(async () => {
  await site?.kill();
  await simulators?.stop();
  await database?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const ask = async (path: string) => {
  const began = Date.now();
  const response = await fetch(`${site.url}${path}`, { signal: AbortSignal.timeout(20_000) });
  const text = await response.text();
  return { status: response.status, retryAfter: response.headers.get("retry-after"), text, ms: Date.now() - began };
};

test("REL-7: while the database hangs every answer is 503 with a time to retry, and afterwards everything works again", async () => {
  expect((await ask("/api/home")).status).toBe(200);
  const processes = stopServer();
  try {
    // The site does not know yet that the database hangs: these wait until it finds out.
    const first = await Promise.all([
      ask("/readyz"),
      ask("/healthz"),
      ...Array.from({ length: 30 }, () => ask("/api/home")),
    ]);
    const [ready, alive, ...calls] = first;
    expect(ready).toMatchObject({ status: 503, retryAfter: "2" });
    expect(ready!.text).toContain("the database does not answer");
    expect(alive!.status).toBe(200);
    for (const call of calls) expect(call).toMatchObject({ status: 503, retryAfter: "2" });
    const later = await Promise.all(Array.from({ length: 30 }, () => ask("/api/home")));
    for (const call of later) expect(call).toMatchObject({ status: 503, retryAfter: "2" });
    // Now it knows, so nobody waits for the 30 s that a statement may take.
    const slowest = (answers: { ms: number }[]) => Math.max(...answers.map(({ ms }) => ms));
    expect(slowest(later)).toBeLessThan(slowest(calls));
  } finally {
    signalAll(processes, "SIGCONT");
  }
  await expect.poll(async () => (await ask("/readyz")).status).toBe(200);
  expect((await ask("/api/home")).status).toBe(200);
  expect(site.signal()).toBeNull();
  expect(site.failures).toEqual([]);
});

/** Stops the PostgreSQL server and its back ends. The server comes first, so that it starts none in the meantime. */
function stopServer(): number[] {
  const postmaster = findPostmaster(join(dataDir, "postgres", "data"))!.pid;
  process.kill(postmaster, "SIGSTOP");
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" }).trim().split("\n");
  const children = lines
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === postmaster)
    .map(([pid]) => pid!);
  signalAll(children, "SIGSTOP");
  return [...children, postmaster];
}
