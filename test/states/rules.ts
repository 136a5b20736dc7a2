import { maySendAgain } from "#payments/attempts.ts";
import { decideAuthentication } from "#payments/authenticate.ts";
import { decide, nextLateLook, nextLook, nextStep, stateAfter } from "#payments/decide.ts";
import { compareBooks } from "#payments/reconciliation/compare.ts";
import { planReview } from "#payments/refunds/refund-plan.ts";
import {
  isPostponedTooLong,
  judgeWish,
  nextRefundLook,
  nextRefundStep,
  nextTry,
  paidStateAfter,
  refundStateAfter,
  roomOf,
  shareOut,
  stateAfterDispute,
  takenOver,
} from "#payments/refunds/refund-rules.ts";
import { refundEventOf } from "#payments/refunds/refund-states.ts";
import { INSTRUMENT_LIFE_MS, isLate, lastWord, mayTryAgain } from "#payments/send.ts";
import { eventOf, isOpen, isPaid } from "#payments/states.ts";

/**
 * What decides in production, and the guarantees of the tables that it stands on. A twin is the same with one of them
 * broken: then the invariants must see it.
 */
export const productionRules = {
  compareBooks,
  decide,
  decideAuthentication,
  eventOf,
  isLate,
  isOpen,
  isPaid,
  isPostponedTooLong,
  judgeWish,
  lastWord,
  maySendAgain,
  mayTryAgain,
  nextLateLook,
  nextLook,
  nextRefundLook,
  nextRefundStep,
  nextStep,
  nextTry,
  paidStateAfter,
  planReview,
  refundEventOf,
  refundStateAfter,
  roomOf,
  shareOut,
  stateAfter,
  stateAfterDispute,
  takenOver,
  instrumentLifeMs: INSTRUMENT_LIFE_MS,
  /** Unique client key and unique card token. */
  hasUniqueKeys: true,
  /** A row moves only from the state and version that the mover read. */
  hasCompareAndSet: true,
  /** The trigger that keeps the sum of refunds below the charge. */
  hasRoomTrigger: true,
  /** A refund that is sent again carries the key of its first sending. */
  keepsRefundKey: true,
};

export type Rules = typeof productionRules;

/** As the settings of a live site: one provider's search may be late, and a lost charge is looked for a day. */
export const settings = { tries: 2, leaseMs: 100_000, unavailableMaximumCents: 20_000 };

export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;
