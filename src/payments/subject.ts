import type { Connection } from "#shared/database/connect.ts";
import type { LastStatement } from "#shared/database/transact.ts";
import type { Attempt } from "./attempts.ts";
import type { Payment } from "./checkout/contract.ts";
import type { Refund } from "./refunds/refund-store.ts";

/** One side of a ledger transaction, in cents: debits positive, credits negative. */
export type Posting = { readonly account: string; readonly cents: number };

/** `state` overrides the payment's own, if the purchase knows better. */
export type PaidWords = Pick<Payment, "message"> & Partial<Pick<Payment, "state" | "reference" | "receiptUrl">>;

export type PaidResult = { readonly now: Date; readonly isRefused: boolean };

/** What a feature does when its payments end. The first four run in the settling transaction: rows and jobs only. */
export type Subject = {
  /** The ledger credits of the purchase; with the provider's debit they sum to zero. */
  listCredits(transaction: Connection, attempt: Attempt): Promise<readonly Posting[]>;
  /**
   * Runs last in the transaction, to lock a receipt counter as briefly as possible; the returned statement is sent with
   * the commit. If it raises `REFUSED`, the transaction is rolled back and repeated with `isRefused`.
   */
  onPaid(transaction: Connection, attempt: Attempt, how: PaidResult): Promise<LastStatement | undefined>;
  onFailed(transaction: Connection, attempt: Attempt, now: Date): Promise<void>;
  /** After a full or partial refund, with the updated attempt and refund. Runs last, like `onPaid`. */
  onRefunded(transaction: Connection, attempt: Attempt, refund: Refund, now: Date): Promise<void>;
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
