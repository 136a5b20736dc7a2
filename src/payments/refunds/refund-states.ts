/** The allowed moves of a refund, and the event that each writes; like `states.ts` for payments. */
export const refundMoves = {
  requested: { submitting: "refund_sent", succeeded: "refund_found", failed: "refund_given_up" },
  submitting: {
    requested: "refund_postponed",
    succeeded: "refund_made",
    failed: "refund_refused",
    unknown: "answer_lost",
  },
  unknown: { succeeded: "refund_found", failed: "refund_never_found", submitting: "refund_sent_again" },
  failed: { succeeded: "late_refund_found" },
  succeeded: {},
} as const;

export type RefundState = keyof typeof refundMoves;

/** The event that a move writes; undefined if the move is not allowed. */
export function refundEventOf(from: RefundState, to: RefundState): string | undefined {
  return (refundMoves[from] as Partial<Record<RefundState, string>>)[to];
}
