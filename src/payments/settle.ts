import { randomUUID } from "node:crypto";
import pg from "pg";
import type { Connection, Database } from "#shared/database/connect.ts";
import { transact } from "#shared/database/transact.ts";
import { type Attempt, findAttempt, moveAttempt } from "./attempts.ts";
import { stateAfter } from "./decide.ts";
import type { Outcome } from "./provider.ts";
import type { Actor } from "./states.ts";
import type { Posting, Subject } from "./subject.ts";

/** The SQLSTATE by which a subject's last statement says that what was paid for cannot be had. */
const REFUSED = "AL002";

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
