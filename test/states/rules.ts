import { maySendAgain } from "#payments/attempts.ts";
import { decideAuthentication } from "#payments/authenticate.ts";
import { decide, nextCheck, nextLateCheck, nextStep, stateAfter } from "#payments/decide.ts";
import { compareWithProvider } from "#payments/reconciliation/compare.ts";
import { planReview } from "#payments/refunds/refund-plan.ts";
import {
  isPostponedTooLong,
  judgeRefund,
  nextRefundCheck,
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
import { combineOutcomes, INSTRUMENT_LIFE_MS, isLate, mayTryAgain } from "#payments/send.ts";
import { eventOf, isOpen, isPaid } from "#payments/states.ts";

/**
 * The production rules, and the guarantees of the tables they rely on. A negative control breaks one of them, which the
 * invariants must notice.
 */
export const productionRules = {
  compareBooks: compareWithProvider,
  decide,
  decideAuthentication,
  eventOf,
  isLate,
  isOpen,
  isPaid,
  isPostponedTooLong,
  judgeRefund,
  combineOutcomes,
  maySendAgain,
  mayTryAgain,
  nextLateCheck,
  nextCheck,
  nextRefundCheck,
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
  /** A row changes only from the state and version that was read. */
  hasCompareAndSet: true,
  /** The trigger that limits refunds to the charge. */
  hasRoomTrigger: true,
  /** A resent refund has the same key. */
  keepsRefundKey: true,
};

export type Rules = typeof productionRules;

/** Like a live site's settings: one provider's search may be late, and a lost charge is looked up for a day. */
export const settings = { tries: 2, leaseMs: 100_000, unavailableMaximumCents: 20_000 };

export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;
