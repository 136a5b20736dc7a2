import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { controlSimulator } from "#simulators/control.ts";
import { createChildSite } from "#test/child-site.ts";
import { createTestDatabase } from "#test/database.ts";
import { openSimulators } from "#test/simulators.ts";
import { createScriptedDonor } from "./donor.ts";

test("API-13, REL-3: 100 copies of one submission to two processes are one donation, one call and one answer", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "two-processes-"));
  const [db, simulators] = await Promise.all([createTestDatabase(), openSimulators(dataDir)]);
  const simulator = controlSimulator(simulators.url);
  const settings = {
    databaseUrl: db.url,
    paywayUrl: simulator.paywayUrl,
    dataDir,
    environment: { CUSTOMER_WAIT_MS: "20000", PROVIDER_TIMEOUT_MS: "10000" },
  };
  const sites = await Promise.all([
    createChildSite({ ...settings, name: "one" }),
    createChildSite({ ...settings, name: "two" }),
  ]);
  try {
    await Promise.all(sites.map((site) => site.start()));
    const browser = { address: "198.51.100.8", cookies: new Map<string, string>() };
    const donors = sites.map(({ url }) =>
      createScriptedDonor({ url, paywayUrl: simulator.paywayUrl, random: Math.random, ...browser }),
    );
    const { donation, body } = await donors[0]!.prepare("copies");
    await simulator.installFault({ match: { op: "charge" }, do: "slow", ms: 300 });
    const answers = await Promise.all(Array.from({ length: 100 }, (_, copy) => donors[copy % 2]!.post(donation, body)));
    expect(answers[0]).toMatchObject({ ok: true, status: 200, data: { state: "succeeded" } });
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    const calls = (await simulator.listRequests()).filter(({ op }) => op === "charge");
    expect(calls).toHaveLength(1);
    expect((await db.pool.query("select count(*) from donations")).rows[0].count).toBe(1);
  } finally {
    for (const site of sites) await site.kill();
    await Promise.all([db.stop(), simulators.stop()]);
    rmSync(dataDir, { recursive: true, force: true });
  }
});
