import { sql } from "kysely";
import { compileQuery } from "#shared/database/compile-query.ts";
import type { Database } from "#shared/database/connect.ts";
import type { ExportPlan } from "#shared/database/read-in-batches.ts";
import { allOf, isInTime, passesFilter, searchConditions } from "./conditions.ts";
import type { DonationFilter } from "./donation-filter.ts";
import type { Row } from "./read-donations.ts";
import { readSearchTerms } from "./search-terms.ts";

/** Finds out what search words mean, and plans the export of all donations that pass the filter. */
export async function planExport(
  database: Database,
  { filter, withGifts }: { filter: DonationFilter; withGifts: boolean },
): Promise<ExportPlan> {
  const terms = await readSearchTerms(database, filter.q);
  const conditions = [...isInTime(filter), ...passesFilter(filter, false)];
  if (terms !== null) {
    const alternatives = searchConditions(terms);
    conditions.push(
      alternatives.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(alternatives, sql` or `)})`,
    );
  }
  return compileQuery(everything(conditions, withGifts));
}

const inSydney = (at: ReturnType<typeof sql>) =>
  sql`to_char(${at} at time zone 'Australia/Sydney', 'YYYY-MM-DD HH24:MI:SS')`;

/** A donation has at most one payment that is not in these states. */
const isLive = sql`not in ('failed', 'cancelled', 'not_found')`;

/** Uses joins, which the planner may reorder. They select the same payment as `paymentOf`. */
function everything(conditions: Parameters<typeof allOf>[0], withGifts: boolean) {
  const ofPayment = (column: string) => sql`coalesce(${sql.ref(`live.${column}`)}, ${sql.ref(`other.${column}`)})`;
  return sql<Row>`
    select ${inSydney(sql`d.created_at`)} as "givenAt", d.reference, d.is_anonymous as "isAnonymous",
      d.first_name as "firstName", d.last_name as "lastName", d.email, d.postcode, d.method,
      d.subtotal_cents as "subtotalCents", d.admin_fee_cents as "adminFeeCents",
      d.merchant_fee_cents as "merchantFeeCents", d.total_cents as "totalCents", d.currency,
      ${ofPayment("state")} as state, ${ofPayment("provider")} as provider,
      ${ofPayment("order_reference")} as "paymentReference",
      case when live.id is null then other.provider_transaction_id else live.provider_transaction_id end
        as "transactionId",
      receipt.number as "receiptNumber", refunded.refunds,
      ${withGifts ? line : sql`null as "lineTitle"`}
    from donations d
    left join payment_attempts live on live.donation_id = d.id and live.state ${isLive}
    left join lateral (
      select * from payment_attempts a where a.donation_id = d.id and live.id is null
       order by a.created_at desc, a.id limit 1) other on true
    left join receipts receipt on receipt.donation_id = d.id and receipt.is_latest
    left join (
      select r.attempt_id, jsonb_agg(jsonb_build_object(
          'at', ${inSydney(sql`r.settled_at`)}, 'reference', r.order_reference,
          'transactionId', r.provider_transaction_id, 'kind', r.kind, 'cents', r.amount_cents,
          'adminFeeCents', fees.admin_cents, 'merchantFeeCents', fees.merchant_cents)
          order by r.created_at, r.id) as refunds
        from refunds r cross join lateral ${feesOfRefund} fees
       where r.state = 'succeeded' group by r.attempt_id) refunded on refunded.attempt_id = live.id
    ${withGifts ? sql`left join donation_lines l on l.donation_id = d.id` : sql``}
    where ${allOf(conditions)}
    order by d.created_at desc, d.id desc${withGifts ? sql`, l.position` : sql``}`;
}

const feesOfRefund = sql`(
  select coalesce(sum(amount_cents) filter (where account = 'fees:admin'), 0)::bigint as admin_cents,
         coalesce(sum(amount_cents) filter (where account = 'fees:merchant'), 0)::bigint as merchant_cents
    from ledger_entries where refund_id = r.id)`;

const line = sql`l.category_title as "lineTitle", l.subcategory_title as "linePart", l.line_cents as "lineCents"`;
