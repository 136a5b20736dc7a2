import type { Attempt } from "./attempts.ts";
import type { Charged, Found, Outcome } from "./provider.ts";
import { isOpen, isPaid, type PaymentState } from "./states.ts";

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** How long after each look the next one comes; hourly from then on. */
const delays = [5 * second, 15 * second, minute, 5 * minute, 15 * minute, hour];
/** What was never found is still looked for once a day, for this long: banks post late. */
const LATE_DAYS = 7;

/** The state that an outcome leads to; undefined where it tells nothing new. */
export function stateAfter(from: PaymentState, { kind }: Outcome): PaymentState | undefined {
  if (from === "failed" || from === "cancelled" || from === "not_found") {
    return kind === "succeeded" ? "succeeded_late" : undefined;
  }
  // Nothing was sent yet, or all is said: no outcome belongs here.
  if (from === "created" || from === "requires_action" || isPaid(from)) return undefined;
  switch (kind) {
    case "succeeded":
      return "succeeded";
    case "processing":
      return from === "processing" ? undefined : "processing";
    case "unknown":
      return from === "submitting" ? "unknown" : undefined;
    // What a second sending is refused for says nothing of the first, so it never ends an unknown attempt.
    case "not_charged":
      return from === "submitting" ? "failed" : undefined;
    case "declined":
      return "failed";
  }
}

/** The outcome that the books prove, or null when they prove none, and what in them is for a person to see. */
export function decide(
  attempt: Pick<Attempt, "amount_cents" | "currency">,
  { outcomes }: Pick<Found, "outcomes">,
): { outcome: Outcome | null; troubles: string[] } {
  const charges = outcomes.filter((outcome): outcome is Charged => outcome.kind === "succeeded");
  const fitting = charges.filter(
    (charge) => charge.amountCents === attempt.amount_cents && charge.currency === attempt.currency,
  );
  const open = outcomes.find(({ kind }) => kind === "processing") ?? outcomes.find(({ kind }) => kind === "declined");
  return {
    outcome: fitting[0] ?? (charges.length > 0 ? null : (open ?? null)),
    troubles: [
      ...(charges.length > fitting.length ? ["the provider holds a charge of another amount"] : []),
      ...(fitting.length > 1 ? ["the provider holds more than one charge for this payment"] : []),
    ],
  };
}

/** How long to wait after a look, by how many came before it; never past the end of the patience, and a second more. */
export function delayAfter(
  { checks, sentAt }: { checks: number; sentAt: Date },
  { now, giveUpMs }: { now: Date; giveUpMs: number },
): number {
  // A look that a killed process did not finish costs no more patience than giving up takes.
  const delay = Math.min(delays[checks] ?? hour, giveUpMs);
  const untilGiveUp = sentAt.getTime() + giveUpMs - now.getTime();
  return untilGiveUp > 0 ? Math.min(delay, untilGiveUp + second) : delay;
}

/** The next of the daily looks at what was given up; null when a late one is no longer expected. */
export function nextLateLook(sentAt: Date, now: Date): Date | null {
  return now.getTime() - sentAt.getTime() > LATE_DAYS * day ? null : new Date(now.getTime() + day);
}

/** When to look again. What is final is looked at on request alone: this is when a look that fails is repeated. */
export function nextLook(
  attempt: Pick<Attempt, "state" | "checks" | "sent_at">,
  now: Date,
  giveUpMs: number,
): Date | null {
  if (attempt.state === "not_found") return nextLateLook(attempt.sent_at, now);
  if (!isOpen(attempt.state)) return new Date(now.getTime() + 5 * minute);
  return new Date(now.getTime() + delayAfter({ checks: attempt.checks, sentAt: attempt.sent_at }, { now, giveUpMs }));
}

/** Whether a search without a hit has gone on long enough to end what was looked for. */
export function isGivenUp(
  sentAt: Date,
  { now, giveUpMs, isAuthoritative }: { now: Date; giveUpMs: number; isAuthoritative: boolean },
): boolean {
  const patienceMs = isAuthoritative ? giveUpMs : Math.max(giveUpMs, day);
  return now.getTime() - sentAt.getTime() >= patienceMs;
}

/**
 * What the reconciler does next where the books show no outcome for an attempt. What was taken over from a process that
 * died, or sent again, is not given up before its lease is over: until then the last call may still be carried out.
 */
export function nextStep(
  attempt: Pick<Attempt, "state" | "checks" | "sent_at" | "lease_until">,
  found: Found,
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
