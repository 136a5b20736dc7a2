import { type RawBuilder, sql } from "kysely";
import type { Connection } from "#shared/database/connect.ts";

/**
 * What went back of the payment that an order `o` ended with, in cents. Another payment for the same order goes back as a
 * whole, so neither it nor its refund is money of the order.
 */
export const refundedOfOrder = sql<number>`coalesce((
  select sum(amount_cents) from refunds where attempt_id = o.paid_attempt_id and state = 'succeeded'), 0)::bigint`;

/**
 * What staff took in person for the tickets of an order `o` of which `which` is true, in cents. No provider has it: staff
 * give it back themselves.
 */
export const takenForTickets = (
  which: RawBuilder<boolean>,
) => sql<number>`case when o.taken_cents = 0 then 0 else coalesce((
  select sum(line.taken_cents) from tickets ticket join ticket_order_lines line using (order_id, type_id)
   where order_id = o.id and ${which}), 0)::bigint end`;

/** Of cancelled tickets. */
export const toGiveBackOfOrder = takenForTickets(sql`ticket.cancelled_at is not null`);

/** The money of an event's orders, in cents. */
export type OrderMoney = {
  /** What was paid by card and PayPal, and what went back of it. */
  readonly paidCents: number;
  readonly refundedCents: number;
  /** What staff took in person, and the part of it that was for cancelled tickets. */
  readonly takenCents: number;
  readonly toGiveBackCents: number;
  /** The part of the first two that bought no tickets: no seats were left, or the event had been called off. */
  readonly refusedCents: number;
  readonly refusedRefundedCents: number;
};

export async function sumMoney(connection: Connection, eventId: number): Promise<OrderMoney> {
  const { rows } = await sql<OrderMoney>`
    select coalesce(sum(total_cents), 0)::bigint as "paidCents",
           coalesce(sum(refunded), 0)::bigint as "refundedCents",
           coalesce(sum(taken_cents), 0)::bigint as "takenCents",
           coalesce(sum(to_give_back), 0)::bigint as "toGiveBackCents",
           coalesce(sum(total_cents) filter (where state = 'refunded'), 0)::bigint as "refusedCents",
           coalesce(sum(refunded) filter (where state = 'refunded'), 0)::bigint as "refusedRefundedCents"
      from (select o.*, ${refundedOfOrder} as refunded, ${toGiveBackOfOrder} as to_give_back from ticket_orders o
             where o.event_id = ${eventId} and o.paid_at is not null) as orders`.execute(connection);
  return rows[0]!;
}
