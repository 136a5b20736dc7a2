import type { FastifyBaseLogger } from "fastify";
import { sql } from "kysely";
import type { Connection, Database } from "#shared/database/connect.ts";
import { AppError } from "#shared/errors.ts";
import { NOT_CHARGED } from "../attempts.ts";
import { paidStates } from "../states.ts";
import {
  type BreakerLevel,
  type BreakerStatus,
  breakerStatus,
  type Guard,
  nextGuard,
  windowsBefore,
} from "./breaker-level.ts";
import { readGuard } from "./card-guard.ts";

/** The work that a payment's captcha must prove, as a multiple of an ordinary one. */
export const captchaEfforts = { normal: 1, raised: 4, guarded: 16 } as const satisfies Record<BreakerLevel, number>;

const CACHE_MS = 2000;

/** `isCrowded`: too many payments in progress could still be declined; try again soon. */
export type Admission =
  | { readonly ok: true }
  | { readonly ok: false; readonly isCrowded: boolean; readonly retryAfterSeconds: number };

/** How long to wait if there is no room. */
export const CARDS_RETRY_SECONDS = 300;

/** The risk of a card payment's sender; `unchecked` if cards were not guarded. */
export type CardSender = "known" | "new" | "unchecked";

/** The place of a card payment that may still be declined. */
export type CardPlace = {
  /** Call it once the payment has succeeded: then it takes no room. */
  readonly free: () => void;
};

export type DeclineBreaker = {
  /** Reads the database at most every two seconds; `normal` if it does not answer. */
  findLevel(now: Date): Promise<BreakerLevel>;
  /**
   * Whether a newcomer's card may be charged, by a status at most two seconds old. Payments in progress take no room here,
   * because they may have ended since; `admit` counts them exactly, and whoever finds no room there waits for a turn.
   */
  hasRoom(now: Date): Promise<boolean>;
  /**
   * Whether this card payment may be sent without `admit`: a place for it, or null. Up to a quarter of the limit the cached
   * status is enough, so that nobody waits for the row lock. Reads nothing.
   */
  takePlace(now: Date): CardPlace | null;
  /**
   * Whether this card payment may be sent. Call it in the transaction that has just recorded the payment: it counts what
   * others have recorded or are recording, so that no burst gets more than the limit to the provider. A browser that has
   * paid before needs no room.
   * @throws AppError `captcha_dearer` if cards became guarded since the sender was checked.
   */
  admit(transaction: Connection, now: Date, sender: CardSender): Promise<Admission>;
  /** Guards cards if a decline has left no room. Call it after each decline; never throws. */
  review(now: Date): Promise<void>;
};

type View = { readonly at: number; readonly status: Promise<Read | null>; seen: Read | null; taken: number };
type Read = BreakerStatus & { readonly guard: Guard; readonly underWay: number };

/** Watches the whole site for card testing, across processes: it stores one row and counts recorded payments. */
export function createDeclineBreaker({ database, payments: limit, log }: DeclineBreakerOptions): DeclineBreaker {
  let last: BreakerLevel = "normal";
  let cached: View | undefined;

  async function readStatus(connection: Connection, now: Date, isLocked = false): Promise<Read> {
    const guard = await readGuard(connection, isLocked);
    const windows = windowsBefore(now, guard);
    const { underWay, ...counted } = await countPayments(connection, windows);
    const counts = {
      short: { declined: counted.shortDeclined, paid: counted.shortPaid },
      long: { declined: counted.longDeclined, paid: counted.longPaid },
    };
    return { ...breakerStatus(guard, counts, { now, limit }), guard, underWay };
  }

  const isFresh = (view: View | undefined, now: Date): view is View =>
    view !== undefined && now.getTime() >= view.at && now.getTime() - view.at < CACHE_MS;

  function findStatus(now: Date): Promise<Read | null> {
    if (isFresh(cached, now)) return cached.status;
    const status = readStatus(database, now).catch((error: unknown) => {
      log.warn({ err: error }, "the breaker against card testing could not read the payments");
      return null;
    });
    const view: View = { at: now.getTime(), status, seen: null, taken: 0 };
    cached = view;
    void status.then((read) => {
      view.seen = read;
    });
    return status;
  }

  return {
    async findLevel(now) {
      const level = (await findStatus(now))?.level ?? "normal";
      if (level !== last) log.warn({ from: last, to: level }, `the breaker against card testing is now ${level}`);
      last = level;
      return level;
    },

    async hasRoom(now) {
      const seen = await findStatus(now);
      return seen === null || seen.room >= 1;
    },

    takePlace(now) {
      const view = isFresh(cached, now) ? cached : undefined;
      const seen = view?.seen ?? null;
      if (!(view && seen && seen.room - seen.underWay - view.taken > (seen.limit * 3) / 4)) return null;
      view.taken += 1;
      // A later view has counted the payment itself, so only this one changes.
      const free = () => {
        view.taken -= 1;
      };
      return { free };
    },

    async admit(transaction, now, sender) {
      // The cache is not refreshed here, because a transaction that waits for a second connection could deadlock the pool.
      if (this.takePlace(now) !== null) return { ok: true };
      const { level, guard, room, underWay } = await readStatus(transaction, now, true);
      if (level === "guarded" && sender === "unchecked") {
        cached = undefined;
        throw new AppError("captcha_dearer", { effort: captchaEfforts.guarded });
      }
      // Recorded before cards were guarded, this payment would never count. So it is recorded again.
      if (level === "guarded" && now <= guard.from!) return { ok: false, isCrowded: true, retryAfterSeconds: 5 };
      // `underWay` includes this payment.
      if (underWay <= room || sender === "known") return { ok: true };
      const isCrowded = room >= 1;
      return { ok: false, isCrowded, retryAfterSeconds: isCrowded ? 5 : CARDS_RETRY_SECONDS };
    },

    async review(now) {
      try {
        await database.transaction().execute(async (transaction) => {
          const { room, guard } = await readStatus(transaction, now, true);
          // Room below 1 admits nobody.
          if (room >= 1) return;
          const { from, until } = nextGuard(guard, now);
          await transaction.updateTable("decline_breaker").set({ guarded_from: from, guarded_until: until }).execute();
          cached = undefined;
          log.warn({ from, until }, "the breaker against card testing now guards cards");
        });
      } catch (error) {
        log.warn({ err: error }, "the breaker against card testing could not review a decline");
      }
    },
  };
}

type DeclineBreakerOptions = {
  database: Database;
  /** As `BreakerStatus.limit`. */
  payments: number;
  log: Pick<FastifyBaseLogger, "warn">;
};

export const declined = sql<boolean>`((state = 'failed' and provider_status is distinct from ${NOT_CHARGED})
  or (state = 'cancelled' and authentication in ('N', 'R')))`;
export const isPaidAttempt = sql<boolean>`state in (${sql.join(paidStates)})`;

/**
 * Counts cards only, because only cards are tested and guarded. A payment that never reached the bank is neither a
 * decline nor a success, or an outage of the provider would look like an attack. A bank's refusal in 3-D Secure is a
 * decline.
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
           count(*) filter (where sent_at > ${short} and ${isPaidAttempt}) as "shortPaid",
           count(*) filter (where ${declined}) as "longDeclined",
           count(*) filter (where ${isPaidAttempt}) as "longPaid",
           count(*) filter (where state in ('created', 'submitting')) as "underWay"
      from payment_attempts
     where provider = 'payway' and sent_at > ${long}`.execute(connection);
  return rows[0]!;
}
