import type { Connection } from "#shared/database/connect.ts";
import type { PaymentSubject } from "./context.ts";

const columnOf = ({ kind }: PaymentSubject) => (kind === "donation" ? "donation_id" : "ticket_order_id");

/** What happened to the payments for something, oldest first. */
export function listPaymentEvents(connection: Connection, subject: PaymentSubject) {
  return connection
    .selectFrom("payment_events")
    .innerJoin("payment_attempts", "payment_attempts.id", "attempt_id")
    .select(["payment_events.id", "attempt_id", "from_state", "event", "at", "provider"])
    .where(columnOf(subject), "=", subject.id)
    .orderBy("payment_events.id")
    .execute();
}

/** What happened to its refunds, oldest first. */
export function listRefundEvents(connection: Connection, subject: PaymentSubject) {
  return connection
    .selectFrom("refund_events")
    .innerJoin("refunds", "refunds.id", "refund_id")
    .innerJoin("payment_attempts", "payment_attempts.id", "attempt_id")
    .select(["refund_events.id", "refund_id", "refund_events.event", "refund_events.at"])
    .select(["refunds.amount_cents", "refunds.kind", "refunds.reason", "requested_by", "provider"])
    .where(columnOf(subject), "=", subject.id)
    .orderBy("refund_events.id")
    .execute();
}
