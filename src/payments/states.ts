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

/** The states in which at least part of the money is ours, and nobody disputes it. */
export const keptStates = ["succeeded", "succeeded_late", "partially_refunded"] as const;

/** The states in which at least part of the money is with us. */
export const heldStates = [...keptStates, "disputed"] as const;

/** The states in which the provider holds, or held, what was charged. */
export const paidStates = [...heldStates, "refunded"] as const;
export type PaidState = (typeof paidStates)[number];

export function isPaid(state: PaymentState): state is PaidState {
  return (paidStates as readonly PaymentState[]).includes(state);
}

export function isKept(state: PaymentState): boolean {
  return (keptStates as readonly PaymentState[]).includes(state);
}

/** The states before any outcome: whether the payment is charged is still open. */
export const undecidedStates = ["created", "requires_action", "submitting", "unknown", "processing"] as const;

export function isUndecided(state: PaymentState): boolean {
  return (undecidedStates as readonly PaymentState[]).includes(state);
}

/** Whether the provider must be asked until it knows. */
export function isOpen(state: PaymentState): boolean {
  return state === "submitting" || state === "unknown" || state === "processing";
}

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
