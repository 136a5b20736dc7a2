/** The simulator's time: the machine's, plus what `POST /__sim/advance` has added. */
export type Clock = { now(): number; advance(ms: number): void };

/** Calls `remember` with each new offset, so that time does not jump back when the simulator restarts. */
export function createClock(offsetMs: number, remember: (offsetMs: number) => void): Clock {
  let offset = offsetMs;
  return {
    now: () => Date.now() + offset,
    advance(ms) {
      offset += ms;
      remember(offset);
    },
  };
}
