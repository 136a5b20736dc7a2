/** How much faster or slower than time itself the clock may go, to come back to the machine's. */
const SLEW = 0.01;
/** What is further away than this was no jump but a sleep: it is taken over at once. */
const LARGEST_JUMP_MS = 2 * 3_600_000;

/**
 * The machine's clock without its jumps. When somebody sets the clock, or a virtual machine wakes up, a jump of up to two
 * hours is made up for slowly, so that no hold, lease, link or limit ends early or late by more than a hundredth.
 */
export function createSteadyClock(machine: () => number, elapsed: () => number): () => Date {
  let time = machine();
  let last = elapsed();
  return () => {
    const now = elapsed();
    const passed = now - last;
    last = now;
    time += passed;
    const behind = machine() - time;
    const most = Math.abs(behind) > LARGEST_JUMP_MS ? Number.POSITIVE_INFINITY : passed * SLEW;
    time += Math.max(-most, Math.min(most, behind));
    return new Date(time);
  };
}
