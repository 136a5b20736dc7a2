import { sql } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import { isToSendOrSent } from "#shared/jobs/sent-emails.ts";
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

type ListedEmail = {
  readonly id: string;
  readonly template: string;
  /** Why a receipt was sent again. */
  readonly because: string | null;
  readonly state: "created" | "retry" | "active" | "completed" | "cancelled" | "failed";
  readonly at: Date;
  readonly completedAt: Date | null;
};

/**
 * The emails about it, its payments and its refunds that the outbox still has, for some days; not those that had nothing
 * left to say when their turn came.
 */
export async function listEmailsAbout(connection: Connection, subject: PaymentSubject): Promise<ListedEmail[]> {
  const column = sql.ref(`attempt.${columnOf(subject)}`);
  const document = subject.kind === "donation" ? "receipt" : "ticket_order";
  const { rows } = await sql<ListedEmail>`
    with ids as (
      select ${subject.id}::text as id
      union all select attempt.id::text from payment_attempts attempt where ${column} = ${subject.id}::uuid
      union all select refund.id::text from refunds refund join payment_attempts attempt on attempt.id = refund.attempt_id
                 where ${column} = ${subject.id}::uuid)
    select job.id, data ->> 'template' as template, data ->> 'because' as because, state, created_on as at,
           completed_on as "completedAt"
      from pgboss.job
     where name = 'emails' and ${isToSendOrSent}
       and (data ->> 'template' <> 'new-link' or data ->> 'kind' = ${document})
       and coalesce(data ->> 'donationId', data ->> 'orderId', data ->> 'attemptId', data ->> 'refundId', data ->> 'id')
           in (select id from ids)
     order by created_on, job.id`.execute(connection);
  return rows;
}
