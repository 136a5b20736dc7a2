import pLimit from "p-limit";
import { BucketError } from "./bucket-error.ts";

const FAILURES = 3;
const MAX_AT_ONCE = 24;

/**
 * Sends a limited number of requests at the same time, and none for `pauseMs` once three in a row had no answer. Then one
 * request finds out whether the bucket is back. So a bucket that hangs holds up no more than the first few.
 */
export function createCircuit(pauseMs: number) {
  const inTurn = pLimit(MAX_AT_ONCE);
  let failures = 0;
  let closedUntil = 0;

  /** @throws BucketError `away` without sending anything during a pause; otherwise what `work` throws. */
  return async function send<Result>(work: () => Promise<Result>): Promise<Result> {
    return inTurn(async () => {
      const at = performance.now();
      if (at < closedUntil) throw new BucketError("away", "open");
      // Until this one is through, the others are refused.
      if (failures >= FAILURES) closedUntil = at + pauseMs;
      try {
        const result = await work();
        [failures, closedUntil] = [0, 0];
        return result;
      } catch (error) {
        const isAway = error instanceof BucketError && error.fault === "away";
        failures = isAway ? failures + 1 : 0;
        closedUntil = failures >= FAILURES ? performance.now() + pauseMs : 0;
        throw error;
      }
    });
  };
}
