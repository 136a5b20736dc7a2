import { AsyncLocalStorage } from "node:async_hooks";
import { Socket } from "node:net";
import pg from "pg";
import { onTestFinished, vi } from "vitest";

/**
 * Stops the clock until the test ends: every two seconds a payment also reads the state of the provider and of the
 * breaker, and a hold what became of recent ones.
 */
export function stopClock(): void {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
}

/** How many messages `work` sends to the database, without those of background tasks. */
export async function countMessages(work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const own = new AsyncLocalStorage<true>();
  const databases = new Set<unknown>();
  const { query } = pg.Client.prototype;
  const spies = [
    vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (this: pg.Client, ...args: unknown[]) {
      databases.add((this as unknown as { connection: { stream: Socket } }).connection.stream);
      return Reflect.apply(query, this, args);
    } as never),
    ...(["_write", "_writev"] as const).map((write) => {
      const original = Socket.prototype[write]!;
      return vi.spyOn(Socket.prototype, write).mockImplementation(function (this: Socket, ...args: unknown[]) {
        if (own.getStore() && databases.has(this)) count += 1;
        return Reflect.apply(original, this, args);
      } as never);
    }),
  ];
  await own.run(true, work);
  for (const spy of spies) spy.mockRestore();
  return count;
}
