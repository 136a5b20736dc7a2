import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { controlSimulator } from "#simulators/control.ts";
import { startSimulators } from "#simulators/start.ts";
import { createChildSite } from "#test/child-site.ts";
import { createTestDatabase } from "#test/database.ts";
import { createDonor } from "./donor.ts";

test("REL-4: a stop while a payment is under way waits for it, answers it, refuses new ones, and then ends", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "graceful-stop-"));
  const [db, simulators] = await Promise.all([createTestDatabase(), startSimulators({ port: 0, dataDir })]);
  const simulator = controlSimulator(simulators.url);
  const site = await createChildSite({
    databaseUrl: db.url,
    paywayUrl: simulator.paywayUrl,
    dataDir,
    environment: { CUSTOMER_WAIT_MS: "8000", PROVIDER_TIMEOUT_MS: "8000" },
  });
  try {
    await site.start();
    const donor = createDonor({
      url: site.url,
      paywayUrl: simulator.paywayUrl,
      address: "198.51.100.8",
      random: Math.random,
    });
    const { gift, body } = await donor.prepare("patient");
    await simulator.installFault({ match: { op: "charge" }, do: "slow", ms: 1500 });
    const answer = donor.post(gift, body);
    await expect.poll(async () => (await simulator.listRequests()).some(({ op }) => op === "charge")).toBe(true);
    const began = Date.now();
    const stopped = site.stop();
    await sleep(200);
    await expect(fetch(`${site.url}/healthz`)).rejects.toThrow();
    expect(await answer).toMatchObject({ ok: true, status: 200, data: { state: "succeeded" } });
    await stopped;
    expect(site.signal()).toBeNull();
    expect(site.failures).toEqual([]);
    expect(Date.now() - began).toBeLessThan(10_000);
  } finally {
    await site.kill();
    await Promise.all([db.stop(), simulators.stop()]);
    rmSync(dataDir, { recursive: true, force: true });
  }
});
