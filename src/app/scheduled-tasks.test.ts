import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startScheduledTask } from "./scheduled-tasks.ts";

const minute = 60_000;
const hour = 60 * minute;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function open() {
  const warnings: string[] = [];
  const log = { warn: (details: { task: string }) => void warnings.push(details.task) };
  return { warnings, services: { config: { payments: { tickMs: 2000 } }, log } as never };
}

test("REL-13: a scheduled task runs within a minute of the start, then every hour, until it is stopped", async () => {
  const run = vi.fn(async () => undefined);
  const stop = startScheduledTask({ name: "an hourly one", every: "hour", run }, open().services);
  await vi.advanceTimersByTimeAsync(minute);
  expect(run).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(2 * hour);
  expect(run).toHaveBeenCalledTimes(3);
  stop();
  await vi.advanceTimersByTimeAsync(2 * hour);
  expect(run).toHaveBeenCalledTimes(3);
});

test("REL-13: a failing task is tried again and delays no other; a running one is not started twice", async () => {
  const { warnings, services } = open();
  const failing = vi.fn(async () => {
    throw new Error("no answer");
  });
  const endless = vi.fn(() => new Promise<void>(() => undefined));
  const last = vi.fn(async () => undefined);
  const tasks = { failing, endless, last };
  const stops = Object.entries(tasks).map(([name, run]) => startScheduledTask({ name, every: "hour", run }, services));
  await vi.advanceTimersByTimeAsync(3 * hour);
  expect([failing, endless, last].map(({ mock }) => mock.calls.length)).toEqual([4, 1, 4]);
  expect(warnings).toEqual(Array(4).fill("failing"));
  for (const stop of stops) stop();
});
