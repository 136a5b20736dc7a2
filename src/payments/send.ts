import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "#shared/database/connect.ts";
import { dayInSydney } from "#shared/sydney.ts";
import type { Attempt } from "./attempts.ts";
import type { PaymentsContext } from "./context.ts";
import type { CrashPoint } from "./crash-points.ts";
import type { Outcome } from "./provider.ts";
import { customerOfDay } from "./reference.ts";

/** A card token lives ten minutes from its making, before the attempt was recorded; after that nothing may be sent again. */
export const INSTRUMENT_LIFE_MS = 10 * 60_000;

/**
 * Asks the provider to charge, once; a lost answer is asked for once more with the same key and token (REL-1). What a
 * second sending is refused for says nothing of the first, so a lost answer stays lost unless the second is definite.
 */
export async function sendCharge(
  context: PaymentsContext,
  attempt: Attempt,
  { crash }: { crash: (point: CrashPoint) => void },
): Promise<Outcome> {
  const outcome = await sendUpToTwice(context, attempt, { crash });
  await context.circuits.note(attempt.provider, outcome);
  return outcome;
}

async function sendUpToTwice(
  context: PaymentsContext,
  attempt: Attempt,
  { crash }: { crash: (point: CrashPoint) => void },
): Promise<Outcome> {
  const answer = isLate(attempt, context.now()) ? notSentInTime : callProvider(context, attempt);
  crash("sending");
  const first = await answer;
  if (!mayTryAgain(first) || attempt.sends >= context.settings.tries) return first;
  await sleep(retryDelayMs(first));
  if (!(await countSend(context.database, attempt, context.now()))) return first;
  return lastWord(first, await callProvider(context, attempt));
}

/**
 * Whether an attempt may have been taken over before it was sent, by a process that takes this one for dead: its second
 * sending is at least five seconds away. Then it is sent only as a second sending would be, which looks at the books first.
 */
export function isLate({ sent_at }: Pick<Attempt, "sent_at">, now: Date): boolean {
  return now.getTime() - sent_at.getTime() > SEND_WITHIN_MS;
}

const SEND_WITHIN_MS = 1000;

const notSentInTime: Outcome = { kind: "unknown", reason: "not sent in time", mayResend: true };

/** What two sendings of one charge came to: a refusal of the second says nothing of a first whose answer was lost. */
export function lastWord(first: Outcome, second: Outcome): Outcome {
  return first.kind === "unknown" && second.kind === "not_charged"
    ? { kind: "unknown", reason: second.reason, mayResend: false }
    : second;
}

/** Sends once more for the reconciler, where the books show nothing and the token still lives. */
export async function sendAgain(context: PaymentsContext, attempt: Attempt, at: Date): Promise<Outcome | null> {
  if (attempt.sends >= context.settings.tries) return null;
  const leaseUntil = new Date(at.getTime() + context.settings.giveUpMs);
  if (!(await countSend(context.database, attempt, at, leaseUntil))) return null;
  const outcome = await callProvider(context, attempt);
  await context.circuits.note(attempt.provider, outcome);
  return outcome;
}

function callProvider({ providers, circuits }: PaymentsContext, attempt: Attempt): Promise<Outcome> {
  const outcome = providers[attempt.provider].charge({
    instrument: attempt.instrument!,
    amountCents: attempt.amount_cents,
    currency: attempt.currency,
    orderReference: attempt.order_reference,
    idempotencyKey: attempt.idempotency_key,
    // The same for every sending of one attempt, or its key would come with another body.
    customerReference: customerOfDay(dayInSydney(attempt.created_at)),
    customerAddress: attempt.customer_address,
    isAuthenticated: attempt.authentication !== null,
  });
  void circuits.watch(attempt.provider, outcome);
  return outcome;
}

/** Whether a charge may be sent once more at once, with the same key and token. */
export function mayTryAgain(outcome: Outcome): boolean {
  return (outcome.kind === "unknown" && outcome.mayResend) || (outcome.kind === "not_charged" && outcome.mayRetry);
}

function retryDelayMs(outcome: Outcome): number {
  return outcome.kind === "unknown" || outcome.kind === "not_charged" ? (outcome.retryAfterMs ?? 500) : 0;
}

/**
 * Notes one more sending before it happens; false when another process was quicker, has taken the attempt over or settled
 * it, or when the token is too old. Until `leaseUntil` the attempt is not given up.
 */
async function countSend(database: Database, attempt: Attempt, at: Date, leaseUntil?: Date): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable("payment_attempts")
    .set({ sends: attempt.sends + 1, ...(leaseUntil === undefined ? {} : { lease_until: leaseUntil }) })
    .where("id", "=", attempt.id)
    .where("sends", "=", attempt.sends)
    .where("state", "=", attempt.state)
    .where("instrument", "is not", null)
    .where("created_at", ">", new Date(at.getTime() - INSTRUMENT_LIFE_MS))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
