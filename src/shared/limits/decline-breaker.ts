import type { FastifyBaseLogger } from "fastify";
import { sql } from "kysely";
import type { Database } from "#shared/database/connect.ts";
import { NOT_CHARGED } from "#shared/payments/attempts.ts";
import { type BreakerLevel, breakerLevel, HORIZON_SECONDS, type Tally } from "./breaker-level.ts";

/** What the configured cost of a challenge is multiplied by. */
export const captchaCostFactors = { normal: 1, raised: 4, paused: 4 } as const satisfies Record<BreakerLevel, number>;

const CACHE_MS = 2000;

export type DeclineBreaker = { findLevel(now: Date): Promise<BreakerLevel> };

/**
 * Watches the whole site for card testing. The level is told from the payments on the books alone, so that all processes
 * agree; each asks at most once in two seconds. A database that does not answer is taken for `normal`.
 */
export function createDeclineBreaker({ database, payments, log }: DeclineBreakerOptions): DeclineBreaker {
  let last: BreakerLevel = "normal";
  let cached: { at: number; level: Promise<BreakerLevel> } | undefined;

  const readLevel = async (now: Date): Promise<BreakerLevel> => {
    const tallies = await listTallies(database, now).catch((error: unknown) => {
      log.warn({ err: error }, "The breaker against card testing could not read the payments.");
      return null;
    });
    if (tallies === null) return "normal";
    const level = breakerLevel(tallies, secondOf(now), payments);
    if (level !== last) log.warn({ from: last, to: level }, `The breaker against card testing is now ${level}.`);
    last = level;
    return level;
  };

  return {
    findLevel: (now) => {
      const age = cached === undefined ? -1 : now.getTime() - cached.at;
      if (cached === undefined || age < 0 || age >= CACHE_MS) cached = { at: now.getTime(), level: readLevel(now) };
      return cached.level;
    },
  };
}

type DeclineBreakerOptions = {
  database: Database;
  /** How many settled payments in five minutes make a ratio worth believing. */
  payments: number;
  log: Pick<FastifyBaseLogger, "warn">;
};

function secondOf(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}

/**
 * Cards only: they are what is tested, and what a pause stops. A payment that never reached the bank is neither a decline
 * nor a success, or an outage of the provider would look like an attack.
 */
async function listTallies(database: Database, now: Date): Promise<Tally[]> {
  const second = sql<number>`floor(extract(epoch from settled_at))::integer`;
  return database
    .selectFrom("payment_attempts")
    .select((select) => [
      second.as("second"),
      select.fn.countAll<number>().as("settled"),
      select.fn.countAll<number>().filterWhere("state", "=", "failed").as("declined"),
    ])
    .where("settled_at", ">", new Date((secondOf(now) - HORIZON_SECONDS) * 1000))
    .where("settled_at", "<=", now)
    .where("provider", "=", "payway")
    .where("state", "not in", ["cancelled", "not_found"])
    .where("provider_status", "is distinct from", NOT_CHARGED)
    .groupBy(second)
    .execute();
}
