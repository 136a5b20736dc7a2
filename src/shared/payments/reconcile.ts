import { type Attempt, moveAttempt } from "./attempts.ts";
import type { PaymentsContext } from "./payments.ts";
import type { Charged, Found, Outcome } from "./provider.ts";
import { sendAgain } from "./send.ts";
import { settle } from "./settle.ts";

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** How long after each look the next one comes; hourly from then on. */
const delays = [5 * second, 15 * second, minute, 5 * minute, 15 * minute, hour];
/** An attempt that was never found is still looked for once a day, for this long: banks post late. */
const LATE_DAYS = 7;
/** How many attempts one tick takes, so that a backlog never starves the next tick. */
const BATCH = 50;

/**
 * Asks the provider about every attempt whose time has come and settles what it answers; the only thing that ends an
 * unknown attempt. Any number of processes may run it: each takes rows that no other holds, by moving their next look.
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

/** When to look again, never past the moment at which a search without a hit ends the attempt. */
export function nextLook(
  attempt: Pick<Attempt, "state" | "checks" | "sent_at">,
  now: Date,
  giveUpMs: number,
): Date | null {
  if (attempt.state === "not_found") {
    const isOver = now.getTime() - attempt.sent_at.getTime() > LATE_DAYS * day;
    return isOver ? null : new Date(now.getTime() + day);
  }
  // A look that a killed process did not finish costs no more patience than giving up takes.
  const delay = Math.min(delays[attempt.checks] ?? hour, giveUpMs);
  const untilGiveUp = attempt.sent_at.getTime() + giveUpMs - now.getTime();
  return new Date(now.getTime() + (untilGiveUp > 0 ? Math.min(delay, untilGiveUp + second) : delay));
}

async function resolve(context: PaymentsContext, attempt: Attempt, now: Date): Promise<void> {
  const found = await context.provider.findByOrderReference(attempt.order_reference);
  const outcome = await decide(context, attempt, found);
  if (outcome !== null) {
    const settled = await settle(context, attempt, outcome, { actor: "reconciler", now });
    if (settled.state === "succeeded_late")
      await report(context, settled, "a charge was found after it had been given up");
    return;
  }
  if (attempt.state !== "unknown") return;
  const again = found.outcomes.length === 0 && attempt.checks > 0 ? await sendAgain(context, attempt, now) : null;
  if (again !== null) {
    await settle(context, attempt, again, { actor: "reconciler", now: context.now() });
    return;
  }
  const patienceMs = found.isAuthoritative ? context.settings.giveUpMs : Math.max(context.settings.giveUpMs, day);
  if (found.outcomes.length === 0 && now.getTime() - attempt.sent_at.getTime() >= patienceMs) {
    await giveUp(context, attempt, now);
  }
}

/** The outcome that the books prove, or null when they prove none. Anything that does not fit is for a person to see. */
async function decide(context: PaymentsContext, attempt: Attempt, { outcomes }: Found): Promise<Outcome | null> {
  const charges = outcomes.filter((outcome): outcome is Charged => outcome.kind === "succeeded");
  const fitting = charges.filter(
    (charge) => charge.amountCents === attempt.amount_cents && charge.currency === attempt.currency,
  );
  if (charges.length > fitting.length) await report(context, attempt, "the provider holds a charge of another amount");
  if (fitting.length > 1) await report(context, attempt, "the provider holds more than one charge for this payment");
  return (
    fitting[0] ??
    (charges.length > 0
      ? null
      : (outcomes.find(({ kind }) => kind === "processing") ??
        outcomes.find(({ kind }) => kind === "declined") ??
        null))
  );
}

async function giveUp({ database, subject }: PaymentsContext, attempt: Attempt, now: Date) {
  await database.transaction().execute(async (transaction) => {
    const moved = await moveAttempt(transaction, attempt, "not_found", { actor: "reconciler", now });
    if (moved === null) return;
    await transaction
      .updateTable("payment_attempts")
      .set({ next_check_at: new Date(now.getTime() + day) })
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
