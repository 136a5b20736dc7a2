import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Database } from "#shared/database/connect.ts";
import { followPause } from "./pause.ts";

const paused = { id: 1 };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The pause of a site that reads these one after the other. */
async function follow(...reads: (() => Promise<object | undefined>)[]) {
  const query = { select: () => query, where: () => query, executeTakeFirst: () => reads.shift()!() };
  const work = vi.fn(async () => {});
  const warn = vi.fn();
  const pause = await followPause({ selectFrom: () => query } as unknown as Database);
  await pause.whenOpen(work, warn);
  return { pause, work, warn };
}

test("BAK-4: whether a site is still paused is read until it answers, and its work begins once", async () => {
  const { pause, work, warn } = await follow(
    async () => paused,
    () => Promise.reject(new Error("the database does not answer")),
    async () => undefined,
  );
  await vi.advanceTimersByTimeAsync(2000);
  expect([warn.mock.calls.length, work.mock.calls.length, pause.isPaused()]).toEqual([1, 0, true]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect([warn.mock.calls.length, work.mock.calls.length, pause.isPaused()]).toEqual([1, 1, false]);
});

test("BAK-4: work that fails does not begin again every two seconds", async () => {
  const others = process.listeners("unhandledRejection");
  process.removeAllListeners("unhandledRejection");
  const thrown = vi.fn();
  process.on("unhandledRejection", thrown);
  try {
    const { work, warn } = await follow(
      async () => paused,
      async () => undefined,
    );
    work.mockRejectedValue(new Error("no queue"));
    await vi.advanceTimersByTimeAsync(10_000);
    vi.useRealTimers();
    await vi.waitFor(() => expect(thrown).toHaveBeenCalledOnce());
    expect([work.mock.calls.length, warn.mock.calls.length]).toEqual([1, 0]);
  } finally {
    process.removeAllListeners("unhandledRejection");
    for (const listener of others) process.on("unhandledRejection", listener);
  }
});

test("BAK-4: stopping while it is read leaves no timer behind", async () => {
  const { promise, resolve } = Promise.withResolvers<object>();
  const { pause, work } = await follow(
    async () => paused,
    () => promise,
  );
  await vi.advanceTimersByTimeAsync(2000);
  pause.stop();
  resolve(paused);
  await vi.advanceTimersByTimeAsync(0);
  expect([vi.getTimerCount(), work.mock.calls.length]).toEqual([0, 0]);
});
