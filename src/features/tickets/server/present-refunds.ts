import { describeArrival } from "#payments/refunds/arrival.ts";
import { mayBeUnsettled, settledBy } from "#payments/refunds/refund-rules.ts";
import type { TicketRefund } from "../refunds.ts";
import type { RefundRow } from "./store.ts";

type Order = {
  readonly paid_attempt_id: string | null;
  readonly total_cents: number;
  readonly state: string;
};
type Priced = { readonly price_cents: number; readonly cancelled_at: Date | null };

/** The refunds of an order, oldest first. A failed refund is left out once others have made up for it. */
export function presentRefunds(
  order: Order,
  { refunds, tickets, now }: { refunds: readonly RefundRow[]; tickets: readonly Priced[]; now: Date },
): TicketRefund[] {
  const cancelled = tickets.filter(({ cancelled_at }) => cancelled_at !== null);
  const own =
    order.state === "refunded" ? order.total_cents : cancelled.reduce((sum, { price_cents }) => sum + price_cents, 0);
  const isOwn = ({ attemptId }: RefundRow) => attemptId === order.paid_attempt_id;
  const isOwed = (refund: RefundRow) => {
    const covered = refunds.filter(({ attemptId, state }) => attemptId === refund.attemptId && state !== "failed");
    return covered.reduce((sum, { amount_cents }) => sum + amount_cents, 0) < (isOwn(refund) ? own : refund.paidCents);
  };
  return refunds
    .filter((refund) => refund.state !== "failed" || isOwed(refund))
    .map((refund) => presentRefund(refund, { isSecondPayment: !isOwn(refund), now }));
}

/** One refund as a buyer reads it: made, waiting for the payment to settle, or not known yet. */
export function presentRefund(
  refund: RefundRow,
  { isSecondPayment, now }: { isSecondPayment: boolean; now: Date },
): TicketRefund {
  const { id, amount_cents, kind, provider, settled_at, created_at, chargedAt } = refund;
  const state = stateOf(refund, now);
  const isMade = refund.state === "succeeded";
  return {
    id,
    amountCents: amount_cents,
    state,
    expectedBy: state === "waiting" ? settledBy({ chargedAt, askedAt: created_at }).toISOString() : null,
    paidAt: isMade && settled_at !== null ? settled_at.toISOString() : null,
    arrival: describeArrival({ kind: isMade ? kind : null, provider }),
    isSecondPayment,
  };
}

function stateOf(refund: RefundRow, now: Date): TicketRefund["state"] {
  const { state, kind, amount_cents, paidCents, chargedAt, provider_status } = refund;
  if (state === "failed") return "delayed";
  if (state === "succeeded") return kind === "chargeback" || kind === "reversal" ? "taken_back" : "paid";
  if (state === "unknown") return "on_its_way";
  // Also while it is being sent: a refund requested too early is postponed.
  const wasPutOff = provider_status !== null;
  const isTooEarly = amount_cents < paidCents && mayBeUnsettled(chargedAt, now);
  return wasPutOff || isTooEarly ? "waiting" : "on_its_way";
}
