/** `raised`: captchas need more work. `guarded`: a card payment needs a hard captcha and a network without declines. */
export type BreakerLevel = "normal" | "raised" | "guarded";

/** Card payments in a window of time, by outcome. */
export type Count = { readonly declined: number; readonly paid: number };

/** When cards are guarded. This is all that the breaker stores. */
export type Guard = { readonly from: Date | null; readonly until: Date | null };

export type BreakerStatus = {
  readonly level: BreakerLevel;
  /** How many card payments may be declined or in progress, beyond half of those that succeed. */
  readonly limit: number;
  /** `limit` less the declines. */
  readonly room: number;
};

const MINUTE_MS = 60_000;
const LONG_MS = 60 * MINUTE_MS;
/** The short window catches bursts, the long one slow card testing. */
const SHORT_MS = { unguarded: 5 * MINUTE_MS, guarded: 10 * MINUTE_MS };
/** How long cards stay guarded after the last decline that left no room. */
const GUARD_MS = 60 * MINUTE_MS;
/** How often newcomers may be declined in the short window while cards are guarded; in the long one, half the limit. */
const GUARDED_SHORT_LIMIT = 3;

/** Whether cards are checked more strictly now. */
export function isGuarded({ until }: Guard, now: Date): boolean {
  return until !== null && now < until;
}

/** The start of each window. Payments from before the current or last guard began never count again. */
export function windowsBefore(now: Date, guard: Guard): { short: Date; long: Date } {
  const [shortMs, begin] = isGuarded(guard, now) ? [SHORT_MS.guarded, guard.from] : [SHORT_MS.unguarded, guard.until];
  const since = (ms: number) => new Date(Math.max(now.getTime() - ms, begin?.getTime() ?? 0));
  return { short: since(shortMs), long: since(LONG_MS) };
}

/**
 * The breaker's status at one moment. Each success makes up for half a decline. So honest donors, who mistype a card
 * now and then, always leave room, and card testing soon leaves none.
 */
export function breakerStatus(
  guard: Guard,
  counts: { readonly short: Count; readonly long: Count },
  { now, limit }: { now: Date; limit: number },
): BreakerStatus {
  const [short, long] = [excessOf(counts.short), excessOf(counts.long)];
  if (isGuarded(guard, now)) {
    const room = Math.min(GUARDED_SHORT_LIMIT - short, Math.floor(limit / 2) - long);
    return { level: "guarded", limit: GUARDED_SHORT_LIMIT, room };
  }
  const excess = Math.max(short, long);
  return { level: excess >= limit / 2 ? "raised" : "normal", limit, room: limit - excess };
}

const excessOf = ({ declined, paid }: Count) => declined - paid / 2;

/** The guard after a decline that left no room: starts one, or extends the current one. */
export function nextGuard(guard: Guard, now: Date): { from: Date; until: Date } {
  const from = isGuarded(guard, now) && guard.from !== null ? guard.from : now;
  return { from, until: new Date(now.getTime() + GUARD_MS) };
}
