import { sql } from "kysely";
import { undecidedStates } from "#payments/states.ts";
import type { ProviderName } from "#payments/tables.ts";
import type { Connection } from "#shared/database/connect.ts";
import { takenForTickets } from "../order-money.ts";

/** What calling off an event would do at this moment. */
export type CallOffOutlook = {
  /** Paid and free orders, their valid tickets, and how many people bought them, by email address if they gave one. */
  readonly orders: number;
  readonly tickets: number;
  readonly people: number;
  /** Orders without an email, such as those sold at the door: nothing tells their buyers. */
  readonly withoutEmail: number;
  /** Orders that nothing was paid for. */
  readonly free: number;
  /** What staff took themselves, at the door, for the valid tickets, in cents. */
  readonly takenCents: number;
  /** What would be refunded by each provider, in cents. */
  readonly refunds: Readonly<Record<ProviderName, number>>;
  /** Payments of which it is not known yet whether they are charged. */
  readonly undecided: number;
};

export async function readCallOffOutlook(connection: Connection, eventId: number): Promise<CallOffOutlook> {
  const { rows } = await sql<Omit<CallOffOutlook, "refunds"> & Record<ProviderName, number>>`
    with bought as (
      select o.id, o.email, o.total_cents, ${takenForTickets(sql`ticket.cancelled_at is null`)} as taken_cents, attempt.provider,
             attempt.amount_cents - (select coalesce(sum(amount_cents), 0) from refunds
                                      where attempt_id = attempt.id and state <> 'failed') as left_cents
        from ticket_orders o left join payment_attempts attempt on attempt.id = o.paid_attempt_id
       where o.event_id = ${eventId} and o.state = 'paid'
    )
    select count(*)::integer as orders, count(distinct coalesce(nullif(lower(email), ''), id::text))::integer as people,
           count(*) filter (where email = '')::integer as "withoutEmail",
           count(*) filter (where total_cents = 0 and taken_cents = 0)::integer as free,
           coalesce(sum(taken_cents), 0)::bigint as "takenCents",
           coalesce(sum(left_cents) filter (where provider = 'payway'), 0)::bigint as payway,
           coalesce(sum(left_cents) filter (where provider = 'braintree'), 0)::bigint as braintree,
           (select count(*)::integer from tickets
             where cancelled_at is null and order_id in (select id from bought)) as tickets,
           (select count(*)::integer from payment_attempts attempt join ticket_orders on ticket_orders.id = ticket_order_id
             where event_id = ${eventId} and attempt.state::text = any(${undecidedStates}::text[])) as undecided
      from bought`.execute(connection);
  const { payway, braintree, ...counts } = rows[0]!;
  return { ...counts, refunds: { payway, braintree } };
}

/** How far an event that was called off is, in orders. */
export type CallOffProgress = {
  /** Not cancelled yet. */
  readonly waiting: number;
  readonly refunded: number;
  readonly underWay: number;
  readonly needSomebody: number;
  readonly free: number;
  /** Orders that staff took money for at the door, and how much for what was called off, in cents. */
  readonly takenOrders: number;
  readonly takenCents: number;
  readonly undecided: number;
  readonly refundedCents: number;
  readonly underWayCents: number;
};

/** An order of a called-off event whose money is not on its way back. */
export type UnrefundedOrder = {
  readonly id: string;
  readonly reference: string;
  /** Empty once erased. */
  readonly name: string;
  readonly email: string;
  readonly leftCents: number;
  readonly isDisputed: boolean;
  readonly provider: ProviderName;
  /** What the provider said about the last refund; null if there was none. */
  readonly providerStatus: string | null;
};

/** What staff took for the tickets of an order `o` that were still valid when its event was called off, in cents. */
const takenWhenCalledOff = takenForTickets(sql`ticket.cancelled_at = o.called_off_at`);

export async function sumTakenWhenCalledOff(connection: Connection, orderId: string): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select ${takenWhenCalledOff} as cents from ticket_orders o where id = ${orderId}`.execute(connection);
  return rows[0]!.cents;
}

/** Each called-off order of an event with its payment, and where its refunds are. A refund by hand counts as made. */
const calledOff = (eventId: number) => sql`
  select o.id, o.reference, trim(o.first_name || ' ' || o.last_name) as name, o.email, o.created_at,
         ${takenWhenCalledOff} as taken_cents, attempt.id as attempt_id, attempt.provider,
         attempt.state = 'disputed' as "isDisputed", made.cents as refunded_cents,
         made.open_cents, attempt.amount_cents - made.cents - made.open_cents as left_cents,
         (select provider_status from refunds where attempt_id = attempt.id order by created_at desc limit 1) as "providerStatus",
         exists (select from refunds_by_hand join refunds on refunds.id = refund_id
                  where attempt_id = attempt.id and refunds.created_at >= o.called_off_at) as is_by_hand
    from ticket_orders o
    left join payment_attempts attempt on attempt.id = o.paid_attempt_id
    cross join lateral (
      select coalesce(sum(amount_cents) filter (where state = 'succeeded'), 0) as cents,
             coalesce(sum(amount_cents) filter (where state not in ('succeeded', 'failed')), 0) as open_cents
        from refunds where attempt_id = attempt.id) made
   where o.event_id = ${eventId} and o.called_off_at is not null`;

const needsSomebody = sql`(left_cents > 0 and not is_by_hand)`;

export async function readCallOffProgress(connection: Connection, eventId: number): Promise<CallOffProgress> {
  const { rows } = await sql<CallOffProgress>`
    with called_off as (${calledOff(eventId)})
    select (select count(*)::integer from ticket_orders where event_id = ${eventId} and state = 'paid') as waiting,
           count(*) filter (where attempt_id is null and taken_cents = 0)::integer as free,
           count(*) filter (where taken_cents > 0)::integer as "takenOrders",
           coalesce(sum(taken_cents), 0)::bigint as "takenCents",
           count(*) filter (where ${needsSomebody})::integer as "needSomebody",
           count(*) filter (where not ${needsSomebody} and open_cents > 0)::integer as "underWay",
           count(*) filter (where not ${needsSomebody} and open_cents = 0)::integer as refunded,
           coalesce(sum(refunded_cents), 0)::bigint as "refundedCents",
           coalesce(sum(open_cents), 0)::bigint as "underWayCents",
           (select count(*)::integer from payment_attempts attempt join ticket_orders on ticket_orders.id = ticket_order_id
             where event_id = ${eventId} and attempt.state::text = any(${undecidedStates}::text[])) as undecided
      from called_off`.execute(connection);
  return rows[0]!;
}

/** More than anybody deals with before reloading. */
const MAX_LISTED = 200;

/** An order whose money was taken at the door, for whoever gives it back. */
export type TakenOrder = Pick<UnrefundedOrder, "id" | "reference" | "name" | "email"> & { readonly takenCents: number };

export async function listTakenAtDoor(connection: Connection, eventId: number): Promise<TakenOrder[]> {
  const { rows } = await sql<TakenOrder>`
    with called_off as (${calledOff(eventId)})
    select id, reference, name, email, taken_cents as "takenCents"
      from called_off where taken_cents > 0 order by created_at, id limit ${MAX_LISTED}`.execute(connection);
  return rows;
}

export async function listUnrefunded(connection: Connection, eventId: number): Promise<UnrefundedOrder[]> {
  const { rows } = await sql<UnrefundedOrder>`
    with called_off as (${calledOff(eventId)})
    select id, reference, name, email, left_cents as "leftCents", "isDisputed", provider, "providerStatus"
      from called_off where ${needsSomebody} order by created_at, id limit ${MAX_LISTED}`.execute(connection);
  return rows;
}
