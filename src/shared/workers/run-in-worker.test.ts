import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { getPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { longTest } from "#test/long-test.ts";
import { runInWorker } from "./run-in-worker.ts";

const folder = mkdtempSync(join(tmpdir(), "workers-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A module that exports `work`. */
const moduleOf = (work: string) =>
  new URL(`data:text/javascript,import{writeFileSync,existsSync}from"node:fs";export ${encodeURIComponent(work)}`);

test("PERF-1: work whose worker dies is done again by another one, and so is what waited for it", async () => {
  const module = moduleOf(`async function work(path) {
    if (existsSync(path)) return Buffer.from("done");
    writeFileSync(path, "");
    process.exit(1);
  }`);
  const paths = Array.from({ length: 6 }, (_, index) => join(folder, String(index)));
  const done = await Promise.all(paths.map((input) => runInWorker({ module, run: "work", input })));
  expect(done.map(String)).toEqual(paths.map(() => "done"));
  expect(paths.every((path) => existsSync(path))).toBe(true);
});

longTest("PERF-1: work that takes too much memory fails alone; the process and later work go on", async () => {
  const module = moduleOf(`async function work(size) {
    const kept = [];
    while (kept.length < size) kept.push(new Array(1e5).fill(0.5));
    return Buffer.from("small");
  }`);
  await expect(runInWorker({ module, run: "work", input: 1000 })).rejects.toThrow(/memory/);
  expect(String(await runInWorker({ module, run: "work", input: 0 }))).toBe("small");
});

test("PERF-1: an error in a worker arrives with its message", async () => {
  const module = moduleOf('async function work() { throw new Error("no such font"); }');
  await expect(runInWorker({ module, run: "work", input: null })).rejects.toThrow("no such font");
});

test.runIf(process.platform === "linux")("PERF-1: workers leave the processor to the thread that answers", async () => {
  // Somebody may run the tests with less priority than usual.
  const own = getPriority();
  const module = moduleOf(`async function work() {
    const { getPriority } = await import("node:os");
    const { readlinkSync } = await import("node:fs");
    return Buffer.from(String(getPriority(Number(readlinkSync("/proc/thread-self").split("/").at(-1)))));
  }`);
  expect(String(await runInWorker({ module, run: "work", input: null }))).toBe(String(Math.min(19, own + 10)));
  expect(getPriority()).toBe(own);
});
