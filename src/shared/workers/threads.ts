import { availableParallelism } from "node:os";
import { Piscina } from "piscina";

// Import this module only when there is work: a start without it is faster.

/**
 * Threads for heavy work: fewer than there are cores, and after the thread that answers (on Linux, where each thread has
 * a priority of its own). Idle ones end.
 */
export const threads = new Piscina({
  filename: new URL("./worker.ts", import.meta.url).href,
  minThreads: 0,
  maxThreads: Math.min(4, Math.max(1, availableParallelism() - 1)),
  idleTimeout: 20_000,
  niceIncrement: 10,
  recordTiming: false,
  resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 },
});
