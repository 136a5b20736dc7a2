import { dayInSydney } from "#shared/sydney.ts";
import { type Attempt, moveAttempt } from "./attempts.ts";
import type { PaymentsContext } from "./context.ts";
import { decide, nextLateLook, nextLook, nextStep } from "./decide.ts";
import { review } from "./refunds/review.ts";
import { sendAgain } from "./send.ts";
import { settle } from "./settle.ts";
import { isOpen, isPaid } from "./states.ts";

/** How many attempts one tick takes, so that a backlog never starves the next tick. */
const BATCH = 50;

/**
 * Asks the provider about every attempt whose time has come and takes what it answers onto the books; the only thing
 * that ends an unknown attempt. What is settled is asked about once for each hint that something changed, such as a
 * webhook. Any number of processes may run it: each takes rows that no other holds, by moving their next look.
 */
export async function reconcile(context: PaymentsContext, now: Date): Promise<void> {
  const due = await takeDue(context, now);
  await Promise.all(
    due.map((attempt) =>
      resolve(context, attempt, now).catch((error: unknown) =>
        context.log.warn(
          { err: error, attempt: attempt.id },
          "the provider's books could not be read; asked again later",
        ),
      ),
    ),
  );
}

async function takeDue({ database, settings }: PaymentsContext, now: Date): Promise<Attempt[]> {
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
        .set({ next_check_at: nextLook(attempt, now, settings.giveUpMs), checks: attempt.checks + 1 })
        .where("id", "=", attempt.id)
        .execute();
    }
    return due;
  });
}

async function resolve(context: PaymentsContext, attempt: Attempt, now: Date): Promise<void> {
  if (isPaid(attempt.state)) await lookAtPaid(context, attempt, now);
  else if (attempt.state !== "created" && attempt.state !== "requires_action") await lookFor(context, attempt, now);
  if (!isOpen(attempt.state) && attempt.state !== "not_found") await endLook(context, attempt, now);
}

/** Brings a settled payment up to what the provider says now. */
async function lookAtPaid(context: PaymentsContext, attempt: Attempt, now: Date): Promise<void> {
  const transactions = await context.providers[attempt.provider].findPayment({
    transactionId: attempt.provider_transaction_id!,
    day: dayInSydney(attempt.created_at),
  });
  if (transactions === null) await report(context, attempt, "the provider does not hold this charge any more");
  else await review(context, attempt, transactions, now);
}

/** A look on request is over, unless another one was asked for meanwhile. */
async function endLook({ database, settings }: PaymentsContext, attempt: Attempt, now: Date): Promise<void> {
  await database
    .updateTable("payment_attempts")
    .set({ next_check_at: null })
    .where("id", "=", attempt.id)
    .where("next_check_at", "=", nextLook(attempt, now, settings.giveUpMs))
    .execute();
}

async function lookFor(context: PaymentsContext, attempt: Attempt, now: Date): Promise<void> {
  const { giveUpMs } = context.settings;
  const found = await context.providers[attempt.provider].findByOrderReference(attempt.order_reference);
  const { outcome, troubles } = decide(attempt, found);
  for (const trouble of troubles) await report(context, attempt, trouble);
  if (outcome !== null) {
    const settled = await settle(context, attempt, outcome, { actor: "reconciler", now });
    if (settled.state === "succeeded_late")
      await report(context, settled, "a charge was found after it had been given up");
    return;
  }
  const step = nextStep(attempt, found, { now, giveUpMs });
  const again = step.maySendAgain ? await sendAgain(context, attempt, now) : null;
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
    // Another look has sent it again meanwhile.
    if (sends !== attempt.sends) return;
    const moved = await moveAttempt(transaction, attempt, "not_found", { actor: "reconciler", now });
    if (moved === null) return;
    await transaction
      .updateTable("payment_attempts")
      .set({ next_check_at: nextLateLook(attempt.sent_at, now) })
      .where("id", "=", attempt.id)
      .execute();
    await subject.onFailed(transaction, moved, now);
    await subject.onTrouble(transaction, moved, "no trace of this payment was found at the provider");
  });
}

async function report({ database, subject, log }: PaymentsContext, attempt: Attempt, reason: string) {
  log.error({ attempt: attempt.id, reason }, "a payment needs a look");
  await subject.onTrouble(database, attempt, reason);
}
