import { sql } from "kysely";
import { compileQuery } from "#shared/database/compile-query.ts";
import type { ExportPlan } from "#shared/database/read-in-batches.ts";
import { refundedOfOrder, toGiveBackOfOrder } from "../order-money.ts";
import type { TicketOrderState } from "../tables.ts";
import { type OrderFilter, whereOrders } from "./order-filter.ts";

export type ExportedOrder = {
  /** '2026-11-22 08:52:00' in Sydney. */
  readonly orderedAt: string;
  readonly reference: string;
  readonly event: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly state: TicketOrderState;
  readonly holdUntil: string;
  /** How many tickets were ordered, and how many of them are cancelled. */
  readonly tickets: number;
  readonly cancelled: number;
  readonly isCalledOff: boolean;
  /** '2 × VIP seat; 1 × Child'. */
  readonly types: string;
  readonly totalCents: number;
  /** Whether it was ever paid. */
  readonly isPaid: boolean;
  readonly refundedCents: number;
  /** What staff took in person, and the part of it that was for cancelled tickets. */
  readonly takenCents: number;
  readonly toGiveBackCents: number;
  readonly currency: string;
  readonly provider: string | null;
  readonly transactionId: string | null;
};

/** Plans the export of all orders that pass the filter. */
export function planOrderExport(filter: OrderFilter): ExportPlan {
  return compileQuery(sql`
    select to_char(o.created_at at time zone 'Australia/Sydney', 'YYYY-MM-DD HH24:MI:SS') as "orderedAt",
           o.reference, event.title as event, o.first_name as "firstName", o.last_name as "lastName", o.email, o.state,
           o.hold_until::text as "holdUntil", o.total_cents as "totalCents", o.paid_at is not null as "isPaid", o.currency,
           line.tickets, line.types, o.called_off_at is not null as "isCalledOff",
           (select count(*)::integer from tickets where order_id = o.id and cancelled_at is not null) as cancelled,
           ${refundedOfOrder} as "refundedCents", o.taken_cents as "takenCents",
           ${toGiveBackOfOrder} as "toGiveBackCents",
           payment.provider, payment.provider_transaction_id as "transactionId"
      from ticket_orders o
      join events event on event.id = o.event_id
      left join payment_attempts payment on payment.id = o.paid_attempt_id
      cross join lateral (
        select coalesce(sum(quantity), 0)::integer as tickets,
               coalesce(string_agg(quantity || ' × ' || title, '; ' order by type_id), '') as types
          from ticket_order_lines where order_id = o.id) line
     where ${whereOrders(filter)}
     order by o.created_at desc, o.id desc`);
}
