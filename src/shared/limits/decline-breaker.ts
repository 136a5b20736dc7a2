import type { FastifyBaseLogger } from "fastify";
import { sql } from "kysely";
import type { Connection, Database } from "#shared/database/connect.ts";
import { NOT_CHARGED } from "#shared/payments/attempts.ts";
import { paidStates } from "#shared/payments/states.ts";
import {
  type BreakerLevel,
  nextPause,
  type Pauses,
  type Standing,
  standingOf,
  windowsBefore,
} from "./breaker-level.ts";

/** What the configured cost of a challenge is multiplied by. */
export const captchaCostFactors = { normal: 1, raised: 4, paused: 4 } as const satisfies Record<BreakerLevel, number>;

const CACHE_MS = 2000;

/** `isCrowded`: nobody is suspected, but too many payments are under way that could all be declined; try again soon. */
export type Admission =
  | { readonly ok: true }
  | { readonly ok: false; readonly isCrowded: boolean; readonly retryAfterSeconds: number };

export type DeclineBreaker = {
  /** Asked of the database at most once in two seconds; one that does not answer is taken for `normal`. */
  findLevel(now: Date): Promise<BreakerLevel>;
  /**
   * Whether this card payment may be sent, in the transaction that has just recorded it: what others have recorded or
   * are recording is counted, so that no burst, however wide, brings more than the limit to the provider.
   */
  admit(transaction: Connection, now: Date): Promise<Admission>;
  /** Pauses cards where a decline has left no room. Call after each; never throws. */
  review(now: Date): Promise<void>;
};

type View = { readonly at: number; readonly standing: Promise<Read | null>; seen: Read | null; admitted: number };
type Read = Standing & { readonly memory: Pauses; readonly underWay: number };

/**
 * Watches the whole site for card testing, for all processes together: its memory is one row, and what it counts are the
 * payments on the books.
 */
export function createDeclineBreaker({ database, payments: limit, log }: DeclineBreakerOptions): DeclineBreaker {
  let last: BreakerLevel = "normal";
  let cached: View | undefined;

  async function readStanding(connection: Connection, now: Date, isLocked = false): Promise<Read> {
    const row = connection.selectFrom("card_breaker").select(["pauses", "paused_until as pausedUntil"]);
    const memory = await (isLocked ? row.forUpdate() : row).executeTakeFirstOrThrow();
    const windows = windowsBefore(now, memory);
    const { underWay, ...counted } = await countPayments(connection, windows);
    const counts = {
      short: { declined: counted.shortDeclined, paid: counted.shortPaid },
      long: { declined: counted.longDeclined, paid: counted.longPaid },
    };
    return { ...standingOf(memory, counts, { now, limit }), memory, underWay };
  }

  const isFresh = (view: View | undefined, now: Date): view is View =>
    view !== undefined && now.getTime() >= view.at && now.getTime() - view.at < CACHE_MS;

  function look(now: Date): Promise<Read | null> {
    if (isFresh(cached, now)) return cached.standing;
    const standing = readStanding(database, now).catch((error: unknown) => {
      log.warn({ err: error }, "The breaker against card testing could not read the payments.");
      return null;
    });
    const view: View = { at: now.getTime(), standing, seen: null, admitted: 0 };
    cached = view;
    void standing.then((read) => {
      view.seen = read;
    });
    return standing;
  }

  return {
    async findLevel(now) {
      const level = (await look(now))?.level ?? "normal";
      if (level !== last) log.warn({ from: last, to: level }, `The breaker against card testing is now ${level}.`);
      last = level;
      return level;
    },

    async admit(transaction, now) {
      // Far from the limit nobody has to wait for the row: a quarter of it may go by what was seen a moment ago. Only what
      // is there already: a transaction that waits for a second connection may wait for others that do the same.
      const view = isFresh(cached, now) ? cached : undefined;
      const seen = view?.seen ?? null;
      if (view && seen && seen.room - seen.underWay - view.admitted > (seen.limit * 3) / 4) {
        view.admitted += 1;
        return { ok: true };
      }
      const { level, room, underWay, retryAfterSeconds } = await readStanding(transaction, now, true);
      if (level === "paused") return { ok: false, isCrowded: false, retryAfterSeconds };
      // This payment is among those under way.
      if (underWay <= room) return { ok: true };
      return { ok: false, isCrowded: room >= 1, retryAfterSeconds: 5 };
    },

    async review(now) {
      try {
        await database.transaction().execute(async (transaction) => {
          const { level, room, memory } = await readStanding(transaction, now, true);
          if (level === "paused" || room > 0) return;
          const { pauses, pausedUntil } = nextPause(memory, now);
          await transaction.updateTable("card_breaker").set({ pauses, paused_until: pausedUntil }).execute();
          log.warn({ pauses, until: pausedUntil }, "The breaker against card testing pauses cards.");
        });
      } catch (error) {
        log.warn({ err: error }, "The breaker against card testing could not look at a decline.");
      }
    },
  };
}

type DeclineBreakerOptions = {
  database: Database;
  /** How many card payments may be declined or under way, beyond half of those that succeed, before cards pause. */
  payments: number;
  log: Pick<FastifyBaseLogger, "warn">;
};

/**
 * Cards only: they are what is tested, and what a pause stops. A payment that never reached the bank is neither a decline
 * nor a success, or an outage of the provider would look like an attack; a bank that says no in 3-D Secure is a decline.
 */
async function countPayments(connection: Connection, { short, long }: { short: Date; long: Date }) {
  const declined = sql`((state = 'failed' and provider_status is distinct from ${NOT_CHARGED})
    or (state = 'cancelled' and authentication in ('N', 'R')))`;
  const paid = sql`state in (${sql.join(paidStates)})`;
  const { rows } = await sql<{
    shortDeclined: number;
    shortPaid: number;
    longDeclined: number;
    longPaid: number;
    underWay: number;
  }>`
    select count(*) filter (where sent_at > ${short} and ${declined}) as "shortDeclined",
           count(*) filter (where sent_at > ${short} and ${paid}) as "shortPaid",
           count(*) filter (where ${declined}) as "longDeclined",
           count(*) filter (where ${paid}) as "longPaid",
           count(*) filter (where state in ('created', 'submitting')) as "underWay"
      from payment_attempts
     where provider = 'payway' and sent_at > ${long}`.execute(connection);
  return rows[0]!;
}
