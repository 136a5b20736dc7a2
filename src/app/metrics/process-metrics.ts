import { readFileSync } from "node:fs";
import { statfs } from "node:fs/promises";
import type pg from "pg";
import { Gauge, type Registry } from "prom-client";

const { version } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"));

export type ProcessMetrics = {
  readonly pool: Pick<pg.Pool, "totalCount" | "idleCount" | "waitingCount">;
  readonly dataDir: string;
  readonly latestMigration: string;
};

/** Adds what a dashboard shows of this process: its version, its connections to the database, and the room on its disk. */
export function addProcessMetrics(registry: Registry, { pool, dataDir, latestMigration }: ProcessMetrics): void {
  const registers = [registry];
  new Gauge({
    name: "build_info",
    help: "1, with the version and its latest migration",
    labelNames: ["version", "migration"],
    registers,
  }).set({ version, migration: latestMigration }, 1);
  new Gauge({
    name: "database_connections",
    help: "Connections to the database that are busy or idle, and requests that wait for one",
    labelNames: ["state"],
    registers,
    collect() {
      this.set({ state: "busy" }, pool.totalCount - pool.idleCount);
      this.set({ state: "idle" }, pool.idleCount);
      this.set({ state: "waiting" }, pool.waitingCount);
    },
  });
  new Gauge({
    name: "data_disk_free_ratio",
    help: "The free part of the disk of DATA_DIR, from 0 to 1",
    registers,
    async collect() {
      const { bavail, blocks } = await statfs(dataDir);
      this.set(bavail / blocks);
    },
  });
}
