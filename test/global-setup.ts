import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { migrate } from "#database/migrate.ts";
import { onDatabase, TEMPLATE } from "./database.ts";

declare module "vitest" {
  export interface ProvidedContext {
    serverUrl: string;
  }
}

/** One PostgreSQL server for the whole run, with one migrated template that each test file's database is copied from. */
export default async function setup(project: TestProject) {
  const server = await startServer();
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query(`create database ${TEMPLATE}`);
  await client.end();
  await migrate(onDatabase(server.url, TEMPLATE));
  project.provide("serverUrl", server.url);
  return () => server.stop();
}

async function startServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const binaries = process.env.TEST_POSTGRES_BINARIES;
  if (binaries !== undefined) return (await import("./cluster.ts")).startCluster(binaries);
  const { startEmbeddedDatabase } = await import("#database/embedded.ts");
  const dataDir = mkdtempSync(join(tmpdir(), "almoner-test-"));
  const { url, stop } = await startEmbeddedDatabase({ dataDir });
  return {
    url,
    stop: async () => {
      await stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
