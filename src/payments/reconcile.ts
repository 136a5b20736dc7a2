import { dayInSydney } from "#shared/language.ts";
import { type Attempt, moveAttempt } from "./attempts.ts";
import type { PaymentsContext } from "./context.ts";
import { decide, nextCheck, nextLateCheck, nextStep } from "./decide.ts";
import { review } from "./refunds/review.ts";
import { resendCharge } from "./send.ts";
import { settle } from "./settle.ts";
import { isOpen, isPaid } from "./states.ts";

/** The most attempts per tick, so that a backlog never delays the next tick. */
const BATCH = 50;

/**
 * Asks the provider about all attempts that are due and settles them by its answers; nothing else settles an unknown
 * attempt. A settled attempt is checked once for each hint of a change, such as a webhook. Several processes may run
 * this at the same time: each takes rows that no other holds, and postpones their next check.
 */
export async function reconcile(context: PaymentsContext, now: Date): Promise<void> {
  const due = await claimDue(context, now);
  await Promise.all(
    due.map((attempt) =>
      resolve(context, attempt, now).catch((error: unknown) =>
        context.log.warn(
          { err: error, attempt: attempt.id },
          "could not read the provider's books; will try again later",
        ),
      ),
    ),
  );
}

async function claimDue({ database, settings }: PaymentsContext, now: Date): Promise<Attempt[]> {
  return database.transaction().execute(async (transaction) => {
    const due = await transaction
      .selectFrom("payment_attempts")
      .selectAll()
      .where("next_check_at", "<=", now)
      .orderBy("next_check_at")
      .limit(BATCH)
      .forUpdate()
      .skipLocked()
      .execute();
    for (const attempt of due) {
      await transaction
        .updateTable("payment_attempts")
        .set({ next_check_at: nextCheck(attempt, now, settings.giveUpMs), checks: attempt.checks + 1 })
        .where("id", "=", attempt.id)
        .execute();
    }
    return due;
  });
}

async function resolve(context: PaymentsContext, attempt: Attempt, now: Date): Promise<void> {
  if (isPaid(attempt.state)) await checkPaidAttempt(context, attempt, now);
  else if (attempt.state !== "created" && attempt.state !== "requires_action")
    await checkOpenAttempt(context, attempt, now);
  if (!isOpen(attempt.state) && attempt.state !== "not_found") await stopChecks(context, attempt, now);
}

/** Updates a settled payment by the provider's books. */
async function checkPaidAttempt(context: PaymentsContext, attempt: Attempt, now: Date): Promise<void> {
  const transactions = await context.providers[attempt.provider].findPayment({
    transactionId: attempt.provider_transaction_id!,
    day: dayInSydney(attempt.created_at),
  });
  if (transactions === null) await report(context, attempt, "the provider no longer has this charge");
  else await review(context, attempt, transactions, now);
}

/** Ends a check on request, unless another one was requested since. */
async function stopChecks({ database, settings }: PaymentsContext, attempt: Attempt, now: Date): Promise<void> {
  await database
    .updateTable("payment_attempts")
    .set({ next_check_at: null })
    .where("id", "=", attempt.id)
    .where("next_check_at", "=", nextCheck(attempt, now, settings.giveUpMs))
    .execute();
}

async function checkOpenAttempt(context: PaymentsContext, attempt: Attempt, now: Date): Promise<void> {
  const { giveUpMs } = context.settings;
  const found = await context.providers[attempt.provider].findByOrderReference(attempt.order_reference);
  const { outcome, alerts } = decide(attempt, found);
  for (const alert of alerts) await report(context, attempt, alert);
  if (outcome !== null) {
    const settled = await settle(context, attempt, outcome, { actor: "reconciler", now });
    if (settled.state === "succeeded_late")
      await report(context, settled, "a charge was found after it had been given up");
    return;
  }
  const step = nextStep(attempt, found, { now, giveUpMs });
  const again = step.maySendAgain ? await resendCharge(context, attempt, now) : null;
  if (again !== null) await settle(context, attempt, again, { actor: "reconciler", now: context.now() });
  else if (step.isGivenUp) await giveUp(context, attempt, now);
}

async function giveUp({ database, subject }: PaymentsContext, attempt: Attempt, now: Date) {
  await database.transaction().execute(async (transaction) => {
    const { sends } = await transaction
      .selectFrom("payment_attempts")
      .select("sends")
      .where("id", "=", attempt.id)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow();
    // Another check has resent it in the meantime.
    if (sends !== attempt.sends) return;
    const moved = await moveAttempt(transaction, attempt, "not_found", { actor: "reconciler", now });
    if (moved === null) return;
    await transaction
      .updateTable("payment_attempts")
      .set({ next_check_at: nextLateCheck(attempt.sent_at, now) })
      .where("id", "=", attempt.id)
      .execute();
    await subject.onFailed(transaction, moved);
    await subject.onAlert(transaction, moved, "no trace of this payment was found at the provider");
  });
}

async function report({ database, subject, log }: PaymentsContext, attempt: Attempt, reason: string) {
  log.error({ attempt: attempt.id, reason }, "a payment needs checking");
  await subject.onAlert(database, attempt, reason);
}
