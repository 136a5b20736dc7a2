import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, get } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { controlSimulator } from "#simulators/control.ts";
import { createChildSite } from "#test/child-site.ts";
import { createTestDatabase } from "#test/database.ts";
import { longTest } from "#test/long-test.ts";
import { openSimulators } from "#test/simulators.ts";
import { createScriptedDonor } from "./donor.ts";

test("REL-4, REL-6: a stop during a payment waits for it, answers it, refuses new ones, and then exits", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "graceful-stop-"));
  const [db, simulators] = await Promise.all([createTestDatabase(), openSimulators(dataDir)]);
  const simulator = controlSimulator(simulators.url);
  const site = await createChildSite({
    databaseUrl: db.url,
    paywayUrl: simulator.paywayUrl,
    dataDir,
    environment: { CUSTOMER_WAIT_MS: "20000", PROVIDER_TIMEOUT_MS: "20000" },
  });
  try {
    await site.start();
    const donor = createScriptedDonor({
      url: site.url,
      paywayUrl: simulator.paywayUrl,
      address: "198.51.100.8",
      random: Math.random,
    });
    const { donation, body } = await donor.prepare("patient");
    await simulator.installFault({ match: { op: "charge" }, do: "slow", ms: 1500 });
    const answer = donor.post(donation, body);
    await expect.poll(async () => (await simulator.listRequests()).some(({ op }) => op === "charge")).toBe(true);
    const stopped = site.stop();
    await expect.poll(() => isRefused(site.url)).toBe(true);
    expect(await answer).toMatchObject({ ok: true, status: 200, data: { state: "succeeded" } });
    await stopped;
    expect(site.signal(), "it was not killed").toBeNull();
    expect(site.failures).toEqual([]);
  } finally {
    await site.kill();
    await Promise.all([db.stop(), simulators.stop()]);
    rmSync(dataDir, { recursive: true, force: true });
  }
});

test("DEP-5: a process that stops says for a while that it is not ready, and still answers", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "stop-delay-"));
  const db = await createTestDatabase();
  const environment = { STOP_DELAY_MS: "1500" };
  const site = await createChildSite({ databaseUrl: db.url, paywayUrl: "http://127.0.0.1:9/", dataDir, environment });
  try {
    await site.start();
    const stopped = site.stop();
    await expect.poll(async () => (await fetch(`${site.url}/readyz`)).status).toBe(503);
    expect(await (await fetch(`${site.url}/readyz`)).json()).toEqual({ status: "the process is stopping" });
    expect((await fetch(`${site.url}/api/checkout`)).status).toBe(200);
    await stopped;
    expect(await isRefused(site.url)).toBe(true);
    expect(site.failures).toEqual([]);
  } finally {
    await site.kill();
    await db.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
});

longTest(
  "REL-6: a stop under load resets no connection: it answers received requests, refuses new ones, and exits",
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "stop-under-load-"));
    const [db, simulators] = await Promise.all([createTestDatabase(), openSimulators(dataDir)]);
    const paywayUrl = controlSimulator(simulators.url).paywayUrl;
    // Left alone, the server would give a silent connection five seconds more than this.
    const environment = { CUSTOMER_WAIT_MS: "60000" };
    const site = await createChildSite({ databaseUrl: db.url, paywayUrl, dataDir, environment });
    try {
      await site.start();
      const load = startLoad(`${site.url}/api/home`, 20);
      await expect.poll(() => load.answered()).toBeGreaterThan(200);
      const silent = connect(Number(new URL(site.url).port), "127.0.0.1");
      await once(silent, "connect");
      const closed = once(silent, "close");
      await site.stop();
      await closed;
      expect(await load.end()).toEqual([]);
      expect(site.signal(), "it was not killed").toBeNull();
    } finally {
      await site.kill();
      await Promise.all([db.stop(), simulators.stop()]);
      rmSync(dataDir, { recursive: true, force: true });
    }
  },
);

/** Clients that keep sending requests over kept connections, each until a new connection is refused. */
function startLoad(url: string, clients: number) {
  let answered = 0;
  const failures: string[] = [];
  const agent = new Agent({ keepAlive: true });
  const ask = () =>
    new Promise<string>((resolve) => {
      get(url, { agent }, (response) => {
        response.resume().once("end", () => resolve(response.statusCode === 200 ? "" : String(response.statusCode)));
      }).once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    });
  const run = async () => {
    for (;;) {
      const problem = await ask();
      if (problem === "ECONNREFUSED") return;
      if (problem === "") answered += 1;
      else failures.push(problem);
    }
  };
  const runs = Promise.all(Array.from({ length: clients }, run));
  return {
    answered: () => answered,
    /** Requests answered with anything but 200, or not at all. */
    async end() {
      await runs;
      agent.destroy();
      return failures;
    },
  };
}

function isRefused(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.end(() => resolve(false)));
    socket.once("error", () => resolve(true));
  });
}
