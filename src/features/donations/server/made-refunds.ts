import { sql } from "kysely";
import type { Place } from "#admin/list-place.ts";
import type { RefundKind } from "#payments/tables.ts";
import type { Connection } from "#shared/database/connect.ts";
import { allOf, type Condition, isInTime } from "./search/conditions.ts";
import { type DonationFilter, noFilter } from "./search/donation-filter.ts";

/** Selects refunds by the day they were made, and by the method or fund of their donations. */
type MadeFilter = Pick<DonationFilter, "from" | "until" | "method" | "fund">;

export type MadeRefund = {
  /** The id in the address of its screen. */
  readonly id: string;
  readonly refundId: string;
  readonly at: Date;
  readonly reference: string;
  /** Null for an anonymous donor, or one whose details were erased. */
  readonly donorName: string | null;
  readonly method: "cc" | "pp";
  readonly kind: RefundKind;
  /** Only the part of the fund, if the filter has one. */
  readonly cents: number;
};

/** The ledger's entries for refunds of donations, which the reports add up by the time of posting. */
function entries({ from, until, method }: Omit<MadeFilter, "fund">, account: Condition) {
  return sql`ledger_entries entry join payment_attempts attempt on attempt.id = entry.attempt_id
     where entry.refund_id is not null and attempt.donation_id is not null and ${account}
       and ${allOf(isInTime({ ...noFilter, from, until }, sql`entry.at`))}
       and ${method === null ? sql`true` : sql`attempt.provider = ${method === "cc" ? "payway" : "braintree"}`}`;
}

function moved({ fund, ...filter }: MadeFilter) {
  const [account, cents] =
    fund === null
      ? [sql<boolean>`entry.account like 'receivable:%'`, sql`-sum(entry.amount_cents)`]
      : [sql<boolean>`entry.account = ${`donations:${fund}`}`, sql`sum(entry.amount_cents)`];
  return sql`
    select entry.refund_id, max(entry.at) as at, attempt.donation_id, ${cents}::bigint as cents
      from ${entries(filter, account)}
     group by entry.refund_id, attempt.donation_id having sum(entry.amount_cents) <> 0`;
}

/** The refunds that were made, latest first, after a place in the list. */
export async function listMadeRefunds(
  connection: Connection,
  filter: MadeFilter,
  { limit, after }: { limit: number; after: Place | null },
): Promise<MadeRefund[]> {
  const isPast = after === null ? sql`true` : sql`(at, refund_id) < (${after.at}::timestamptz, ${after.id}::uuid)`;
  const { rows } = await sql<MadeRefund>`
    with page as materialized (
      select * from (${moved(filter)}) moved where ${isPast} order by at desc, refund_id desc limit ${limit})
    select coalesce(request.id, page.refund_id) as id, page.refund_id as "refundId", page.at, page.cents,
           donations.reference, donations.method, refund.kind,
           case when not is_anonymous then nullif(trim(first_name || ' ' || last_name), '') end as "donorName"
      from page join donations on donations.id = page.donation_id join refunds refund on refund.id = page.refund_id
      left join refund_requests request on request.refund_id = page.refund_id
     order by page.at desc, page.refund_id desc`.execute(connection);
  return [...rows];
}

export type MadeSums = {
  readonly count: number;
  readonly cents: number;
  /** The parts of `cents` that were fees; none with a fund. */
  readonly adminFeeCents: number;
  readonly merchantFeeCents: number;
};

/** Their number and their sums. */
export async function sumMadeRefunds(connection: Connection, filter: MadeFilter): Promise<MadeSums> {
  const { rows } = await sql<Pick<MadeSums, "count" | "cents">>`
    select count(*) as count, coalesce(sum(cents), 0)::bigint as cents from (${moved(filter)}) moved`.execute(
    connection,
  );
  if (filter.fund !== null) return { ...rows[0]!, adminFeeCents: 0, merchantFeeCents: 0 };
  const fees = await sql<Omit<MadeSums, "count" | "cents">>`
    select coalesce(sum(entry.amount_cents) filter (where entry.account = 'fees:admin'), 0)::bigint as "adminFeeCents",
           coalesce(sum(entry.amount_cents) filter (where entry.account = 'fees:merchant'), 0)::bigint as "merchantFeeCents"
      from ${entries(filter, sql<boolean>`entry.account in ('fees:admin', 'fees:merchant')`)}`.execute(connection);
  return { ...rows[0]!, ...fees.rows[0]! };
}
