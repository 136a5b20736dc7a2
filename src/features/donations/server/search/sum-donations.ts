import { sql } from "kysely";
import { paidStates } from "#payments/states.ts";
import type { Database } from "#shared/database/connect.ts";
import { transact } from "#shared/database/transact.ts";
import { allOf, type Condition, isInTime, passesFilter, waysToMean } from "./conditions.ts";
import type { DonationFilter } from "./donation-filter.ts";
import { settleForSearch } from "./find-donations.ts";
import { paymentOf } from "./list-donations.ts";
import { seek } from "./seek.ts";

export const MOST_COUNTED = 10_000;
const MOST_MS = 150;

export type DonationSums = {
  readonly count: number;
  readonly givenCents: number;
  readonly feeCents: number;
  /** The part of the fees that is for administration. */
  readonly adminFeeCents: number;
  readonly refundedCents: number;
};

/** `many`: more than 10,000 donations. `slow`: they could not be counted in the time that the list waits for it. */
export type Counted = DonationSums | "many" | "slow";

/** The sums of all donations that pass the filter. */
export async function sumDonations(database: Database, filter: DonationFilter, mostMs = MOST_MS): Promise<Counted> {
  try {
    return await transact<Counted>(database, async (transaction) => {
      await settleForSearch(transaction, mostMs);
      const sought = await seek(transaction, filter.q);
      const ways = sought === null ? [] : waysToMean(sought);
      if (sought !== null && ways.length === 0) return { result: nothing };
      const means: Condition[] = ways.length === 0 ? [] : [sql<boolean>`(${sql.join(ways, sql` or `)})`];
      const { rows } = await sql<DonationSums>`
        with found as materialized (
          select d.* from donations d
           where ${allOf([...isInTime(filter), ...passesFilter(filter, false), ...means])} limit ${MOST_COUNTED + 1})
        select count(*) as count,
          coalesce(sum(d.total_cents) filter (where payment.state in (${paid})), 0)::bigint as "givenCents",
          coalesce(sum(d.admin_fee_cents + d.merchant_fee_cents) filter (where payment.state in (${paid})), 0)::bigint
            as "feeCents",
          coalesce(sum(d.admin_fee_cents) filter (where payment.state in (${paid})), 0)::bigint as "adminFeeCents",
          coalesce(sum((select sum(r.amount_cents) from refunds r
            where r.attempt_id = payment.id and r.state = 'succeeded')), 0)::bigint as "refundedCents"
        from found d left join lateral ${paymentOf} payment on true`.execute(transaction);
      const sums = rows[0]!;
      return { result: sums.count > MOST_COUNTED ? "many" : sums };
    });
  } catch (error) {
    if ((error as { code?: string }).code === QUERY_CANCELED) return "slow";
    throw error;
  }
}

const nothing: DonationSums = { count: 0, givenCents: 0, feeCents: 0, adminFeeCents: 0, refundedCents: 0 };
const paid = sql.join(paidStates.map((state) => sql.lit(state)));
/** PostgreSQL's error code for a statement that took too long. */
export const QUERY_CANCELED = "57014";
