/**
 * Which state a payment may move to, and the event that each move writes. One table, read by the server, the tests and
 * `docs/money.md`. `created` and `requires_action` belong to 3-D Secure, the moves from `succeeded` to refunds and disputes.
 */
export const moves = {
  created: { requires_action: "challenge_required", submitting: "submission_started", cancelled: "payment_cancelled" },
  requires_action: { submitting: "submission_started", cancelled: "payment_cancelled" },
  submitting: {
    succeeded: "charge_approved",
    failed: "charge_refused",
    processing: "charge_pending",
    unknown: "answer_lost",
  },
  unknown: {
    succeeded: "charge_found",
    failed: "refusal_found",
    processing: "pending_charge_found",
    not_found: "charge_never_found",
  },
  processing: { succeeded: "charge_found", failed: "refusal_found" },
  succeeded: {
    partially_refunded: "partly_refunded",
    refunded: "wholly_refunded",
    disputed: "dispute_opened",
  },
  failed: { succeeded_late: "late_charge_found" },
  cancelled: { succeeded_late: "late_charge_found" },
  not_found: { succeeded_late: "late_charge_found" },
  succeeded_late: {
    partially_refunded: "partly_refunded",
    refunded: "wholly_refunded",
    disputed: "dispute_opened",
  },
  partially_refunded: {
    partially_refunded: "refunded_again",
    refunded: "wholly_refunded",
    disputed: "dispute_opened",
  },
  refunded: {},
  disputed: { succeeded: "dispute_won", partially_refunded: "partly_refunded", refunded: "wholly_refunded" },
} as const;

export type PaymentState = keyof typeof moves;
export type Actor = "request" | "sweeper" | "reconciler" | "refund";

/** The event that a move writes, or undefined where the move is not allowed. */
export function eventOf(from: PaymentState, to: PaymentState): string | undefined {
  return (moves[from] as Partial<Record<PaymentState, string>>)[to];
}

/** What a payer is told of each state (API-13): the five words of `GET /payments/{id}`. */
export const shownAs = {
  created: "processing",
  requires_action: "action_required",
  submitting: "processing",
  unknown: "processing",
  processing: "processing",
  succeeded: "succeeded",
  succeeded_late: "succeeded",
  failed: "failed",
  cancelled: "failed",
  not_found: "failed",
  partially_refunded: "refunded",
  refunded: "refunded",
  disputed: "succeeded",
} as const satisfies Record<PaymentState, string>;
