import type { FastifyBaseLogger } from "fastify";
import type pg from "pg";
import { RateLimiterPostgres } from "rate-limiter-flexible";
import { effortBeyond } from "#shared/captcha/effort.ts";
import { limitKey } from "./limit-key.ts";

/**
 * Who tries to pay: what the request proves, and the email that it names. What is absent or empty is not counted: it
 * would be shared by everybody who lacks it.
 */
export type Payer = { address: string; browser?: string | undefined; email?: string | undefined };

export type DeclineLimits = ReturnType<typeof createDeclineLimits>;

/**
 * Counts declined payments and failed captchas in PostgreSQL, for all processes at once. More than `declines` of them by
 * one address or one browser, within `windowSeconds` of the first, and that one is refused until the window ends. Anybody
 * can name an email, so declines under one refuse nobody: they make the captcha dearer (SEC-4). Nothing else counts. A
 * database that does not answer refuses nobody: a donor is worth more than this check, and the captcha stands before the
 * payment all the same.
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
  const keysOf = ({ address, browser }: Payer) => listKeys({ address, browser }, secretKey);
  const count = async (keys: readonly string[]) => {
    try {
      await Promise.all(keys.map((key) => limiter.penalty(key)));
    } catch (error) {
      log.warn({ err: error }, "A declined payment could not be counted towards the limits.");
    }
  };
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
    /** What the captcha of a payment under this email must be worth. */
    findEffort: async ({ email }: Payer): Promise<number> => {
      try {
        const counts = await Promise.all(listKeys({ email }, secretKey).map((key) => limiter.get(key)));
        return effortBeyond((counts[0]?.consumedPoints ?? 0) - declines, declines);
      } catch (error) {
        log.warn({ err: error }, "The declines under an email could not be read, so its captcha is an ordinary one.");
        return 1;
      }
    },
    countDecline: (payer: Payer) => count(listKeys(payer, secretKey)),
    /** Costs its sender nothing, so it does not count for the email that it names. */
    countFailedCaptcha: (payer: Payer) => count(keysOf(payer)),
  };
}

type DeclineLimitsOptions = {
  pool: pg.Pool;
  secretKey: string;
  declines: number;
  windowSeconds: number;
  log: Pick<FastifyBaseLogger, "warn">;
};

function listKeys(payer: Partial<Payer>, secretKey: string): string[] {
  const named = (["address", "browser", "email"] as const).map((by) => [by, payer[by]] as const);
  return named.flatMap(([by, value]) => (value?.trim() ? [limitKey(secretKey, "decline", by, value)] : []));
}
