import type { Attempt } from "./attempts.ts";
import type { Charged, ChargeOutcome, FoundCharges } from "./provider.ts";
import { isOpen, isPaid, type PaymentState } from "./states.ts";

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** The delay after each check; hourly afterwards. */
const delays = [5 * second, 15 * second, minute, 5 * minute, 15 * minute, hour];
/** A payment that was never found is still looked for daily, for this long, because banks may post late. */
const LATE_DAYS = 7;

/** The state that an outcome leads to; undefined if it changes nothing. */
export function stateAfter(from: PaymentState, { kind }: ChargeOutcome): PaymentState | undefined {
  if (from === "failed" || from === "cancelled" || from === "not_found") {
    return kind === "succeeded" ? "succeeded_late" : undefined;
  }
  // Nothing was sent yet, or the payment is final.
  if (from === "created" || from === "requires_action" || isPaid(from)) return undefined;
  switch (kind) {
    case "succeeded":
      return "succeeded";
    case "processing":
      return from === "processing" ? undefined : "processing";
    case "unknown":
      return from === "submitting" ? "unknown" : undefined;
    // A refused resend says nothing about the first send, so it never settles an unknown attempt.
    case "not_charged":
      return from === "submitting" ? "failed" : undefined;
    case "declined":
      return "failed";
  }
}

/** The outcome that the provider's books prove, null if none, and what staff must check. */
export function decide(
  attempt: Pick<Attempt, "amount_cents" | "currency">,
  { outcomes }: Pick<FoundCharges, "outcomes">,
): { outcome: ChargeOutcome | null; alerts: string[] } {
  const charges = outcomes.filter((outcome): outcome is Charged => outcome.kind === "succeeded");
  const fitting = charges.filter(
    (charge) => charge.amountCents === attempt.amount_cents && charge.currency === attempt.currency,
  );
  const open = outcomes.find(({ kind }) => kind === "processing") ?? outcomes.find(({ kind }) => kind === "declined");
  return {
    outcome: fitting[0] ?? (charges.length > 0 ? null : (open ?? null)),
    alerts: [
      ...(charges.length > fitting.length ? ["the provider holds a charge of another amount"] : []),
      ...(fitting.length > 1 ? ["the provider holds more than one charge for this payment"] : []),
    ],
  };
}

/** Back-off before the next check, in milliseconds, capped just after the give-up deadline. */
export function delayAfter(
  { checks, sentAt }: { checks: number; sentAt: Date },
  { now, giveUpMs }: { now: Date; giveUpMs: number },
): number {
  // At most `giveUpMs`, so that a check lost with its process delays giving up by no more than that.
  const delay = Math.min(delays[checks] ?? hour, giveUpMs);
  const untilGiveUp = sentAt.getTime() + giveUpMs - now.getTime();
  return untilGiveUp > 0 ? Math.min(delay, untilGiveUp + second) : delay;
}

/** The next daily check of a payment that was given up; null once a late charge is no longer expected. */
export function nextLateCheck(sentAt: Date, now: Date): Date | null {
  return now.getTime() - sentAt.getTime() > LATE_DAYS * day ? null : new Date(now.getTime() + day);
}

/** When to check again. Final payments are only checked on request; for those, when to retry a failed check. */
export function nextCheck(
  attempt: Pick<Attempt, "state" | "checks" | "sent_at">,
  now: Date,
  giveUpMs: number,
): Date | null {
  if (attempt.state === "not_found") return nextLateCheck(attempt.sent_at, now);
  if (!isOpen(attempt.state)) return new Date(now.getTime() + 5 * minute);
  return new Date(now.getTime() + delayAfter({ checks: attempt.checks, sentAt: attempt.sent_at }, { now, giveUpMs }));
}

/** Whether a search without a hit has gone on long enough to give up. */
export function isGivenUp(
  sentAt: Date,
  { now, giveUpMs, isAuthoritative }: { now: Date; giveUpMs: number; isAuthoritative: boolean },
): boolean {
  const patienceMs = isAuthoritative ? giveUpMs : Math.max(giveUpMs, day);
  return now.getTime() - sentAt.getTime() >= patienceMs;
}

/**
 * What the reconciler does when the books show no outcome. An attempt that was resent, or taken over from a dead
 * process, is not given up before its lease ends: until then the last call may still be carried out.
 */
export function nextStep(
  attempt: Pick<Attempt, "state" | "checks" | "sent_at" | "lease_until">,
  found: FoundCharges,
  { now, giveUpMs }: { now: Date; giveUpMs: number },
): { maySendAgain: boolean; isGivenUp: boolean } {
  const showsNothing = attempt.state === "unknown" && found.outcomes.length === 0;
  const isLeased = attempt.lease_until !== null && attempt.lease_until > now;
  return {
    maySendAgain: showsNothing && attempt.checks > 0,
    isGivenUp:
      showsNothing &&
      !isLeased &&
      isGivenUp(attempt.sent_at, { now, giveUpMs, isAuthoritative: found.isAuthoritative }),
  };
}
