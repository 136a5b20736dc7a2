import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
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

/** A migrated, empty database of the caller's own, copied from the template; `stop` drops it. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const serverUrl = inject("serverUrl");
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await onServer(serverUrl, `create database ${name} template ${TEMPLATE}`);
  const url = onDatabase(serverUrl, name);
  const pool = createPool(url, () => undefined);
  const database = createDatabase(pool);
  return {
    url,
    database,
    pool,
    stop: async () => {
      await database.destroy();
      await dropDatabase(serverUrl, name);
    },
  };
}

/** Again while the server's own housekeeping is in it, whose processes nobody else may end. */
async function dropDatabase(serverUrl: string, name: string) {
  const insufficientPrivilege = "42501";
  for (let tries = 1; ; tries += 1) {
    try {
      return await onServer(serverUrl, `drop database ${name} with (force)`);
    } catch (error) {
      if ((error as { code?: string }).code !== insufficientPrivilege || tries === 20) throw error;
      await sleep(250);
    }
  }
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
