import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Connection, Database } from "#shared/database/connect.ts";
import { isRaised, raised } from "#shared/database/raised.ts";
import { transact } from "#shared/database/transact.ts";
import { type Attempt, attemptRow, describeMove, findAttempt, moveAttempt } from "./attempts.ts";
import { stateAfter } from "./decide.ts";
import type { ChargeOutcome } from "./provider.ts";
import type { PaymentActor } from "./states.ts";
import type { Posting, Settling, Subject } from "./subject.ts";

/**
 * Settles an attempt by its outcome in one transaction: the move, its event, the ledger and what the subject adds.
 * Settles once: a later caller gets the state that the first one wrote. A process that lost its database connection,
 * and so its attempt, can still settle it by the provider's answer.
 */
export async function settle(
  { database, subject }: { database: Database; subject: Subject },
  attempt: Attempt,
  outcome: ChargeOutcome,
  { actor, now }: { actor: PaymentActor; now: Date },
): Promise<Attempt> {
  const to = stateAfter(attempt.state, outcome);
  if (to === undefined) return attempt;
  const isPayment = to === "succeeded" || to === "succeeded_late";
  const moved = isPayment
    ? await settlePaid({ database, subject }, attempt, {
        now,
        move: describeMove(attempt, to, { actor, now, outcome }),
      })
    : await transact(database, async (transaction) => {
        const row = await moveAttempt(transaction, attempt, to, { actor, now, outcome });
        if (row !== null && to === "failed") await subject.onFailed(transaction, row);
        return { result: row };
      });
  if (moved !== null) return moved;
  const current = (await findAttempt(database, attempt.id))!;
  const isTakenOver = attempt.state === "submitting" && current.state === "unknown";
  return isTakenOver ? settle({ database, subject }, current, outcome, { actor, now }) : current;
}

async function settlePaid(
  { database, subject }: { database: Database; subject: Subject },
  attempt: Attempt,
  settling: Settling,
): Promise<Attempt | null> {
  try {
    return await subject.settle(database, attempt, settling);
  } catch (error) {
    if (!isRaised(error, raised.notSettled)) throw error;
    return transact(database, async (transaction) => ({
      result: await subject.settleRefused(transaction, attempt, settling),
    }));
  }
}

/** Settles a paid attempt and posts it against the credits, and nothing else. Null if someone else moved it first. */
export async function settlePayment(
  connection: Connection,
  { move }: Settling,
  credits: readonly Posting[],
): Promise<Attempt | null> {
  const settling = sql<Attempt>`select ${attemptRow} from settle_payment(${move}, ${JSON.stringify(credits)})`;
  return (await settling.execute(connection)).rows[0] ?? null;
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
