import { sql } from "kysely";
import type { Connection } from "#shared/database/connect.ts";

/**
 * What went back of the payment that an order `o` ended with, in cents. Another payment for the same order goes back as a
 * whole, so neither it nor its refund is money of the order.
 */
export const refundedOfOrder = sql<number>`coalesce((
  select sum(amount_cents) from refunds where attempt_id = o.paid_attempt_id and state = 'succeeded'), 0)::bigint`;

/** The money of an event's orders, in cents. */
export type OrderMoney = {
  /** What was paid by card and PayPal, and what went back of it. */
  readonly paidCents: number;
  readonly refundedCents: number;
  /** What staff took in person. */
  readonly takenCents: number;
  /** The part of the first two that bought no tickets: no seats were left, or the event had been called off. */
  readonly refusedCents: number;
  readonly refusedRefundedCents: number;
};

export async function sumMoney(connection: Connection, eventId: number): Promise<OrderMoney> {
  const { rows } = await sql<OrderMoney>`
    select coalesce(sum(total_cents), 0)::bigint as "paidCents",
           coalesce(sum(refunded), 0)::bigint as "refundedCents",
           coalesce(sum(taken_cents), 0)::bigint as "takenCents",
           coalesce(sum(total_cents) filter (where state = 'refunded'), 0)::bigint as "refusedCents",
           coalesce(sum(refunded) filter (where state = 'refunded'), 0)::bigint as "refusedRefundedCents"
      from (select o.*, ${refundedOfOrder} as refunded from ticket_orders o
             where o.event_id = ${eventId} and o.paid_at is not null) as orders`.execute(connection);
  return rows[0]!;
}
