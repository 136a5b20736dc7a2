import { AsyncLocalStorage } from "node:async_hooks";
import pg from "pg";
import { vi } from "vitest";

/** The SQL texts that `work` sends to the database, without those of background tasks. */
export async function listStatements(work: () => Promise<unknown>): Promise<string[]> {
  const statements: string[] = [];
  const own = new AsyncLocalStorage<true>();
  const { query } = pg.Client.prototype;
  const spy = vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const [statement] = args as [string | { text: string }];
    if (own.getStore()) statements.push(typeof statement === "string" ? statement : statement.text);
    return Reflect.apply(query, this, args);
  } as never);
  await own.run(true, work);
  spy.mockRestore();
  return statements;
}
