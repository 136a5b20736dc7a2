import { randomUUID } from "node:crypto";
import pg from "pg";
import type { Connection, Database } from "#shared/database/connect.ts";
import { type LastStatement, transact } from "#shared/database/transact.ts";
import { type Attempt, findAttempt, moveAttempt } from "./attempts.ts";
import type { Payment } from "./checkout/contract.ts";
import { stateAfter } from "./decide.ts";
import type { Outcome } from "./provider.ts";
import type { Refund } from "./refunds/refunds.ts";
import type { Actor } from "./states.ts";

/** One side of a ledger transaction, in cents: debits positive, credits negative. */
export type Posting = { readonly account: string; readonly cents: number };

/** `state` where what was bought tells more than the money does. */
export type PaidWords = Pick<Payment, "message"> & Partial<Pick<Payment, "state" | "reference" | "receiptUrl">>;

export type Paid = { readonly now: Date; readonly isRefused: boolean };

/** The SQLSTATE by which a subject's last statement says that what was paid for cannot be had. */
const REFUSED = "AL002";

/**
 * What the house does when a payment for this kind of thing ends. The first four run in the settling
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

/**
 * Takes an outcome onto the books in one transaction: the move, its event, the ledger and what the subject adds.
 * Settles once: whoever comes second is told the state that the first wrote. A process whose attempt was taken over, because
 * it had lost its connection to the database, still says what the provider answered.
 */
export async function settle(
  { database, subject }: { database: Database; subject: Subject },
  attempt: Attempt,
  outcome: Outcome,
  { actor, now }: { actor: Actor; now: Date },
): Promise<Attempt> {
  const to = stateAfter(attempt.state, outcome);
  if (to === undefined) return attempt;
  const write = (isRefused: boolean) =>
    transact(database, async (transaction) => {
      const row = await moveAttempt(transaction, attempt, to, { actor, now, outcome });
      if (row === null) return { result: null };
      if (to === "failed") await subject.onFailed(transaction, row, now);
      if (to !== "succeeded" && to !== "succeeded_late") return { result: row };
      const credits = await subject.listCredits(transaction, row);
      const debit = { account: `receivable:${row.provider}`, cents: row.amount_cents };
      await post(transaction, { attemptId: row.id }, [debit, ...credits], now);
      return { result: row, last: await subject.onPaid(transaction, row, { now, isRefused }) };
    });
  const moved = await write(false).catch((error: unknown) => {
    if (error instanceof pg.DatabaseError && error.code === REFUSED) return write(true);
    throw error;
  });
  if (moved !== null) return moved;
  const current = (await findAttempt(database, attempt.id))!;
  const isTakenOver = attempt.state === "submitting" && current.state === "unknown";
  return isTakenOver ? settle({ database, subject }, current, outcome, { actor, now }) : current;
}

/** Writes one balanced ledger transaction; the database refuses one that does not sum to zero. */
export async function post(
  transaction: Connection,
  { attemptId, refundId = null }: { attemptId: string; refundId?: string | null },
  postings: readonly Posting[],
  now: Date,
) {
  const transactionId = randomUUID();
  await transaction
    .insertInto("ledger_entries")
    .values(
      postings
        .filter(({ cents }) => cents !== 0)
        .map(({ account, cents }) => ({
          transaction_id: transactionId,
          attempt_id: attemptId,
          refund_id: refundId,
          account,
          amount_cents: cents,
          at: now,
        })),
    )
    .execute();
}
