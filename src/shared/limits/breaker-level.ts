/** `raised`: the captcha costs more. `paused`: no card is sent to the provider. */
export type BreakerLevel = "normal" | "raised" | "paused";

/** The card payments that ended within one second, which is named by its number since 1970. */
export type Tally = { readonly second: number; readonly settled: number; readonly declined: number };

const MINUTE = 60;
const WINDOW = 5 * MINUTE;
const PAUSE = 5 * MINUTE;
/** How far back the story is told. A pause that holds now began at most `PAUSE` ago, on a `WINDOW` before that. */
export const HORIZON_SECONDS = 20 * MINUTE;

/**
 * The level at one second, told from the tallies of the `HORIZON_SECONDS` before it and from nothing else, so that every
 * process that reads the same rows says the same. `payments` is how many settled payments make a ratio worth believing.
 *
 * - raised: more than half of the last 5 minutes' payments declined, of at least `payments`; or more than half of the
 *   last minute's, with more than `payments` / 2 declined; or a pause ended less than 5 minutes ago.
 * - paused: more than 80 % declined, of at least 3 × `payments`, after `raised` was in force for a minute. It lasts five
 *   minutes. What was settled before it ended never counts again, so that a second pause takes a second attack.
 */
export function breakerLevel(tallies: readonly Tally[], nowSecond: number, payments: number): BreakerLevel {
  const between = countBetween(tallies, nowSecond - HORIZON_SECONDS);
  let pauseEnds = Number.NEGATIVE_INFINITY;
  let raisedSince: number | null = null;
  for (let second = nowSecond - HORIZON_SECONDS; second <= nowSecond; second++) {
    if (second < pauseEnds) continue;
    const window = between(Math.max(second - WINDOW, pauseEnds), second);
    const minute = between(Math.max(second - MINUTE, pauseEnds), second);
    const isRaised =
      (window.settled >= payments && share(window) > 0.5) ||
      (minute.declined > payments / 2 && share(minute) > 0.5) ||
      second < pauseEnds + WINDOW;
    raisedSince = isRaised ? (raisedSince ?? second) : null;
    const isAttack = window.settled >= 3 * payments && share(window) > 0.8;
    if (isAttack && raisedSince !== null && second - raisedSince >= MINUTE) {
      pauseEnds = second + PAUSE;
      raisedSince = pauseEnds;
    }
  }
  if (nowSecond < pauseEnds) return "paused";
  return raisedSince === null ? "normal" : "raised";
}

type Count = { settled: number; declined: number };

function share({ settled, declined }: Count): number {
  return settled === 0 ? 0 : declined / settled;
}

/** Sums over the seconds after `from` up to and with `to`, each in one subtraction. */
function countBetween(tallies: readonly Tally[], firstSecond: number) {
  const settled = new Float64Array(HORIZON_SECONDS + 2);
  const declined = new Float64Array(HORIZON_SECONDS + 2);
  for (const tally of tallies) {
    const index = tally.second - firstSecond + 1;
    if (index < 1 || index > HORIZON_SECONDS + 1) continue;
    settled[index]! += tally.settled;
    declined[index]! += tally.declined;
  }
  for (let index = 1; index < settled.length; index++) {
    settled[index]! += settled[index - 1]!;
    declined[index]! += declined[index - 1]!;
  }
  const upTo = (sums: Float64Array, second: number) => sums[Math.max(second - firstSecond + 1, 0)]!;
  return (from: number, to: number): Count => ({
    settled: upTo(settled, to) - upTo(settled, from),
    declined: upTo(declined, to) - upTo(declined, from),
  });
}
