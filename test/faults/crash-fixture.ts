import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { controlSimulator, type SimulatorControl } from "#simulators/control.ts";
import { type ChildSite, createChildSite } from "../child-site.ts";
import { createTestDatabase, type TestDatabase } from "../database.ts";
import { openSimulators } from "../simulators.ts";

/** A server with its own process and database, which can be killed. */
export type CrashLife = { readonly db: TestDatabase; readonly site: ChildSite };

export type CrashFixture = {
  readonly simulator: SimulatorControl;
  /**
   * Prepares a server without starting it. `environment` is added to a child site's; it gets a new database unless
   * `shared` is given.
   */
  readonly begin: (name: string, environment: Record<string, string>, shared?: TestDatabase) => Promise<CrashLife>;
  readonly stop: () => Promise<void>;
};

/** Simulators that outlive the killed servers, shared by all servers of a test file. */
export async function openCrashFixture(name: string): Promise<CrashFixture> {
  const dataDir = mkdtempSync(join(tmpdir(), `${name}-`));
  const simulators = await openSimulators(dataDir);
  const simulator = controlSimulator(simulators.url);
  const lives: CrashLife[] = [];
  return {
    simulator,
    begin: async (lifeName, environment, shared) => {
      const db = shared ?? (await createTestDatabase());
      const { paywayUrl } = simulator;
      const site = await createChildSite({ databaseUrl: db.url, paywayUrl, dataDir, name: lifeName, environment });
      const life = { db, site };
      lives.push(life);
      return life;
    },
    stop: async () => {
      for (const { site } of lives) await site.kill();
      for (const db of new Set(lives.map((life) => life.db))) await db.stop();
      await simulators.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
