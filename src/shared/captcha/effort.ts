/** How many times the work of an ordinary captcha a captcha is worth: about half a minute on a phone. */
export const HIGHEST_EFFORT = 32;

/**
 * The effort that is asked for once a count is beyond what is free: 4, and twice as much for each further `step`, up to
 * the highest. 1 while nothing is beyond it.
 */
export function effortBeyond(excess: number, step: number): number {
  if (excess <= 0) return 1;
  return Math.min(HIGHEST_EFFORT, 4 * 2 ** Math.floor((excess - 1) / step));
}
