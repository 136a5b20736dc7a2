/**
 * The allowed moves of a payment, and the event that each writes; read by the server, the tests and `docs/money.md`.
 * `created` and `requires_action` are for 3-D Secure; the moves from `succeeded` are for refunds and disputes.
 */
export const moves = {
  created: { requires_action: "challenge_required", submitting: "submission_started", cancelled: "payment_cancelled" },
  requires_action: { submitting: "submission_started", cancelled: "payment_cancelled" },
  submitting: {
    succeeded: "charge_approved",
    failed: "charge_declined",
    processing: "charge_pending",
    unknown: "answer_lost",
  },
  unknown: {
    succeeded: "charge_found",
    failed: "decline_found",
    processing: "pending_charge_found",
    not_found: "charge_never_found",
  },
  processing: { succeeded: "charge_found", failed: "decline_found" },
  succeeded: {
    partially_refunded: "partially_refunded",
    refunded: "fully_refunded",
    disputed: "dispute_opened",
  },
  failed: { succeeded_late: "late_charge_found" },
  cancelled: { succeeded_late: "late_charge_found" },
  not_found: { succeeded_late: "late_charge_found" },
  succeeded_late: {
    partially_refunded: "partially_refunded",
    refunded: "fully_refunded",
    disputed: "dispute_opened",
  },
  partially_refunded: {
    partially_refunded: "refunded_again",
    refunded: "fully_refunded",
    disputed: "dispute_opened",
  },
  refunded: {},
  disputed: { succeeded: "dispute_won", partially_refunded: "partially_refunded", refunded: "fully_refunded" },
} as const;

export type PaymentState = keyof typeof moves;
export type PaymentActor = "request" | "sweeper" | "reconciler" | "refund";

/** At least part of the money is ours and undisputed. */
export const keptStates = ["succeeded", "succeeded_late", "partially_refunded"] as const;

/** We hold at least part of the money. */
export const heldStates = [...keptStates, "disputed"] as const;

/** The payment was charged, whether or not it was refunded since. */
export const paidStates = [...heldStates, "refunded"] as const;
export type PaidState = (typeof paidStates)[number];

/** Was charged, whether or not it was refunded since. */
export function isPaid(state: PaymentState): state is PaidState {
  return (paidStates as readonly PaymentState[]).includes(state);
}

/** At least part of the money is ours and undisputed. */
export function isKept(state: PaymentState): boolean {
  return (keptStates as readonly PaymentState[]).includes(state);
}

/** It is still open whether the payment is charged. */
export const undecidedStates = ["created", "requires_action", "submitting", "unknown", "processing"] as const;

/** It is still open whether the payment is charged. */
export function isUndecided(state: PaymentState): boolean {
  return (undecidedStates as readonly PaymentState[]).includes(state);
}

/** Whether to keep asking the provider for the outcome. */
export function isOpen(state: PaymentState): boolean {
  return state === "submitting" || state === "unknown" || state === "processing";
}

/** The event that a move writes; undefined if the move is not allowed. */
export function eventOf(from: PaymentState, to: PaymentState): string | undefined {
  return (moves[from] as Partial<Record<PaymentState, string>>)[to];
}

/** The state that the payer sees (API-13), one of the five of `GET /payments/{id}`. */
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
