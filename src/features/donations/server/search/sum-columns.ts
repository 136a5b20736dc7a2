import { sql } from "kysely";
import { paidStateList } from "#payments/attempts.ts";
import { paymentOf } from "./list-donations.ts";

/** More donations than this are not added up one by one for a screen. */
export const MAX_COUNTED = 10_000;

export type DonationSums = {
  readonly count: number;
  readonly givenCents: number;
  readonly feeCents: number;
  /** The part of the fees that is for administration. */
  readonly adminFeeCents: number;
  readonly refundedCents: number;
  readonly paidCount: number;
};

export const noSums: DonationSums = {
  count: 0,
  givenCents: 0,
  feeCents: 0,
  adminFeeCents: 0,
  refundedCents: 0,
  paidCount: 0,
};

export const isPaidDonation = sql`payment.state in ${paidStateList}`;

/** The payment that counts for each donation `d`. */
export const paymentJoined = sql`left join lateral ${paymentOf} payment on true`;

/** The sums of donations `d` with their payments, in the order of `DonationSums`, without `paidCount`. */
export const sumColumns = sql`count(*),
  coalesce(sum(d.total_cents) filter (where ${isPaidDonation}), 0)::bigint,
  coalesce(sum(d.admin_fee_cents + d.merchant_fee_cents) filter (where ${isPaidDonation}), 0)::bigint,
  coalesce(sum(d.admin_fee_cents) filter (where ${isPaidDonation}), 0)::bigint,
  coalesce(sum((select sum(r.amount_cents) from refunds r
    where r.attempt_id = payment.id and r.state = 'succeeded')), 0)::bigint`;
