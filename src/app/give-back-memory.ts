import { performance } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const EVERY_MS = 10_000;
/** Share of the time in which the process has something to do; above it nobody is to wait for a collection. */
const IDLE = 0.05;
const WORTH_IT = 48 * 1024 * 1024;

type Collect = (options: { type: "major"; execution: "sync"; flavor: "last-resort" }) => void;

/**
 * Gives memory back to the system after a rush. V8 keeps what its heap has grown to for as long as nothing else makes it
 * collect, which on a quiet site is for ever, and an ordinary collection empties pages but keeps them. Only the kind that
 * V8 does as its last resort returns them. It stops the process for a fraction of a second, so it waits until the
 * process has had nearly nothing to do for ten seconds, and until there is enough to give back. Returns how to stop.
 */
export function giveBackMemory(): () => void {
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
