import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { listen } from "./listen.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.stop());

test("REL-3: a change of content reaches every listener, and a lost connection is restored and reported", async () => {
  const heard = vi.fn();
  const listener = listen(db.url, "content_changed", heard);
  try {
    await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(1), { timeout: 10_000 });
    await db.pool.query("update causes set title = title");
    await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(2), { timeout: 10_000 });
    await db.pool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and query like 'listen%'",
    );
    await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(3), { timeout: 10_000 });
    await db.pool.query("update causes set title = title");
    await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(4), { timeout: 10_000 });
  } finally {
    await listener.stop();
  }
});

test("REL-3: stopping ends a listener that cannot connect", async () => {
  const heard = vi.fn();
  const listener = listen("postgres://nobody@127.0.0.1:1/none", "content_changed", heard);
  await listener.stop();
  expect(heard).not.toHaveBeenCalled();
});
