import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { pino } from "pino";
import type { TestProject } from "vitest/node";
import { migrate } from "#database/migrate.ts";
import { createPool } from "#shared/database/connect.ts";
import { createJobs } from "#shared/jobs/jobs.ts";
import { onDatabase, TEMPLATE } from "./database.ts";

declare module "vitest" {
  export interface ProvidedContext {
    serverUrl: string;
  }
}

/**
 * One PostgreSQL server for the whole run, with a migrated template that each test file copies.
 * Fault tests run ten sites on it at once, each with a pool of 20.
 */
export default async function setup(project: TestProject) {
  const server = await startServer();
  await riskItsData(server.administratorUrl);
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query(`create database ${TEMPLATE}`);
  await client.end();
  await migrate(onDatabase(server.url, TEMPLATE));
  await prepareQueues(onDatabase(server.url, TEMPLATE));
  project.provide("serverUrl", server.url);
  return () => server.stop();
}

/** Every site needs the queues' schema. Copying it with the template costs a third of what creating it does. */
async function prepareQueues(url: string) {
  const pool = createPool(url, () => undefined);
  const jobs = await createJobs({ pool, log: pino({ level: "silent" }) });
  await jobs.stop();
  await pool.end();
}

/**
 * Nothing here outlives the run, so nothing waits for the disk: a database is copied and dropped in a tenth of the time.
 * Tests of durability start their own servers.
 */
async function riskItsData(administratorUrl: string) {
  const client = new pg.Client({ connectionString: administratorUrl });
  await client.connect();
  for (const name of ["fsync", "synchronous_commit", "full_page_writes", "autovacuum"]) {
    await client.query(`alter system set ${name} = off`);
  }
  await client.query("alter system set checkpoint_timeout = '1d'");
  await client.query("select pg_reload_conf()");
  await client.end();
}

async function startServer(): Promise<{ url: string; administratorUrl: string; stop(): Promise<void> }> {
  const binaries = process.env.TEST_POSTGRES_BINARIES;
  if (binaries !== undefined) {
    const cluster = await (await import("./cluster.ts")).startCluster(binaries);
    return { ...cluster, administratorUrl: cluster.url };
  }
  const { startEmbeddedDatabase } = await import("#database/embedded.ts");
  const dataDir = mkdtempSync(join(tmpdir(), "almoner-test-"));
  const { url, stop } = await startEmbeddedDatabase({ dataDir, maxConnections: 300 });
  const administrator = new URL(url);
  administrator.username = "postgres";
  return {
    url,
    administratorUrl: administrator.href,
    stop: async () => {
      await stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
