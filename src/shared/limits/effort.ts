/** The highest effort, as a multiple of an ordinary captcha's work: about half a minute on a phone. */
export const MAX_EFFORT = 32;

/** The effort once a count exceeds what is free: 4, doubled for each further `step`, up to the highest. Otherwise 1. */
export function effortBeyond(excess: number, step: number): number {
  if (excess <= 0) return 1;
  return Math.min(MAX_EFFORT, 4 * 2 ** Math.floor((excess - 1) / step));
}
