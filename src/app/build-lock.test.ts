import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { withLock } from "./build-lock.ts";

test("work under one lock is done one at a time, also after work that fails", async () => {
  const name = `lock of ${process.pid}`;
  let running = 0;
  let most = 0;
  const work = async () => {
    running += 1;
    most = Math.max(most, running);
    await pause(20);
    running -= 1;
    return "done";
  };
  const failed = withLock(name, async () => {
    await work();
    throw new Error("it failed");
  });
  const all = await Promise.allSettled([failed, withLock(name, work), withLock(name, work)]);
  expect(all.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
  expect(most).toBe(1);
});

test("who waits too long for a lock is told what holds it up", async () => {
  const name = `held lock of ${process.pid}`;
  await withLock(name, async () => {
    await expect(withLock(name, async () => "never", 150)).rejects.toThrow(/^Something else is using port \d+/);
  });
});
