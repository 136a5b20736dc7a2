import { randomUUID } from "node:crypto";
import pg from "pg";
import type { Connection, Database } from "#shared/database/connect.ts";
import { together, transact } from "#shared/database/transact.ts";
import { type Attempt, findAttempt, moveAttempt } from "./attempts.ts";
import { stateAfter } from "./decide.ts";
import type { ChargeOutcome } from "./provider.ts";
import type { Actor } from "./states.ts";
import type { Posting, Subject } from "./subject.ts";

/** The SQLSTATE that a subject's last statement raises if what was paid for is no longer available. */
const REFUSED = "AL002";

/**
 * Settles an attempt by its outcome in one transaction: the move, its event, the ledger and what the subject adds.
 * Settles once: a later caller gets the state that the first one wrote. A process that lost its database connection,
 * and so its attempt, can still settle it by the provider's answer.
 */
export async function settle(
  { database, subject }: { database: Database; subject: Subject },
  attempt: Attempt,
  outcome: ChargeOutcome,
  { actor, now }: { actor: Actor; now: Date },
): Promise<Attempt> {
  const to = stateAfter(attempt.state, outcome);
  if (to === undefined) return attempt;
  const write = (isRefused: boolean) =>
    transact(database, async (transaction) => {
      const isPayment = to === "succeeded" || to === "succeeded_late";
      const [row, credits] = await together(
        moveAttempt(transaction, attempt, to, { actor, now, outcome }),
        isPayment ? subject.listCredits(transaction, attempt) : [],
      );
      if (row === null) return { result: null };
      if (to === "failed") await subject.onFailed(transaction, row, now);
      if (!isPayment) return { result: row };
      const debit = { account: `receivable:${row.provider}`, cents: row.amount_cents };
      const [last] = await together(
        subject.onPaid(transaction, row, { now, isRefused }),
        postToLedger(transaction, { attemptId: row.id }, [debit, ...credits], now),
      );
      return { result: row, last };
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
export async function postToLedger(
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
