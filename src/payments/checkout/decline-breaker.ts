import type { FastifyBaseLogger } from "fastify";
import { sql } from "kysely";
import type { Connection, Database } from "#shared/database/connect.ts";
import { AppError } from "#shared/errors.ts";
import { NOT_CHARGED } from "../attempts.ts";
import { paidStates } from "../states.ts";
import { type BreakerLevel, type Guard, nextGuard, type Standing, standingOf, windowsBefore } from "./breaker-level.ts";

/** What a captcha before a payment must be worth. */
export const captchaEfforts = { normal: 1, raised: 4, guarded: 16 } as const satisfies Record<BreakerLevel, number>;

const CACHE_MS = 2000;

/** `isCrowded`: too many payments are under way that could all be declined; try again soon. */
export type Admission =
  | { readonly ok: true }
  | { readonly ok: false; readonly isCrowded: boolean; readonly retryAfterSeconds: number };

/** How long to wait where there is no room; with guarded cards, the end of their short window. */
export const CARDS_RETRY_SECONDS = 300;

/** As the sender of a card payment stands while cards are guarded; `unchecked` where they were not. */
export type CardSender = "known" | "new" | "unchecked";

export type DeclineBreaker = {
  /** Asked of the database at most once in two seconds; one that does not answer is taken for `normal`. */
  findLevel(now: Date): Promise<BreakerLevel>;
  /** Whether a newcomer's card may be tried, by what was seen at most two seconds ago. */
  hasRoom(now: Date): Promise<boolean>;
  /**
   * Whether this card payment may be sent, in the transaction that has just recorded it: what others have recorded or
   * are recording is counted, so that no burst, however wide, brings more than the limit to the provider. A browser that
   * has paid before needs no room.
   * @throws AppError `captcha_dearer` where cards have come to be guarded since the sender was looked at.
   */
  admit(transaction: Connection, now: Date, sender: CardSender): Promise<Admission>;
  /** Guards cards where a decline has left no room. Call after each; never throws. */
  review(now: Date): Promise<void>;
};

type View = { readonly at: number; readonly standing: Promise<Read | null>; seen: Read | null; admitted: number };
type Read = Standing & { readonly guard: Guard; readonly underWay: number };

/**
 * Watches the whole site for card testing, for all processes together: its memory is one row, and what it counts are the
 * payments on the books.
 */
export function createDeclineBreaker({ database, payments: limit, log }: DeclineBreakerOptions): DeclineBreaker {
  let last: BreakerLevel = "normal";
  let cached: View | undefined;

  async function readStanding(connection: Connection, now: Date, isLocked = false): Promise<Read> {
    const row = connection.selectFrom("card_breaker").select(["guarded_from as from", "guarded_until as until"]);
    const guard = await (isLocked ? row.forUpdate() : row).executeTakeFirstOrThrow();
    const windows = windowsBefore(now, guard);
    const { underWay, ...counted } = await countPayments(connection, windows);
    const counts = {
      short: { declined: counted.shortDeclined, paid: counted.shortPaid },
      long: { declined: counted.longDeclined, paid: counted.longPaid },
    };
    return { ...standingOf(guard, counts, { now, limit }), guard, underWay };
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

    async hasRoom(now) {
      const seen = await look(now);
      return seen === null || seen.room - seen.underWay >= 1;
    },

    async admit(transaction, now, sender) {
      // Far from the limit nobody has to wait for the row: a quarter of it may go by what was seen a moment ago. Only what
      // is there already: a transaction that waits for a second connection may wait for others that do the same.
      const view = isFresh(cached, now) ? cached : undefined;
      const seen = view?.seen ?? null;
      if (view && seen && seen.room - seen.underWay - view.admitted > (seen.limit * 3) / 4) {
        view.admitted += 1;
        return { ok: true };
      }
      const { level, guard, room, underWay } = await readStanding(transaction, now, true);
      if (level === "guarded" && sender === "unchecked") {
        cached = undefined;
        throw new AppError("captcha_dearer", { effort: captchaEfforts.guarded });
      }
      // Recorded before cards were guarded, it would never count: it is recorded anew.
      if (level === "guarded" && now <= guard.from!) return { ok: false, isCrowded: true, retryAfterSeconds: 5 };
      // This payment is among those under way.
      if (underWay <= room || sender === "known") return { ok: true };
      const isCrowded = room >= 1;
      return { ok: false, isCrowded, retryAfterSeconds: isCrowded ? 5 : CARDS_RETRY_SECONDS };
    },

    async review(now) {
      try {
        await database.transaction().execute(async (transaction) => {
          const { room, guard } = await readStanding(transaction, now, true);
          // Less than one lets nobody in.
          if (room >= 1) return;
          const { from, until } = nextGuard(guard, now);
          await transaction.updateTable("card_breaker").set({ guarded_from: from, guarded_until: until }).execute();
          cached = undefined;
          log.warn({ from, until }, "The breaker against card testing guards cards.");
        });
      } catch (error) {
        log.warn({ err: error }, "The breaker against card testing could not look at a decline.");
      }
    },
  };
}

type DeclineBreakerOptions = {
  database: Database;
  /** How many card payments may be declined or under way, beyond half of those that succeed, before cards are guarded. */
  payments: number;
  log: Pick<FastifyBaseLogger, "warn">;
};

export const declined = sql<boolean>`((state = 'failed' and provider_status is distinct from ${NOT_CHARGED})
  or (state = 'cancelled' and authentication in ('N', 'R')))`;
export const paid = sql<boolean>`state in (${sql.join(paidStates)})`;

/**
 * Cards only: they are what is tested, and what is guarded. A payment that never reached the bank is neither a decline
 * nor a success, or an outage of the provider would look like an attack; a bank that says no in 3-D Secure is a decline.
 */
async function countPayments(connection: Connection, { short, long }: { short: Date; long: Date }) {
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
