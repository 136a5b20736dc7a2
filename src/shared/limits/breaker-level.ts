/** `raised`: the captcha costs more. `paused`: no card is sent to the provider. */
export type BreakerLevel = "normal" | "raised" | "paused";

/** Card payments of a stretch of time, by what they came to. */
export type Count = { readonly declined: number; readonly paid: number };

/** Since when cards are paused again and again; the breaker's whole memory. */
export type Pauses = { readonly pauses: number; readonly pausedUntil: Date | null };

export type Standing = {
  readonly level: BreakerLevel;
  /** How many card payments may be declined or under way, beyond half of those that succeed. */
  readonly limit: number;
  /** What declines have left of it. */
  readonly room: number;
  /** While paused: how long still. */
  readonly retryAfterSeconds: number;
};

const MINUTE_MS = 60_000;
/** A burst shows in the short window, a patient thief in the long one. */
const SHORT_MS = 5 * MINUTE_MS;
const LONG_MS = 60 * MINUTE_MS;
const FIRST_PAUSE_MS = 5 * MINUTE_MS;
const LONGEST_PAUSE_MS = 30 * MINUTE_MS;
/** For so long after a pause, so few declines without successes bring the next one. */
const PROBATION_MS = 60 * MINUTE_MS;
const PROBATION_LIMIT = 3;

/** From when on payments are counted, for each of the two windows; what came before a pause ended never counts again. */
export function windowsBefore(now: Date, { pausedUntil }: Pauses): { short: Date; long: Date } {
  const since = (ms: number) => new Date(Math.max(now.getTime() - ms, pausedUntil?.getTime() ?? 0));
  return { short: since(SHORT_MS), long: since(LONG_MS) };
}

/**
 * Where the breaker stands at one moment. A payment that succeeds makes up for half a decline, so that honest traffic with
 * its share of mistyped cards leaves room however dense it is, and one that only tests cards soon has none.
 */
export function standingOf(
  memory: Pauses,
  counts: { readonly short: Count; readonly long: Count },
  { now, limit }: { now: Date; limit: number },
): Standing {
  const pauseEnds = memory.pausedUntil?.getTime() ?? Number.NEGATIVE_INFINITY;
  const left = pauseEnds - now.getTime();
  if (left > 0) return { level: "paused", limit: 0, room: 0, retryAfterSeconds: Math.ceil(left / 1000) };
  const onProbation = isOnProbation(memory, now);
  const applies = onProbation ? Math.min(limit, PROBATION_LIMIT) : limit;
  const excess = Math.max(excessOf(counts.short), excessOf(counts.long));
  const level = onProbation || excess >= applies / 2 ? "raised" : "normal";
  return { level, limit: applies, room: applies - excess, retryAfterSeconds: 0 };
}

const excessOf = ({ declined, paid }: Count) => declined - paid / 2;

function isOnProbation({ pausedUntil }: Pauses, now: Date): boolean {
  return pausedUntil !== null && now.getTime() < pausedUntil.getTime() + PROBATION_MS;
}

/** The pause that begins when no room is left: 5, 10, 20, then 30 minutes while one attack goes on. */
export function nextPause(memory: Pauses, now: Date): { pauses: number; pausedUntil: Date } {
  const pauses = isOnProbation(memory, now) ? memory.pauses + 1 : 1;
  const length = Math.min(FIRST_PAUSE_MS * 2 ** (pauses - 1), LONGEST_PAUSE_MS);
  return { pauses, pausedUntil: new Date(now.getTime() + length) };
}
