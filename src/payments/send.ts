import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "#shared/database/connect.ts";
import { dayInSydney } from "#shared/language.ts";
import type { Attempt } from "./attempts.ts";
import type { PaymentsContext } from "./context.ts";
import type { CrashPoint } from "./crash-points.ts";
import type { ChargeOutcome } from "./provider.ts";
import { customerOfDay } from "./reference.ts";

/** A card token expires ten minutes after it was made, which was before the attempt was recorded. */
export const INSTRUMENT_LIFE_MS = 10 * 60_000;

/**
 * Asks the provider to charge, once; if the answer is lost, resends once with the same key and token (REL-1). A refused
 * resend says nothing about the first send, so a lost answer stays lost unless the second is definite.
 */
export async function sendCharge(
  context: PaymentsContext,
  attempt: Attempt,
  { crash }: { crash: (point: CrashPoint) => void },
): Promise<ChargeOutcome> {
  const outcome = await sendUpToTwice(context, attempt, { crash });
  await context.circuits.note(attempt.provider, outcome);
  return outcome;
}

async function sendUpToTwice(
  context: PaymentsContext,
  attempt: Attempt,
  { crash }: { crash: (point: CrashPoint) => void },
): Promise<ChargeOutcome> {
  const answer = isLate(attempt, context.now()) ? notSentInTime : callProvider(context, attempt);
  crash("sending");
  const first = await answer;
  if (!mayTryAgain(first) || attempt.sends >= context.settings.tries) return first;
  await sleep(retryDelayMs(first));
  if (!(await countSend(context.database, attempt, context.now()))) return first;
  return combineOutcomes(first, await callProvider(context, attempt));
}

/**
 * Whether another process may have taken this one for dead, and the attempt over, before it was sent. The other one
 * resends after five seconds at the earliest. A late attempt is only sent like a resend, after checking the provider's
 * records.
 */
export function isLate({ sent_at }: Pick<Attempt, "sent_at">, now: Date): boolean {
  return now.getTime() - sent_at.getTime() > SEND_WITHIN_MS;
}

const SEND_WITHIN_MS = 1000;

const notSentInTime: ChargeOutcome = { kind: "unknown", reason: "not sent in time", mayResend: true };

/** The outcome of a send and a resend: a refused resend says nothing about a first send whose answer was lost. */
export function combineOutcomes(first: ChargeOutcome, second: ChargeOutcome): ChargeOutcome {
  return first.kind === "unknown" && second.kind === "not_charged"
    ? { kind: "unknown", reason: second.reason, mayResend: false }
    : second;
}

/** Resends for the reconciler, if the books show nothing and the token is still valid. */
export async function resendCharge(
  context: PaymentsContext,
  attempt: Attempt,
  at: Date,
): Promise<ChargeOutcome | null> {
  if (attempt.sends >= context.settings.tries) return null;
  const leaseUntil = new Date(at.getTime() + context.settings.giveUpMs);
  if (!(await countSend(context.database, attempt, at, leaseUntil))) return null;
  const outcome = await callProvider(context, attempt);
  await context.circuits.note(attempt.provider, outcome);
  return outcome;
}

function callProvider({ providers, circuits }: PaymentsContext, attempt: Attempt): Promise<ChargeOutcome> {
  const outcome = providers[attempt.provider].charge({
    instrument: attempt.instrument!,
    amountCents: attempt.amount_cents,
    currency: attempt.currency,
    orderReference: attempt.order_reference,
    idempotencyKey: attempt.idempotency_key,
    // The same for every send of an attempt, because a key must come with the same body.
    customerReference: customerOfDay(dayInSydney(attempt.created_at)),
    customerIpAddress: attempt.customer_ip_address,
    isAuthenticated: attempt.authentication !== null,
  });
  void circuits.watch(attempt.provider, outcome);
  return outcome;
}

/** Whether a charge may be resent immediately with the same key and token. */
export function mayTryAgain(outcome: ChargeOutcome): boolean {
  return (outcome.kind === "unknown" && outcome.mayResend) || (outcome.kind === "not_charged" && outcome.mayRetry);
}

function retryDelayMs(outcome: ChargeOutcome): number {
  return outcome.kind === "unknown" || outcome.kind === "not_charged" ? (outcome.retryAfterMs ?? 500) : 0;
}

/**
 * Counts a resend before it happens; false if another process was quicker, took the attempt over or settled it, or if
 * the token has expired. The attempt is not given up before `leaseUntil`.
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
