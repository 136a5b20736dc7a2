import type { FastifyBaseLogger } from "fastify";
import type pg from "pg";
import { RateLimiterPostgres } from "rate-limiter-flexible";
import { limitKey } from "./limit-key.ts";

/** Who tries to pay. What is absent or empty is not counted: it would be shared by everybody who lacks it. */
export type Payer = { address: string; session?: string | undefined; email?: string | undefined };

export type DeclineLimits = ReturnType<typeof createDeclineLimits>;

/**
 * Counts declined payments and failed captchas by address, session and e-mail in PostgreSQL, for all processes at once.
 * More than `declines` of them by any one of the three, within `windowSeconds` of the first, and that one is refused
 * until the window ends. Nothing else counts. A database that does not answer refuses nobody: a donor is worth more
 * than this check, and the captcha stands before the payment all the same.
 */
export function createDeclineLimits({ pool, secretKey, declines, windowSeconds, log }: DeclineLimitsOptions) {
  const limiter = new RateLimiterPostgres({
    storeClient: pool,
    storeType: "pool",
    tableName: "rate_limits",
    tableCreated: true,
    keyPrefix: "declines",
    points: declines,
    duration: windowSeconds,
  });
  const keysOf = (payer: Payer) => listKeys(payer, secretKey);
  return {
    /** Null when the payer may try; otherwise how long until they may. */
    findRefusal: async (payer: Payer): Promise<{ retryAfterSeconds: number } | null> => {
      try {
        const counts = await Promise.all(keysOf(payer).map((key) => limiter.get(key)));
        const waits = counts.map((count) => (count && count.consumedPoints > declines ? count.msBeforeNext : 0));
        const longest = Math.max(...waits);
        return longest > 0 ? { retryAfterSeconds: Math.ceil(longest / 1000) } : null;
      } catch (error) {
        log.warn({ err: error }, "The limits on declined payments could not be read, so this payer was let through.");
        return null;
      }
    },
    /** One declined payment or one failed captcha. */
    countDecline: async (payer: Payer): Promise<void> => {
      try {
        await Promise.all(keysOf(payer).map((key) => limiter.penalty(key)));
      } catch (error) {
        log.warn({ err: error }, "A declined payment could not be counted towards the limits.");
      }
    },
  };
}

type DeclineLimitsOptions = {
  pool: pg.Pool;
  secretKey: string;
  declines: number;
  windowSeconds: number;
  log: Pick<FastifyBaseLogger, "warn">;
};

function listKeys({ address, session, email }: Payer, secretKey: string): string[] {
  const named = [
    ["address", address],
    ["session", session],
    ["email", email],
  ] as const;
  return named.flatMap(([by, value]) => (value?.trim() ? [limitKey(secretKey, "decline", by, value)] : []));
}
