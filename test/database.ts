import { randomUUID } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { createDatabase, createPool, type Database } from "#shared/database/connect.ts";

export const TEMPLATE = "almoner_template";

export type TestDatabase = { url: string; database: Database; pool: pg.Pool; stop(): Promise<void> };

/** The same server, another database. */
export function onDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** A new migrated, empty database, copied from the template; `stop` drops it. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const serverUrl = inject("serverUrl");
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await onServer(serverUrl, `create database ${name} template ${TEMPLATE} strategy file_copy`);
  const url = onDatabase(serverUrl, name);
  const pool = createPool(url, () => undefined);
  const database = createDatabase(pool);
  return {
    url,
    database,
    pool,
    stop: async () => {
      await database.destroy();
      await onServer(serverUrl, `drop database ${name} with (force)`);
    },
  };
}

async function onServer(serverUrl: string, statement: string) {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
