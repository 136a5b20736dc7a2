import type { Connection } from "#shared/database/connect.ts";
import type { LastStatement } from "#shared/database/transact.ts";
import type { Attempt } from "./attempts.ts";
import type { Payment } from "./checkout/contract.ts";
import type { Refund } from "./refunds/refund-store.ts";

/** One side of a ledger transaction, in cents: debits positive, credits negative. */
export type Posting = { readonly account: string; readonly cents: number };

/** `state` where what was bought tells more than the money does. */
export type PaidWords = Pick<Payment, "message"> & Partial<Pick<Payment, "state" | "reference" | "receiptUrl">>;

export type Paid = { readonly now: Date; readonly isRefused: boolean };

/**
 * What happens when a payment for this kind of thing ends. The first four run in the settling
 * transaction and only read and write rows and jobs.
 */
export type Subject = {
  /** The credits of what was bought; with the provider's debit they sum to zero. */
  listCredits(transaction: Connection, attempt: Attempt): Promise<readonly Posting[]>;
  /**
   * Runs last in the transaction, so that a receipt counter is locked as shortly as can be; what it returns goes with the
   * commit. Where that statement raises `REFUSED`, all is undone and done again with `isRefused`.
   */
  onPaid(transaction: Connection, attempt: Attempt, how: Paid): Promise<LastStatement | undefined>;
  onFailed(transaction: Connection, attempt: Attempt, now: Date): Promise<void>;
  /** Money went back, all of it or part; the attempt and the refund as they now stand. Runs last, like `onPaid`. */
  onRefunded(transaction: Connection, attempt: Attempt, refund: Refund, now: Date): Promise<void>;
  /** What its payer may know of a payment that was made, beyond that. */
  describePaid(attempt: Attempt): Promise<PaidWords>;
  /** The payer's address, by which declines are counted; undefined where none is known. */
  findEmail(attempt: Attempt): Promise<string | undefined>;
  /** The account that it belongs to; null for a guest's. */
  findUserId(attempt: Attempt): Promise<number | null>;
  /** Something that a person must look at; said once for each attempt and reason. */
  onTrouble(connection: Connection, attempt: Attempt, reason: string): Promise<void>;
  onRefundTrouble(connection: Connection, refund: Refund, reason: string): Promise<void>;
};
