import { AsyncLocalStorage } from "node:async_hooks";
import pg from "pg";
import { vi } from "vitest";
import { sessionLimits } from "#shared/database/client.ts";

/** The SQL texts that `work` sends to the database, without those of background tasks and new connections. */
export async function listStatements(work: () => Promise<unknown>): Promise<string[]> {
  const statements: string[] = [];
  const own = new AsyncLocalStorage<true>();
  const { query } = pg.Client.prototype;
  const spy = vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const [statement] = args as [string | { text: string }];
    const text = typeof statement === "string" ? statement : statement.text;
    if (own.getStore() && !text.startsWith(sessionLimits)) statements.push(text);
    return Reflect.apply(query, this, args);
  } as never);
  await own.run(true, work);
  spy.mockRestore();
  return statements;
}
