/** How much faster or slower this clock may run to catch up with the machine's. */
const SLEW = 0.01;
/** A larger difference is a sleep, not a jump: it is applied immediately. */
const MAX_JUMP_MS = 2 * 3_600_000;

/**
 * The machine's clock without its jumps. If the clock is set or a virtual machine resumes, a jump of up to two hours is
 * corrected slowly, so that no hold, lease, link or limit is off by more than one percent.
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
    const maxStep = Math.abs(behind) > MAX_JUMP_MS ? Number.POSITIVE_INFINITY : passed * SLEW;
    time += Math.max(-maxStep, Math.min(maxStep, behind));
    return new Date(time);
  };
}
