import { sql } from "kysely";
import { z } from "zod";
import type { PaymentState } from "#payments/states.ts";
import type { Connection } from "#shared/database/connect.ts";
import { countGuestDonations } from "../guest-donations.ts";

export type PersonWithDonations = Awaited<ReturnType<typeof findPerson>>;
export type PersonDonation = PersonWithDonations["donations"][number];

/** The most donations that the page lists; the sums include all of them. */
export const MAX_LISTED = 200;

/** Null if there is no such donation, or it was erased. */
export async function findDonorEmail(connection: Connection, donationId: string): Promise<string | null> {
  if (!z.uuid().safeParse(donationId).success) return null;
  const donation = connection.selectFrom("donations").select("email").where("id", "=", donationId);
  return (await donation.executeTakeFirst())?.email || null;
}

/** Everything that was given under an email address, and its account. */
export async function findPerson(connection: Connection, email: string) {
  const [donations, years, names, account, guest] = await Promise.all([
    listDonations(connection, email),
    sumYears(connection, email),
    listNames(connection, email),
    findAccount(connection, email),
    countGuestDonations(connection, email),
  ]);
  return { email, donations, years, names, account, guest };
}

type Listed = {
  readonly id: string;
  readonly reference: string;
  readonly at: Date;
  readonly totalCents: number;
  readonly refundedCents: number;
  readonly state: PaymentState | null;
  /** The request for a refund that waits for approval, if there is one. */
  readonly refundRequest: string | null;
  readonly receipt: number | null;
  readonly lines: readonly { readonly fund: string; readonly title: string }[];
};

/** Latest first. */
async function listDonations(connection: Connection, email: string): Promise<Listed[]> {
  const { rows } = await sql<Listed>`
    select donation.id, donation.reference, donation.created_at as at, donation.total_cents as "totalCents",
           payment.state, request.id as "refundRequest", coalesce(refunded.cents, 0)::integer as "refundedCents",
           (select number from receipts where donation_id = donation.id and is_latest and voided_at is null) as receipt,
           (select json_agg(json_build_object('fund', fund, 'title', category_title) order by position)
              from donation_lines where donation_id = donation.id) as lines
      from donations donation
      left join refund_requests request on request.donation_id = donation.id and request.decision is null
      left join lateral (
        select id, state from payment_attempts where donation_id = donation.id
         order by state in ('failed', 'cancelled', 'not_found'), created_at desc limit 1) payment on true
      left join lateral (
        select sum(amount_cents) as cents from refunds where attempt_id = payment.id and state = 'succeeded') refunded on true
     where donation.email <> '' and lower(donation.email) = lower(${email})
     order by donation.created_at desc, donation.id desc limit ${MAX_LISTED}`.execute(connection);
  return rows;
}

type Year = {
  /** The year in which it ends: 2027 for 2026–27. */
  readonly endsIn: number;
  readonly count: number;
  readonly first: Date;
  readonly givenCents: number;
  readonly refundedCents: number;
};

/** What was paid in each Australian financial year, which begins in July, and how much of that was refunded since. */
async function sumYears(connection: Connection, email: string): Promise<Year[]> {
  const { rows } = await sql<Year>`
    select extract(year from (payment.sent_at at time zone 'Australia/Sydney') + interval '6 months')::integer as "endsIn",
           count(*)::integer as count, min(donation.created_at) as first, sum(payment.amount_cents)::bigint as "givenCents",
           coalesce(sum(refunded.cents), 0)::bigint as "refundedCents"
      from donations donation
      join payment_attempts payment on payment.donation_id = donation.id
       and payment.state in ('succeeded', 'succeeded_late', 'partially_refunded', 'disputed', 'refunded')
      left join lateral (
        select sum(amount_cents) as cents from refunds where attempt_id = payment.id and state = 'succeeded') refunded on true
     where donation.email <> '' and lower(donation.email) = lower(${email})
     group by 1 order by 1 desc`.execute(connection);
  return rows;
}

/** The names and post codes given under this address, latest first, without those of anonymous donations. */
async function listNames(connection: Connection, email: string) {
  const { rows } = await sql<{ name: string; postcode: string | null }>`
    select first_name || ' ' || last_name as name, postcode from donations
     where email <> '' and lower(email) = lower(${email}) and not is_anonymous
     group by 1, 2 order by max(created_at) desc limit 10`.execute(connection);
  return rows;
}

function findAccount(connection: Connection, email: string) {
  return connection
    .selectFrom("users")
    .select(["id", "first_name", "last_name", "mobile", "city", "state", "postcode", "country"])
    .select(["email_verified_at", "created_at"])
    .where(({ fn, ref }) => fn("lower", [ref("email")]), "=", email.toLowerCase())
    .executeTakeFirst();
}
