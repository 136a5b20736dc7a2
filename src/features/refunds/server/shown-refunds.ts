import { type RawBuilder, sql } from "kysely";
import type { Place } from "#admin/list-place.ts";
import { paidStateList } from "#payments/attempts.ts";
import type { PaymentSubject } from "#payments/context.ts";
import type { Connection } from "#shared/database/connect.ts";
import type { RefundGroup, ShownRefund } from "./shown-refund.ts";

type Row = {
  readonly id: string;
  readonly at: Date;
  readonly amount: number;
  readonly kind_of: ShownRefund["of"]["kind"];
  readonly of: string;
  readonly reference: string;
  readonly payer: string | null;
  readonly total: number;
  readonly event: string;
  readonly payment: ShownRefund["payment"]["state"];
  readonly provider: ShownRefund["payment"]["provider"];
  readonly requester: number | null;
  readonly isReversal: boolean;
  readonly requesterName: string;
  readonly reason: string;
  readonly left: number;
  readonly limit: number;
  readonly tickets: number;
  readonly decision: NonNullable<ShownRefund["request"]>["decision"];
  readonly decider: number | null;
  readonly deciderName: string;
  readonly decidedAt: Date | null;
  readonly decisionReason: string;
  readonly refund: string | null;
  readonly state: NonNullable<ShownRefund["refund"]>["state"];
  readonly kind: NonNullable<ShownRefund["refund"]>["kind"];
  readonly refundReference: string;
  readonly by: NonNullable<ShownRefund["refund"]>["requestedBy"];
  readonly providerStatus: string | null;
  readonly nextCheckAt: Date | null;
  readonly settledAt: Date | null;
  readonly handName: string | null;
  readonly handAt: Date | null;
  readonly handNote: string | null;
};

/** Refunds that failed, were not dealt with by hand, and were not followed by another refund of the same payment. */
const needsPerson = sql`refund.state = 'failed'
  and not exists (select from refunds_by_hand where refund_id = refund.id)
  and not exists (select from refunds later
                   where later.attempt_id = refund.attempt_id and later.created_at > refund.created_at
                     and later.state <> 'failed')`;

/** The columns for a `request` with its `refund`, and for a `refund` with its `attempt` that nobody requested here. */
type Filter = { readonly request: RawBuilder<unknown>; readonly refund: RawBuilder<unknown> };

const isUnderWay = sql`refund.state in ('requested', 'submitting', 'unknown')`;
const isOver = sql`(refund.state = 'succeeded' or (refund.state = 'failed' and not (${needsPerson})))`;

const groups: Readonly<Record<RefundGroup, Filter>> = {
  "to approve": { request: sql`request.decision is null`, refund: sql`false` },
  "under way": { request: isUnderWay, refund: isUnderWay },
  failed: { request: needsPerson, refund: needsPerson },
  done: { request: sql`request.decision is not null and (refund.id is null or ${isOver})`, refund: isOver },
};

/** Latest first. Both halves are limited before anything is joined to them, so that later pages are not slower. */
async function select(connection: Connection, filter: Filter, limit: number): Promise<ShownRefund[]> {
  const { rows } = await sql<Row>`
    with requests as (
      select request.id, request.id as request_id, refund.id as refund_id, request.requested_at as at,
             request.amount_cents,
             coalesce(
               refund.attempt_id,
               (select paid_attempt_id from ticket_orders where id = request.ticket_order_id),
               (select id from payment_attempts where donation_id = request.donation_id and state in ${paidStateList})
             ) as attempt_id
        from refund_requests request left join refunds refund on refund.id = request.refund_id
       where ${filter.request}
       order by request.requested_at desc, request.id desc limit ${limit}
    ), others as (
      select refund.id, null::uuid as request_id, refund.id as refund_id, refund.created_at as at,
             refund.amount_cents, refund.attempt_id
        from refunds refund join payment_attempts attempt on attempt.id = refund.attempt_id
       where (${filter.refund})
         and not exists (select from refund_requests where refund_id = refund.id)
       order by refund.created_at desc, refund.id desc limit ${limit}
    ), entries as materialized (
      select * from requests union all select * from others order by at desc, id desc limit ${limit}
    )
    select entries.id, entries.at, entries.amount_cents as amount,
           case when donations.id is null then 'ticket_order' else 'donation' end as kind_of,
           coalesce(donations.id, orders.id) as of, coalesce(donations.reference, orders.reference) as reference,
           coalesce(donations.total_cents, orders.total_cents) as total, coalesce(event.title, '') as event,
           case when donations.is_anonymous then null
                else nullif(trim(coalesce(donations.first_name || ' ' || donations.last_name,
                                          orders.first_name || ' ' || orders.last_name)), '') end as payer,
           attempt.state as payment, attempt.provider,
           request.requested_by as requester, requester.name as "requesterName",
           coalesce(request.reason, refund.reason) as reason, request.left_cents as left,
           request.limit_cents as limit, coalesce(cardinality(request.ticket_ids), 0) as tickets,
           request.is_reversal as "isReversal", request.decision, request.decided_by as decider,
           decider.name as "deciderName", request.decided_at as "decidedAt", request.decision_reason as "decisionReason",
           refund.id as refund, refund.state, refund.kind, refund.order_reference as "refundReference",
           refund.requested_by as by, refund.provider_status as "providerStatus", refund.next_check_at as "nextCheckAt",
           refund.settled_at as "settledAt",
           hand.name as "handName", by_hand.done_at as "handAt", by_hand.note as "handNote"
      from entries
      join payment_attempts attempt on attempt.id = entries.attempt_id
      left join donations on donations.id = attempt.donation_id
      left join ticket_orders orders on orders.id = attempt.ticket_order_id
      left join events event on event.id = orders.event_id
      left join refund_requests request on request.id = entries.request_id
      left join staff requester on requester.id = request.requested_by
      left join staff decider on decider.id = request.decided_by
      left join refunds refund on refund.id = entries.refund_id
      left join refunds_by_hand by_hand on by_hand.refund_id = refund.id
      left join staff hand on hand.id = by_hand.done_by
     order by entries.at desc, entries.id desc`.execute(connection);
  return rows.map(show);
}

function show(row: Row): ShownRefund {
  const { kind_of: kind, of: id, reference, payer, total, event, payment, provider } = row;
  return {
    id: row.id,
    at: row.at,
    amountCents: row.amount,
    reason: row.reason,
    of: { kind, id, reference, payerName: payer, totalCents: total, event },
    payment: { state: payment, provider },
    request:
      row.requester === null
        ? null
        : {
            by: { id: row.requester, name: row.requesterName },
            leftCents: row.left,
            limitCents: row.limit,
            tickets: row.tickets,
            decision: row.decision,
            isReversal: row.isReversal,
            decidedBy: row.decider === null ? null : { id: row.decider, name: row.deciderName },
            decidedAt: row.decidedAt,
            decisionReason: row.decisionReason,
          },
    refund:
      row.refund === null
        ? null
        : {
            id: row.refund,
            state: row.state,
            kind: row.kind,
            reference: row.refundReference,
            requestedBy: row.by,
            providerStatus: row.providerStatus,
            nextCheckAt: row.nextCheckAt,
            settledAt: row.settledAt,
            byHand: row.handAt === null ? null : { by: row.handName!, at: row.handAt, note: row.handNote! },
          },
  };
}

/** By the id of its request or, without one, of the refund; a refund's id leads to its request, too. */
export async function findShownRefund(connection: Connection, id: string): Promise<ShownRefund | undefined> {
  return (
    await select(
      connection,
      { request: sql`${id} in (request.id, request.refund_id)`, refund: sql`refund.id = ${id}` },
      1,
    )
  )[0];
}

/** The refunds of a donation or ticket order, the latest first. */
export function listRefundsOf(connection: Connection, { kind, id }: PaymentSubject): Promise<ShownRefund[]> {
  const column = sql.raw(kind === "donation" ? "donation_id" : "ticket_order_id");
  return select(connection, { request: sql`request.${column} = ${id}`, refund: sql`attempt.${column} = ${id}` }, 200);
}

/** One group of refunds, latest first, after a place in it; without the requests of the person `notBy`. */
export function listRefundGroup(
  connection: Connection,
  group: RefundGroup,
  { limit, after = null, notBy }: { limit: number; after?: Place | null; notBy?: number },
): Promise<ShownRefund[]> {
  const { refund } = groups[group];
  const request =
    notBy === undefined
      ? groups[group].request
      : sql`(${groups[group].request}) and request.requested_by is distinct from ${notBy}`;
  if (after === null) return select(connection, { request, refund }, limit);
  const place = sql`(${after.at}::timestamptz, ${after.id}::uuid)`;
  return select(
    connection,
    {
      request: sql`(${request}) and (request.requested_at, request.id) < ${place}`,
      refund: sql`(${refund}) and (refund.created_at, refund.id) < ${place}`,
    },
    limit,
  );
}

/** For a dashboard: the numbers of others' requests that wait, and of refunds that a person should check. */
export async function countRefundsToDo(
  connection: Connection,
  { notBy }: { notBy: number },
): Promise<{ toApprove: number; failed: number }> {
  const { rows } = await sql<{ toApprove: number; failed: number }>`
    select (select count(*) from refund_requests where decision is null and requested_by is distinct from ${notBy}) as "toApprove",
           (select count(*) from refunds refund where ${needsPerson}) as failed`.execute(connection);
  return rows[0]!;
}
