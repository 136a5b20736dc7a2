import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { buildSiteWhenStale } from "#app/build.ts";
import { controlSimulator } from "#simulators/control.ts";
import { compareBooks, faultsOf, noFaults } from "#test/books.ts";
import { createChildSite, findFreePort } from "#test/child-site.ts";
import { createTestDatabase } from "#test/database.ts";
import { isInstalled, type ProxyName, startProxy } from "#test/proxies.ts";
import { openSimulators } from "#test/simulators.ts";
import { createScriptedDonor } from "./donor.ts";

const RESTARTS = 10;
const DONORS = 8;
const READERS = 8;

/** Two processes behind a proxy, restarted in turn while people give and read. */
async function restartInTurn(name: ProxyName) {
  const folder = mkdtempSync(join(tmpdir(), `rolling-${name}-`));
  const [db, simulators] = await Promise.all([createTestDatabase(), openSimulators(folder)]);
  const simulator = controlSimulator(simulators.url);
  const limits = { LIMITS_DECLINES: "1000000", LIMITS_BREAKER_PAYMENTS: "1000000" };
  const environment = {
    ...limits,
    PROVIDER_TIMEOUT_MS: "10000",
    CUSTOMER_WAIT_MS: "20000",
    STOP_DELAY_MS: "1000",
    LOG_LEVEL: "warn",
  };
  const settings = { databaseUrl: db.url, paywayUrl: simulator.paywayUrl, dataDir: folder, environment };
  const sites = await Promise.all(
    ["one", "two"].map((each) => createChildSite({ ...settings, name: each, hasPages: true })),
  );
  const failures: string[] = [];
  const counts = { pages: 0, donations: 0 };
  let isOver = false;
  try {
    await Promise.all(sites.map((site) => site.start()));
    const port = await findFreePort();
    const proxy = await startProxy(name, { folder, port, sites: sites.map(({ url }) => url) });
    const read = async () => {
      while (!isOver) {
        const answer = await fetch(`${proxy.url}/`).then(
          async (response) => ({ status: response.status, size: (await response.text()).length }),
          (error: Error) => ({ status: 0, size: 0, error: error.message }),
        );
        counts.pages += 1;
        if (answer.status !== 200 || answer.size === 0) failures.push(`page: ${JSON.stringify(answer)}`);
        await sleep(60);
      }
    };
    const give = async (number: number) => {
      const place = {
        url: proxy.url,
        paywayUrl: simulator.paywayUrl,
        address: `198.51.100.${number}`,
        random: () => 0.4,
      };
      const donor = createScriptedDonor(place);
      for (let nth = 0; !isOver; nth += 1) {
        const { donation, body } = await donor.prepare(`rolling-${number}-${nth}`);
        const answer = await donor.post(donation, body);
        counts.donations += 1;
        if (!answer.ok || answer.data.state !== "succeeded") failures.push(`donation: ${JSON.stringify(answer)}`);
      }
    };
    // A bank that takes a while, so that a restart always meets payments under way.
    await simulator.installFault({ match: { op: "charge" }, do: "slow", ms: 400 });
    const working = [
      ...Array.from({ length: READERS }, read),
      ...Array.from({ length: DONORS }, (_, number) =>
        give(number).catch((error: Error) => failures.push(error.message)),
      ),
    ];
    for (let nth = 0; nth < RESTARTS; nth += 1) {
      const site = sites[nth % 2]!;
      await site.stop();
      await site.start();
      await sleep(500);
    }
    isOver = true;
    await Promise.all(working);
    await proxy.stop();
    const books = faultsOf(await compareBooks(db.pool, await simulator.listLedger()));
    return { failures, counts, books };
  } finally {
    isOver = true;
    for (const site of sites) await site.kill();
    await Promise.all([db.stop(), simulators.stop()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

test.each(["nginx", "caddy"] as const)(
  "DEP-5: ten restarts in turn behind %s lose no request and leave no payment unknown",
  async (name) => {
    if (!isInstalled(name)) return console.log(`${name} is not installed, so nothing is restarted behind it`);
    await buildSiteWhenStale(() => undefined);
    const { failures, counts, books } = await restartInTurn(name);
    console.log(`${name}: ${JSON.stringify(counts)}`);
    expect(failures).toEqual([]);
    expect(books).toEqual(noFaults);
    expect(counts.pages).toBeGreaterThan(500);
    expect(counts.donations).toBeGreaterThan(100);
  },
);
