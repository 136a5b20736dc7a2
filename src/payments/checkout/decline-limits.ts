import type { FastifyBaseLogger } from "fastify";
import type { Connection, Database } from "#shared/database/connect.ts";
import { count, readCounts } from "#shared/limits/count.ts";
import { effortBeyond } from "#shared/limits/effort.ts";
import { limitKey } from "#shared/limits/limit-key.ts";

/** Who tries to pay: what the request proves, and the email. Empty values are not counted: all would share them. */
export type Payer = { address: string; browser?: string | undefined; email?: string | undefined };

/** Counting stops here; the captcha gets no harder. */
const MAX_COUNTED = 1_000_000;

export type DeclineLimits = ReturnType<typeof createDeclineLimits>;

/**
 * Counts declined payments and failed captchas in PostgreSQL, for all processes together. After more than `declines`
 * within `windowSeconds` of the first, an address or browser is refused until the window ends. Anyone can name an
 * email, so declines under an email refuse nobody: they make its captcha harder (SEC-4). If the database does not
 * answer, nobody is refused: a donor matters more than this check, and the captcha still protects the payment.
 */
export function createDeclineLimits({ database, secretKey, declines, windowSeconds, now, log }: DeclineLimitsOptions) {
  const keysOf = ({ address, browser }: Payer) => listKeys({ address, browser }, secretKey);
  const countAll = async (keys: readonly string[]) => {
    try {
      const window = { max: MAX_COUNTED, windowSeconds, now: now() };
      await Promise.all(keys.map((key) => count(database, key, window)));
    } catch (error) {
      log.warn({ err: error }, "a declined payment could not be counted towards the limits");
    }
  };
  return {
    /** How long until the payer may try, if not now, and the captcha work that a payment under this email needs. */
    read: async (payer: Payer, connection: Connection = database): Promise<PayerLimits> => {
      try {
        const [byEmail] = listKeys({ email: payer.email }, secretKey);
        const keys = byEmail === undefined ? keysOf(payer) : [...keysOf(payer), byEmail];
        const counts = await readCounts(connection, keys, now());
        const waits = counts.map(({ key, points, leftMs }) => (key !== byEmail && points > declines ? leftMs : 0));
        const longestWaitMs = Math.max(0, ...waits);
        const declined = counts.find(({ key }) => key === byEmail)?.points ?? 0;
        return {
          refusal: longestWaitMs > 0 ? { retryAfterSeconds: Math.ceil(longestWaitMs / 1000) } : null,
          effort: effortBeyond(declined - declines, declines),
        };
      } catch (error) {
        log.warn({ err: error }, "the limits on declined payments could not be read, so this payer was let through");
        return { refusal: null, effort: 1 };
      }
    },
    countDecline: (payer: Payer) => countAll(listKeys(payer, secretKey)),
    /** Doesn't count against the email: failing a captcha is free, so anyone could lock an email out. */
    countFailedCaptcha: (payer: Payer) => countAll(keysOf(payer)),
  };
}

export type PayerLimits = { readonly refusal: { readonly retryAfterSeconds: number } | null; readonly effort: number };

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
