import type { FastifyBaseLogger } from "fastify";
import { effortBeyond } from "#shared/captcha/effort.ts";
import type { Database } from "#shared/database/connect.ts";
import { count, readCount } from "#shared/limits/count.ts";
import { limitKey } from "#shared/limits/limit-key.ts";

/**
 * Who tries to pay: what the request proves, and the email that it names. What is absent or empty is not counted: it
 * would be shared by everybody who lacks it.
 */
export type Payer = { address: string; browser?: string | undefined; email?: string | undefined };

/** Beyond this the captcha is no dearer. */
const MOST_COUNTED = 1_000_000;

export type DeclineLimits = ReturnType<typeof createDeclineLimits>;

/**
 * Counts declined payments and failed captchas in PostgreSQL, for all processes at once. More than `declines` of them by
 * one address or one browser, within `windowSeconds` of the first, and that one is refused until the window ends. Anybody
 * can name an email, so declines under one refuse nobody: they make the captcha dearer (SEC-4). Nothing else counts. A
 * database that does not answer refuses nobody: a donor is worth more than this check, and the captcha stands before the
 * payment all the same.
 */
export function createDeclineLimits({ database, secretKey, declines, windowSeconds, now, log }: DeclineLimitsOptions) {
  const keysOf = ({ address, browser }: Payer) => listKeys({ address, browser }, secretKey);
  const countAll = async (keys: readonly string[]) => {
    try {
      const window = { most: MOST_COUNTED, windowSeconds, now: now() };
      await Promise.all(keys.map((key) => count(database, key, window)));
    } catch (error) {
      log.warn({ err: error }, "A declined payment could not be counted towards the limits.");
    }
  };
  return {
    /** Null when the payer may try; otherwise how long until they may. */
    findRefusal: async (payer: Payer): Promise<{ retryAfterSeconds: number } | null> => {
      try {
        const counts = await Promise.all(keysOf(payer).map((key) => readCount(database, key, now())));
        const longest = Math.max(...counts.map(({ points, leftMs }) => (points > declines ? leftMs : 0)));
        return longest > 0 ? { retryAfterSeconds: Math.ceil(longest / 1000) } : null;
      } catch (error) {
        log.warn({ err: error }, "The limits on declined payments could not be read, so this payer was let through.");
        return null;
      }
    },
    /** What the captcha of a payment under this email must be worth. */
    findEffort: async ({ email }: Payer): Promise<number> => {
      try {
        const [key] = listKeys({ email }, secretKey);
        const { points } = key === undefined ? { points: 0 } : await readCount(database, key, now());
        return effortBeyond(points - declines, declines);
      } catch (error) {
        log.warn({ err: error }, "The declines under an email could not be read, so its captcha is an ordinary one.");
        return 1;
      }
    },
    countDecline: (payer: Payer) => countAll(listKeys(payer, secretKey)),
    /** Costs its sender nothing, so it does not count for the email that it names. */
    countFailedCaptcha: (payer: Payer) => countAll(keysOf(payer)),
  };
}

type DeclineLimitsOptions = {
  database: Database;
  secretKey: string;
  declines: number;
  windowSeconds: number;
  now: () => Date;
  log: Pick<FastifyBaseLogger, "warn">;
};

function listKeys(payer: Partial<Payer>, secretKey: string): string[] {
  const named = (["address", "browser", "email"] as const).map((by) => [by, payer[by]] as const);
  return named.flatMap(([by, value]) => (value?.trim() ? [limitKey(secretKey, "decline", by, value)] : []));
}
