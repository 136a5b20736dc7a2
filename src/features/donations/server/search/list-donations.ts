import { sql } from "kysely";
import type { Place } from "#admin/list-place.ts";
import type { PaymentState } from "#payments/states.ts";
import type { Connection, Database } from "#shared/database/connect.ts";
import { findDonations, type Wanted } from "./find-donations.ts";

export type ListedDonation = Place & {
  readonly isAnonymous: boolean;
  /** Empty once the donor was erased. */
  readonly name: string;
  readonly email: string;
  readonly method: "cc" | "pp";
  readonly totalCents: number;
  /** The state of its payment: the one that counts, otherwise the last. Null if none was ever sent. */
  readonly state: PaymentState | null;
  /** The request for a refund that waits for approval, if there is one. */
  readonly refundRequest: string | null;
  readonly receiptNumber: number | null;
  readonly funds: readonly { readonly fund: string; readonly title: string }[];
};

export type ListedDonations = {
  readonly rows: readonly ListedDonation[];
  readonly newer: Place | null;
  readonly older: Place | null;
};

/** A page of donations, newest first, with the places where its neighbours start. */
export async function listDonations(database: Database, wanted: Wanted): Promise<ListedDonations> {
  const { places, newer, older } = await findDonations(database, wanted);
  const rows = places.length === 0 ? [] : await describeDonations(database, places);
  return { rows, newer: (newer && rows.at(0)) || null, older: (older && rows.at(-1)) || null };
}

/** The payment that counts for donation `d`: the live or successful one, otherwise the latest. */
export const paymentOf = sql`(select a.* from payment_attempts a where a.donation_id = d.id
  order by a.state in ('failed', 'cancelled', 'not_found'), a.created_at desc, a.id limit 1)`;

async function describeDonations(connection: Connection, places: readonly Place[]): Promise<ListedDonation[]> {
  const { rows } = await sql<ListedDonation>`
    select d.id, d.created_at as at, d.is_anonymous as "isAnonymous", trim(d.first_name || ' ' || d.last_name) as name,
      d.email, d.method, d.total_cents as "totalCents", payment.state,
      request.id as "refundRequest",
      (select number from receipts where donation_id = d.id and is_latest) as "receiptNumber",
      (select jsonb_agg(jsonb_build_object('fund', fund, 'title', category_title) order by position)
         from donation_lines where donation_id = d.id) as funds
    from donations d left join lateral ${paymentOf} payment on true
    left join refund_requests request on request.donation_id = d.id and request.decision is null
    where d.id = any(${places.map(({ id }) => id)}::uuid[])
    order by d.created_at desc, d.id desc`.execute(connection);
  return [...rows];
}

/** Whether there is any donation at all. */
export async function hasDonations(connection: Connection): Promise<boolean> {
  return (await connection.selectFrom("donations").select("id").limit(1).executeTakeFirst()) !== undefined;
}
