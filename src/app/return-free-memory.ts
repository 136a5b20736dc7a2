import { executionAsyncResource } from "node:async_hooks";
import { performance } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const EVERY_MS = 10_000;
/** Share of time the process is busy, up to which it counts as idle. */
const IDLE = 0.05;
const WORTH_IT = 24 * 1024 * 1024;

type Collect = (options: { type: "major"; execution: "sync"; flavor: "last-resort" }) => void;

const kept: { tick?: object } = {};

/**
 * Returns memory to the system after a busy period. V8 keeps a grown heap until something makes it collect, which on a
 * quiet site may never happen, and an ordinary collection empties pages without releasing them. Only V8's last-resort
 * collection releases them. It stops the process for a fraction of a second, so it waits for ten idle seconds and
 * enough memory to release. Returns a function that stops it.
 *
 * V8 forgets a hidden class when it collects garbage while no object of that class is alive, and such a collection spares
 * none. A later `process.nextTick`, of which every answer has several, would then be slow for good: so one of its objects
 * is kept. `createReadyAnswers` keeps a response.
 */
export function returnFreeMemory(): () => void {
  process.nextTick(() => {
    kept.tick = executionAsyncResource();
  });
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as Collect;
  let before = performance.eventLoopUtilization();
  let leftLastTime = 0;
  const timer = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(before);
    before = performance.eventLoopUtilization();
    if (utilization > IDLE || process.memoryUsage().heapTotal < leftLastTime + WORTH_IT) return;
    collect({ type: "major", execution: "sync", flavor: "last-resort" });
    leftLastTime = process.memoryUsage().heapTotal;
  }, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
