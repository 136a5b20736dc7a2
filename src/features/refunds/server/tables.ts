import type { ColumnType, Generated } from "kysely";

declare module "#shared/database/tables.ts" {
  interface Tables {
    refund_requests: {
      /** Made by the server when the form is shown. */
      id: string;
      /** What it is of: one of these two. */
      donation_id: string | null;
      ticket_order_id: ColumnType<string | null, string | null | undefined, never>;
      /** The tickets that are cancelled when the refund is made. */
      ticket_ids: Generated<string[]>;
      /** The provider turned out not to have the payment: it is taken off the books, and no money goes back. */
      is_reversal: ColumnType<boolean, boolean | undefined, never>;
      amount_cents: number;
      reason: string;
      requested_by: number;
      requested_at: Date;
      left_cents: number;
      limit_cents: number;
      decision: ColumnType<RefundDecision | null, RefundDecision | null | undefined, RefundDecision>;
      decided_by: ColumnType<number | null, number | null | undefined, number>;
      decided_at: ColumnType<Date | null, Date | null | undefined, Date>;
      decision_reason: Generated<string>;
      refund_id: ColumnType<string | null, string | null | undefined, string>;
    };
    refunds_by_hand: { refund_id: string; done_by: number; done_at: Date; note: string };
  }
}

/** `alone`: one person made the refund, within the limit. */
type RefundDecision = "alone" | "approved" | "declined" | "withdrawn";
