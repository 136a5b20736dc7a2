import { sql } from "kysely";
import { cutPage, type ListPage, type PageEdges } from "#admin/list-place.ts";
import type { Connection } from "#shared/database/connect.ts";
import { toGiveBackOfOrder } from "../order-money.ts";
import type { TicketOrderState } from "../tables.ts";
import { type OrderFilter, whereOrders } from "./order-filter.ts";

export type ListedOrder = {
  readonly id: string;
  readonly reference: string;
  readonly at: Date;
  /** Empty once erased. */
  readonly name: string;
  readonly email: string;
  readonly event: string;
  readonly state: TicketOrderState;
  readonly holdUntil: Date;
  /** What was to be paid by card or PayPal, and what staff took at the door. */
  readonly totalCents: number;
  readonly takenCents: number;
  /** How many tickets were issued or, before that, wanted; and how many are cancelled. */
  readonly tickets: number;
  readonly cancelled: number;
  readonly isCalledOff: boolean;
  /** The id of a refund that waits for approval, if there is one. */
  readonly refundRequest: string | null;
};

type Wanted = Partial<PageEdges> & { readonly filter: OrderFilter; readonly limit: number };

type FoundOrders = ListPage<ListedOrder>;

/** A page of the orders that pass the filter, newest first. */
export async function listOrders(connection: Connection, wanted: Wanted): Promise<FoundOrders> {
  const { filter, olderThan = null, newerThan = null, limit } = wanted;
  const edge = newerThan ?? olderThan;
  const isUpwards = newerThan !== null;
  const direction = sql.raw(isUpwards ? "asc" : "desc");
  const past =
    edge === null
      ? sql`true`
      : sql`(o.created_at, o.id) ${sql.raw(isUpwards ? ">" : "<")} (${edge.at}::timestamptz, ${edge.id}::uuid)`;
  const { rows: found } = await sql<ListedOrder>`
    with page as materialized (
      select o.* from ticket_orders o where ${whereOrders(filter)} and ${past}
       order by o.created_at ${direction}, o.id ${direction} limit ${limit + 1})
    select page.id, page.reference, page.created_at as at, page.email, event.title as event, page.state,
           page.hold_until as "holdUntil", page.total_cents as "totalCents",
           page.taken_cents as "takenCents",
           page.called_off_at is not null as "isCalledOff", trim(page.first_name || ' ' || page.last_name) as name,
           request.id as "refundRequest",
           (select coalesce(sum(quantity), 0)::integer from ticket_order_lines where order_id = page.id) as tickets,
           (select count(*)::integer from tickets where order_id = page.id and cancelled_at is not null) as cancelled
      from page join events event on event.id = page.event_id
      left join refund_requests request on request.ticket_order_id = page.id and request.decision is null
     order by page.created_at ${direction}, page.id ${direction}`.execute(connection);
  return cutPage(found, { limit, edge, isUpwards });
}

export type OrderSums = {
  readonly count: number;
  readonly tickets: number;
  readonly paidCents: number;
  readonly refundedCents: number;
  /** What staff took at the door, which is in none of the others; and the part of it that was for cancelled tickets. */
  readonly takenCents: number;
  readonly toGiveBackCents: number;
};

/** The most orders that are added up: a page never waits for more. */
const MAX_SUMMED = 10_000;

/** The sums of what the filter finds; null if it finds too many. `tickets` are valid ones. */
export async function sumOrders(connection: Connection, filter: OrderFilter): Promise<OrderSums | null> {
  const { rows } = await sql<OrderSums>`
    with found as materialized (
      select o.id, o.total_cents, o.taken_cents, o.paid_at, o.paid_attempt_id,
             ${toGiveBackOfOrder} as to_give_back
        from ticket_orders o where ${whereOrders(filter)} limit ${MAX_SUMMED + 1})
    select count(*)::integer as count,
           coalesce(sum(total_cents) filter (where paid_at is not null), 0)::bigint as "paidCents",
           coalesce(sum(taken_cents) filter (where paid_at is not null), 0)::bigint as "takenCents",
           coalesce(sum(to_give_back), 0)::bigint as "toGiveBackCents",
           (select count(*)::integer from tickets
             where cancelled_at is null and order_id in (select id from found)) as tickets,
           (select coalesce(sum(amount_cents), 0)::bigint from refunds
             where state = 'succeeded' and attempt_id in (select paid_attempt_id from found)) as "refundedCents"
      from found`.execute(connection);
  const sums = rows[0]!;
  return sums.count > MAX_SUMMED ? null : sums;
}

/** The events that have ticket types, the next first, for the filter. */
export function listTicketedEvents(connection: Connection) {
  return connection
    .selectFrom("events")
    .select(["events.id", "events.title", "starts_at"])
    .where(({ exists, selectFrom }) =>
      exists(selectFrom("ticket_types").select("ticket_types.id").whereRef("event_id", "=", "events.id")),
    )
    .orderBy("starts_at", "desc")
    .limit(200)
    .execute();
}
