/** `raised`: the captcha costs more. `guarded`: a card payment needs a dear captcha and a network without declines. */
export type BreakerLevel = "normal" | "raised" | "guarded";

/** Card payments of a stretch of time, by what they came to. */
export type Count = { readonly declined: number; readonly paid: number };

/** From when until when cards are guarded; the breaker's whole memory. */
export type Guard = { readonly from: Date | null; readonly until: Date | null };

export type Standing = {
  readonly level: BreakerLevel;
  /** How many card payments may be declined or under way, beyond half of those that succeed. */
  readonly limit: number;
  /** What declines have left of it. */
  readonly room: number;
};

const MINUTE_MS = 60_000;
const LONG_MS = 60 * MINUTE_MS;
/** A burst shows in the short window, a patient thief in the long one. */
const SHORT_MS = { unguarded: 5 * MINUTE_MS, guarded: 10 * MINUTE_MS };
/** So long cards stay guarded after the last decline that left no room. */
const GUARD_MS = 60 * MINUTE_MS;
/** While guarded, so many declines of newcomers in the short window, and half the limit in the long one. */
const GUARDED_SHORT_LIMIT = 3;

export function isGuarded({ until }: Guard, now: Date): boolean {
  return until !== null && now < until;
}

/** From when on payments are counted, for each of the two windows; what came before cards were guarded never counts again. */
export function windowsBefore(now: Date, guard: Guard): { short: Date; long: Date } {
  const [shortMs, begin] = isGuarded(guard, now) ? [SHORT_MS.guarded, guard.from] : [SHORT_MS.unguarded, guard.until];
  const since = (ms: number) => new Date(Math.max(now.getTime() - ms, begin?.getTime() ?? 0));
  return { short: since(shortMs), long: since(LONG_MS) };
}

/**
 * Where the breaker stands at one moment. A payment that succeeds makes up for half a decline, so that honest traffic with
 * its share of mistyped cards leaves room however dense it is, and one that only tests cards soon has none.
 */
export function standingOf(
  guard: Guard,
  counts: { readonly short: Count; readonly long: Count },
  { now, limit }: { now: Date; limit: number },
): Standing {
  const [short, long] = [excessOf(counts.short), excessOf(counts.long)];
  if (isGuarded(guard, now)) {
    const room = Math.min(GUARDED_SHORT_LIMIT - short, Math.floor(limit / 2) - long);
    return { level: "guarded", limit: GUARDED_SHORT_LIMIT, room };
  }
  const excess = Math.max(short, long);
  return { level: excess >= limit / 2 ? "raised" : "normal", limit, room: limit - excess };
}

const excessOf = ({ declined, paid }: Count) => declined - paid / 2;

/** Where a decline has left no room: cards are guarded from now on, or for longer. */
export function nextGuard(guard: Guard, now: Date): { from: Date; until: Date } {
  const from = isGuarded(guard, now) && guard.from !== null ? guard.from : now;
  return { from, until: new Date(now.getTime() + GUARD_MS) };
}
