import { splitCents } from "#shared/money.ts";
import type { Attempt } from "../attempts.ts";
import { delayAfter, isGivenUp, nextLateCheck } from "../decide.ts";
import type { RefundOutcome } from "../provider.ts";
import { isKept, type PaidState, type PaymentState } from "../states.ts";
import type { RefundState } from "./refund-states.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** How often, and for how long, a refund that is too early is retried. */
const TOO_EARLY_MS = hour;
const POSTPONED_DAYS = 10;
/** How long after its process died a refund is first looked up. */
const TAKEOVER_MS = 5000;
/** Providers usually settle a charge within a day. */
const SETTLEMENT_MS = day;

type Amount = { readonly amount_cents: number; readonly state: RefundState };

/** The cents that may still be refunded: the charge minus all refunds that were or may still be made. */
export function roomOf(capturedCents: number, refunds: readonly Amount[]): number {
  return capturedCents - sumOf(refunds.filter(({ state }) => state !== "failed"));
}

/** The cents that we still hold: the charge minus all refunds that were made. */
export function keptOf(capturedCents: number, refunds: readonly Amount[]): number {
  return capturedCents - sumOf(refunds.filter(({ state }) => state === "succeeded"));
}

function sumOf(refunds: readonly Amount[]): number {
  return refunds.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
}

/** Whether a refund may be made, and how much; null means all that is left. A disputed payment is not refunded. */
export function judgeRefund(
  attempt: Pick<Attempt, "state" | "amount_cents">,
  refunds: readonly Amount[],
  amountCents: number | null,
):
  | { readonly ok: true; readonly amountCents: number }
  | { readonly ok: false; readonly problem: "not_paid" | "nothing_left" | "too_much"; readonly leftCents: number } {
  const { state } = attempt;
  if (state === "refunded") return { ok: false, problem: "nothing_left", leftCents: 0 };
  if (!isKept(state)) return { ok: false, problem: "not_paid", leftCents: 0 };
  const leftCents = roomOf(attempt.amount_cents, refunds);
  if (leftCents <= 0) return { ok: false, problem: "nothing_left", leftCents: 0 };
  const wanted = amountCents ?? leftCents;
  if (wanted > leftCents) return { ok: false, problem: "too_much", leftCents };
  return { ok: true, amountCents: wanted };
}

/**
 * The state that an outcome leads to; undefined if it changes nothing. `sends` counts the sends since the last one that
 * provably refunded nothing: a refused resend says nothing about the first send.
 */
export function refundStateAfter(
  { state, sends }: { readonly state: RefundState; readonly sends: number },
  { kind }: RefundOutcome,
): RefundState | undefined {
  if (state === "succeeded") return undefined;
  if (kind === "succeeded") return "succeeded";
  if (state === "unknown") return kind === "refused" ? "failed" : undefined;
  if (state !== "submitting") return undefined;
  switch (kind) {
    case "unknown":
      return "unknown";
    // The charge has not settled, so an earlier send can't have refunded anything either.
    case "too_early":
      return "requested";
    case "refused":
      return sends > 1 ? "unknown" : "failed";
    case "not_sent":
      return sends > 1 ? "unknown" : "requested";
  }
}

/** A payment's state after its refunds; an open dispute stays open while anything is left. */
export function paidStateAfter(
  attempt: { readonly state: PaymentState; readonly amount_cents: number },
  refunds: readonly Amount[],
): PaidState {
  const kept = keptOf(attempt.amount_cents, refunds);
  if (kept === 0) return "refunded";
  if (attempt.state === "disputed") return "disputed";
  if (kept < attempt.amount_cents) return "partially_refunded";
  return attempt.state === "succeeded_late" ? "succeeded_late" : "succeeded";
}

/** The state of a payment whose dispute is over, by what went back of it, a lost dispute included. */
export function stateAfterDispute(attempt: { readonly amount_cents: number }, refunds: readonly Amount[]): PaidState {
  return paidStateAfter({ state: "succeeded", amount_cents: attempt.amount_cents }, refunds);
}

/** An account that a charge was credited to, and the cents left there (positive). */
export type Credit = { readonly account: string; readonly cents: number };

/**
 * Splits a refund over the accounts in proportion to what each still holds. No account goes below zero, and a full
 * refund empties them all.
 * @throws Error if the refund exceeds what the accounts hold.
 */
export function shareOut(amountCents: number, credits: readonly Credit[]): Credit[] {
  const held = credits.reduce((sum, { cents }) => sum + cents, 0);
  if (amountCents > held)
    throw new Error(`A refund of ${amountCents} cents exceeds the ${held} that the ledger holds.`);
  const weights = credits.map(({ cents }) => cents);
  return splitCents(amountCents, weights).map((cents, index) => ({ account: credits[index]!.account, cents }));
}

type CheckedRefund = {
  readonly state: RefundState;
  readonly checks: number;
  readonly sent_at: Date | null;
  readonly lease_until: Date | null;
  readonly created_at: Date;
};

/** When to look again for a refund whose answer was lost, or that was given up. */
export function nextRefundCheck(refund: CheckedRefund, now: Date, giveUpMs: number): Date | null {
  const sentAt = refund.sent_at ?? refund.created_at;
  if (refund.state === "failed") return nextLateCheck(sentAt, now);
  const next = now.getTime() + delayAfter({ checks: refund.checks, sentAt }, { now, giveUpMs });
  const end = refund.lease_until?.getTime() ?? 0;
  return new Date(end > now.getTime() ? Math.min(next, end) : next);
}

/** When to retry a refund that provably did not happen. */
export function nextTry(refund: Pick<CheckedRefund, "checks">, { kind }: Pick<RefundOutcome, "kind">, now: Date): Date {
  const wait = kind === "too_early" ? TOO_EARLY_MS : Math.min(minute * 2 ** Math.min(refund.checks, 6), hour);
  return new Date(now.getTime() + wait);
}

/** Whether a charge may still be unsettled, so that a partial refund must wait. */
export function mayBeUnsettled(chargedAt: Date, now: Date): boolean {
  return now.getTime() - chargedAt.getTime() < SETTLEMENT_MS;
}

/** When to expect a refund that waits for settlement: a day later than usual, because banks have holidays. */
export function settledBy({ chargedAt, askedAt }: { chargedAt: Date; askedAt: Date }): Date {
  return new Date(Math.max(chargedAt.getTime() + SETTLEMENT_MS, askedAt.getTime()) + day);
}

/** Whether a refund has been postponed for so long that staff must check it. */
export function isPostponedTooLong(refund: Pick<CheckedRefund, "created_at">, now: Date): boolean {
  return now.getTime() - refund.created_at.getTime() >= POSTPONED_DAYS * day;
}

/** For a refund whose process died: when to look it up, and how long its last call may still take effect. */
export function takenOver(
  { lease_until }: { readonly lease_until: Date | null },
  { now, giveUpMs }: { now: Date; giveUpMs: number },
): { next_check_at: Date; lease_until: Date | null } {
  const time = now.getTime();
  if (lease_until === null || lease_until < now) return { next_check_at: now, lease_until: null };
  const carriedOut = new Date(Math.min(lease_until.getTime(), time + giveUpMs));
  return { next_check_at: new Date(time + TAKEOVER_MS), lease_until: carriedOut };
}

/**
 * What to do if the books show nothing of a refund whose answer was lost. It is resent with the same key if that can't
 * refund twice, or if complete books show nothing after every call must have ended.
 */
export function nextRefundStep(
  refund: CheckedRefund & { readonly sends: number },
  { mayResend, isAuthoritative }: { mayResend: boolean; isAuthoritative: boolean },
  { now, giveUpMs, leaseMs, tries }: { now: Date; giveUpMs: number; leaseMs: number; tries: number },
): "send_again" | "give_up" | "wait" {
  if (refund.state !== "unknown") return "wait";
  const sentAt = refund.sent_at ?? refund.created_at;
  const end = refund.lease_until?.getTime() ?? sentAt.getTime() + leaseMs;
  const isOver = isAuthoritative && now.getTime() >= end;
  if ((mayResend || isOver) && refund.sends < tries) return "send_again";
  if (refund.lease_until !== null && refund.lease_until > now) return "wait";
  return isGivenUp(sentAt, { now, giveUpMs, isAuthoritative }) ? "give_up" : "wait";
}
