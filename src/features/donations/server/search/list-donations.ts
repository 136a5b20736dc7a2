import { sql } from "kysely";
import type { PaymentState } from "#payments/states.ts";
import type { Connection, Database } from "#shared/database/connect.ts";
import type { DonationPlace } from "./donation-order.ts";
import { findDonations, type Wanted } from "./find-donations.ts";

export type ListedDonation = DonationPlace & {
  readonly isAnonymous: boolean;
  /** Empty once the donor was erased. */
  readonly name: string;
  readonly email: string;
  readonly method: "cc" | "pp";
  /** The state of its payment: the one that counts, otherwise the last. Null if none was ever sent. */
  readonly state: PaymentState | null;
  /** The request for a refund that waits for approval, if there is one. */
  readonly refundRequest: string | null;
  readonly receiptNumber: number | null;
  readonly funds: readonly { readonly fund: string; readonly title: string }[];
};

type ListedDonations = {
  readonly rows: readonly ListedDonation[];
  /** The previous page ends before this place, and the next one begins after this; null if there is none. */
  readonly previous: DonationPlace | null;
  readonly next: DonationPlace | null;
};

/** A page of donations, with the places where its neighbours begin. */
export async function listDonations(database: Database, wanted: Wanted): Promise<ListedDonations> {
  const { places, previous, next } = await findDonations(database, wanted);
  const rows = places.length === 0 ? [] : await describeDonations(database, places);
  return { rows, previous: (previous && rows.at(0)) || null, next: (next && rows.at(-1)) || null };
}

/** The payment that counts for donation `d`: the live or successful one, otherwise the latest. */
export const paymentOf = sql`(select a.* from payment_attempts a where a.donation_id = d.id
  order by a.state in ('failed', 'cancelled', 'not_found'), a.created_at desc, a.id limit 1)`;

async function describeDonations(connection: Connection, places: readonly DonationPlace[]): Promise<ListedDonation[]> {
  const ids = places.map(({ id }) => id);
  const { rows } = await sql<ListedDonation>`
    select d.id, d.created_at as at, d.is_anonymous as "isAnonymous", trim(d.first_name || ' ' || d.last_name) as name,
      d.email, d.method, d.total_cents as cents, payment.state,
      request.id as "refundRequest",
      (select number from receipts where donation_id = d.id and is_latest) as "receiptNumber",
      (select jsonb_agg(jsonb_build_object('fund', fund, 'title', category_title) order by position)
         from donation_lines where donation_id = d.id) as funds
    from donations d left join lateral ${paymentOf} payment on true
    left join refund_requests request on request.donation_id = d.id and request.decision is null
    where d.id = any(${ids}::uuid[]) order by array_position(${ids}::uuid[], d.id)`.execute(connection);
  return [...rows];
}

/** Whether there is any donation at all. */
export async function hasDonations(connection: Connection): Promise<boolean> {
  return (await connection.selectFrom("donations").select("id").limit(1).executeTakeFirst()) !== undefined;
}

export type StateCounts = { readonly review: number; readonly disputed: number };

/** The donations that need review or are disputed; an index keeps them together. */
export async function countStates(connection: Connection): Promise<StateCounts> {
  const { rows } = await sql<StateCounts>`
    select count(*) filter (where state = 'unknown') as review, count(*) filter (where state = 'disputed') as disputed
      from payment_attempts
     where state in ('unknown', 'disputed') and state <> 'succeeded' and donation_id is not null`.execute(connection);
  return rows[0]!;
}
