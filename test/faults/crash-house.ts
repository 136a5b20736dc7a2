import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { controlSimulator, type SimulatorControl } from "#simulators/control.ts";
import { startSimulators } from "#simulators/start.ts";
import { type ChildSite, createChildSite } from "#test/child-site.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";

/** A server of its own process and database, which may be killed. */
export type CrashLife = { readonly db: TestDatabase; readonly site: ChildSite };

export type CrashHouse = {
  readonly simulator: SimulatorControl;
  /**
   * A life of this name, not started yet; the environment is added to what a child site has. It has a database of its own
   * unless it shares another's.
   */
  readonly begin: (name: string, environment: Record<string, string>, shared?: TestDatabase) => Promise<CrashLife>;
  readonly stop: () => Promise<void>;
};

/** Simulators that outlive the servers which are killed around them, one for all of a file's lives. */
export async function openCrashHouse(name: string): Promise<CrashHouse> {
  const dataDir = mkdtempSync(join(tmpdir(), `${name}-`));
  const simulators = await startSimulators({ port: 0, dataDir });
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
