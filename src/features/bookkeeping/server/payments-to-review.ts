import { sql } from "kysely";
import { providerTitles } from "#payments/reconciliation/reconciliation-report.ts";
import { scheduleCheck } from "#payments/reconciliation/reconciliation-store.ts";
import type { PaymentState } from "#payments/states.ts";
import type { ProviderName } from "#payments/tables.ts";
import type { Connection } from "#shared/database/connect.ts";
import { DAY_MS } from "#shared/day-length.ts";
import { type PaidSubject, paidSubjectOf } from "./paid-subject.ts";

/** After this time without an answer, a person should look at a payment or refund. */
const LONG_MS = 15 * 60_000;
const LONG_REFUND_MS = DAY_MS;
const MAX_LISTED = 200;

export type PaymentToReview = {
  /** The payment's id. */
  readonly id: string;
  readonly kind: "disputed" | "no answer" | "pending" | "refund";
  readonly provider: string;
  readonly reference: string;
  readonly amountCents: number;
  readonly since: Date;
  readonly of: PaidSubject | null;
  /** The refund that waits; null if the payment itself does. */
  readonly refundId: string | null;
  /** When the provider is asked next; null if it is not. */
  readonly nextCheckAt: Date | null;
};

const needsReview = (now: Date) => sql<boolean>`attempt.state in ('submitting', 'unknown', 'processing', 'disputed')
  and (attempt.state = 'disputed' or attempt.sent_at < ${new Date(now.getTime() - LONG_MS)})`;
const isOpenForLong = (now: Date) => sql<boolean>`refund.state in ('requested', 'submitting', 'unknown')
  and refund.created_at < ${new Date(now.getTime() - LONG_REFUND_MS)}`;

type Row = {
  id: string;
  state: PaymentState | "refund";
  provider: ProviderName;
  reference: string;
  cents: number;
  since: Date;
  next: Date | null;
  refundId: string | null;
  donationId: string | null;
  donationReference: string | null;
  orderId: string | null;
  orderReference: string | null;
};

/** Payments that have had no answer for too long, disputed ones, and refunds that are not settled; oldest first. */
export async function listPaymentsToReview(
  connection: Connection,
  now: Date,
  limit = MAX_LISTED,
): Promise<PaymentToReview[]> {
  const { rows } = await sql<Row>`
    select found.*, donation.reference as "donationReference", orders.reference as "orderReference" from (
      (select attempt.id, attempt.state, attempt.provider, attempt.order_reference as reference,
              attempt.amount_cents as cents, attempt.next_check_at as next, attempt.donation_id as "donationId",
              attempt.ticket_order_id as "orderId", null::uuid as "refundId",
              coalesce((select max(at) from payment_events event
                         where event.attempt_id = attempt.id and attempt.state = 'disputed'
                           and event.to_state = 'disputed'), attempt.sent_at) as since
         from payment_attempts attempt where ${needsReview(now)} order by attempt.sent_at limit ${limit})
      union all
      (select attempt.id, 'refund', attempt.provider, refund.order_reference, refund.amount_cents, refund.next_check_at,
              attempt.donation_id, attempt.ticket_order_id, refund.id, refund.created_at
         from refunds refund join payment_attempts attempt on attempt.id = refund.attempt_id
        where ${isOpenForLong(now)} order by refund.created_at limit ${limit})
    ) found left join donations donation on donation.id = found."donationId"
    left join ticket_orders orders on orders.id = found."orderId"
    order by since limit ${limit}`.execute(connection);
  return rows.map((row) => ({
    id: row.id,
    kind: kindOf(row.state),
    provider: providerTitles[row.provider],
    reference: row.reference,
    amountCents: row.cents,
    since: row.since,
    nextCheckAt: row.next,
    of: paidSubjectOf(row),
    refundId: row.refundId,
  }));
}

function kindOf(state: Row["state"]): PaymentToReview["kind"] {
  if (state === "disputed" || state === "refund") return state;
  return state === "processing" ? "pending" : "no answer";
}

/** Up to 200. */
export async function countPaymentsToReview(connection: Connection, now: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from (select from payment_attempts attempt where ${needsReview(now)} limit ${MAX_LISTED}) a)
         + (select count(*) from (select from refunds refund where ${isOpenForLong(now)} limit ${MAX_LISTED}) r)
      as count`.execute(connection);
  return rows[0]!.count;
}

/** Locks a payment that needs review, and makes the reconciler ask its provider. Null if it no longer needs one. */
export async function requestCheck(transaction: Connection, id: string, now: Date) {
  const attempt = await transaction
    .selectFrom("payment_attempts as attempt")
    .select(["attempt.id", "attempt.state", "attempt.provider", "attempt.order_reference"])
    .select(["attempt.donation_id", "attempt.ticket_order_id"])
    .where("attempt.id", "=", id)
    .where(needsReview(now))
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (attempt === undefined) return null;
  await scheduleCheck(transaction, id, now);
  return attempt;
}
