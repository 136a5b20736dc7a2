import type { Connection } from "#shared/database/connect.ts";
import type { Attempt } from "./attempts.ts";
import type { Payment } from "./checkout/contract.ts";
import type { Refund } from "./refunds/refund-store.ts";

/** One side of a ledger transaction, in cents: debits positive, credits negative. */
export type Posting = { readonly account: string; readonly cents: number };

/** `state` overrides the payment's own, if the purchase knows better. */
export type PaidWords = Pick<Payment, "message"> & Partial<Pick<Payment, "state" | "reference" | "receiptUrl">>;

export type Settling = {
  readonly now: Date;
  /** The argument of `settle_payment`. */
  readonly move: string;
};

/** A part of what was paid for that can be cancelled by itself, such as a ticket. */
export type PaidPart = {
  readonly id: string;
  readonly title: string;
  /** Who it is for. */
  readonly detail: string;
  readonly cents: number;
};

type CancelledParts = { readonly ids: readonly string[]; readonly refundId: string; readonly now: Date };

/** What a feature does when its payments end. */
export type Subject = {
  /**
   * The one statement that settles a paid attempt: the move, the ledger, the jobs, and last what others wait for, such as
   * a receipt's number. Null if someone else moved the attempt first; nothing is written then.
   * @throws DatabaseError `raised.notSettled`, with nothing written, if what was paid for is no longer available.
   */
  settle(connection: Connection, attempt: Attempt, settling: Settling): Promise<Attempt | null>;
  /** Settles it after all, and gives the money back if what was paid for is still not available. */
  settleRefused(transaction: Connection, attempt: Attempt, settling: Settling): Promise<Attempt | null>;
  /** In the transaction that moves it. */
  onFailed(transaction: Connection, attempt: Attempt): Promise<void>;
  /** After a full or partial refund, with the updated attempt and refund. Runs last. */
  onRefunded(transaction: Connection, attempt: Attempt, refund: Refund, now: Date): Promise<void>;
  /** The parts that staff can cancel with a refund, if there are any. */
  listParts?(connection: Connection, attempt: Attempt): Promise<readonly PaidPart[]>;
  /**
   * Cancels parts, in the transaction that requests the refund which pays for them; the payment is locked. False, and
   * nothing is done, if one of them is no longer there.
   */
  cancelParts?(transaction: Connection, attempt: Attempt, cancelled: CancelledParts): Promise<boolean>;
  /** What the payer is shown about a paid payment. */
  describePaid(attempt: Attempt): Promise<PaidWords>;
  /** The payer's email, for counting declines; undefined if unknown. */
  findEmail(attempt: Attempt): Promise<string | undefined>;
  /** The payer's account; null for a guest. */
  findUserId(attempt: Attempt): Promise<number | null>;
  /** Alerts staff to check the payment, once for each attempt and reason. */
  onAlert(connection: Connection, attempt: Attempt, reason: string): Promise<void>;
  onRefundAlert(connection: Connection, refund: Refund, reason: string): Promise<void>;
};
