import { sql } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import { ticketNumber } from "../../ticket-token.ts";
import { admissions } from "../door/door-figures.ts";
import { type OrderMoney, sumMoney } from "../order-money.ts";

/** One type of an event's tickets; money in cents, with discounts taken off. */
export type ReportedType = {
  readonly id: number;
  readonly title: string;
  /** Valid or cancelled. */
  readonly issued: number;
  readonly cancelled: number;
  readonly came: number;
  readonly paidCents: number;
  /** Of cancelled tickets whose refund is made. */
  readonly refundedCents: number;
};

export type EventReport = {
  readonly types: readonly ReportedType[];
  /** What refunds gave back besides the prices of cancelled tickets; below zero if it was less than those. */
  readonly otherRefundsCents: number;
  /** Payments that bought no tickets: no seats were left, or the event had been called off. */
  readonly refused: { readonly paidCents: number; readonly refundedCents: number };
  /** Tickets that staff gave; what they took for those that they sold at the door, and what of it for cancelled ones. */
  readonly byStaff: { readonly given: number } & Pick<OrderMoney, "takenCents" | "toGiveBackCents">;
  /** What was charged for paid orders, whatever was refunded since. */
  readonly charged: { readonly cardCents: number; readonly paypalCents: number };
};

export async function readEventReport(connection: Connection, eventId: number): Promise<EventReport> {
  const { rows: types } = await sql<ReportedType>`
    with came as (select distinct ticket_id from (${admissions(eventId)}) as scans)
    select type.id, type.title, count(ticket.id)::integer as issued,
           count(ticket.id) filter (where ticket.cancelled_at is not null)::integer as cancelled,
           count(came.ticket_id)::integer as came,
           coalesce(sum(line.price_cents - ticket.discount_cents), 0)::bigint as "paidCents",
           coalesce(sum(line.price_cents - ticket.discount_cents)
             filter (where refunds.state = 'succeeded'), 0)::bigint as "refundedCents"
      from ticket_types type
      left join (ticket_orders orders
                 join tickets ticket on ticket.order_id = orders.id
                 join ticket_order_lines line on line.order_id = orders.id and line.type_id = ticket.type_id
                 left join refunds on refunds.id = ticket.refund_id
                 left join came on came.ticket_id = ticket.id)
        on orders.event_id = type.event_id and ticket.type_id = type.id
     where type.event_id = ${eventId}
     group by type.id order by type.position, type.id`.execute(connection);
  const money = await sumMoney(connection, eventId);
  const ofTickets = types.reduce((sum, { refundedCents }) => sum + refundedCents, 0);
  const { rows: staffRows } = await sql<{ given: number }>`
    select count(*)::integer as given from ticket_orders orders join tickets on tickets.order_id = orders.id
     where event_id = ${eventId} and sold_by is not null and taken_cents = 0`.execute(connection);
  const { rows: chargedRows } = await sql<EventReport["charged"]>`
    select coalesce(sum(amount_cents) filter (where provider = 'payway'), 0)::bigint as "cardCents",
           coalesce(sum(amount_cents) filter (where provider = 'braintree'), 0)::bigint as "paypalCents"
      from ticket_orders orders join payment_attempts attempt on attempt.id = orders.paid_attempt_id
     where orders.event_id = ${eventId}`.execute(connection);
  return {
    types,
    otherRefundsCents: money.refundedCents - money.refusedRefundedCents - ofTickets,
    refused: { paidCents: money.refusedCents, refundedCents: money.refusedRefundedCents },
    byStaff: { given: staffRows[0]!.given, takenCents: money.takenCents, toGiveBackCents: money.toGiveBackCents },
    charged: chargedRows[0]!,
  };
}

type Attendance = {
  readonly holder: string;
  readonly type: string;
  /** As printed on the ticket. */
  readonly number: string;
  readonly order: string;
  readonly isCancelled: boolean;
  /** When its holder came in first, and by which door; null if nobody did. */
  readonly cameAt: Date | null;
  readonly place: string;
};

/** Every ticket of an event, by the holder’s name. */
export async function listAttendance(connection: Connection, eventId: number): Promise<Attendance[]> {
  const { rows } = await sql<Omit<Attendance, "number"> & { serial: Buffer }>`
    with came as (
      select distinct on (ticket_id) ticket_id, scanned_at, phone from (${admissions(eventId)}) as scans
       order by ticket_id, number
    )
    select ticket.holder_name as holder, type.title as type, ticket.serial, orders.reference as "order",
           ticket.cancelled_at is not null as "isCancelled", came.scanned_at as "cameAt", coalesce(came.phone, '') as place
      from ticket_orders orders
      join tickets ticket on ticket.order_id = orders.id
      join ticket_types type on type.id = ticket.type_id
      left join came on came.ticket_id = ticket.id
     where orders.event_id = ${eventId}
     order by lower(ticket.holder_name), orders.paid_at, ticket.position`.execute(connection);
  return rows.map(({ serial, ...row }) => ({ ...row, number: ticketNumber(serial) }));
}
