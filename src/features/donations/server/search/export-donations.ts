import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from "kysely";
import type { PaymentState } from "#payments/states.ts";
import type { RefundKind } from "#payments/tables.ts";
import { createClient, type Database } from "#shared/database/connect.ts";
import type { Tables } from "#shared/database/tables.ts";
import { allOf, isInTime, passesFilter, waysToMean } from "./conditions.ts";
import type { DonationFilter } from "./donation-filter.ts";
import { paymentOf } from "./list-donations.ts";
import { seek } from "./seek.ts";

export type ExportedDonation = {
  /** '2026-11-22 08:52:00' in Sydney. */
  readonly givenAt: string;
  readonly reference: string;
  readonly isAnonymous: boolean;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly postcode: string | null;
  readonly method: "cc" | "pp";
  readonly subtotalCents: number;
  readonly adminFeeCents: number;
  readonly merchantFeeCents: number;
  readonly totalCents: number;
  readonly currency: string;
  readonly state: PaymentState | null;
  readonly provider: string | null;
  readonly paymentReference: string | null;
  readonly transactionId: string | null;
  readonly receiptNumber: number | null;
  /** Those that moved money, oldest first. */
  readonly refunds: readonly ExportedRefund[] | null;
  readonly lines: readonly { readonly title: string; readonly part: string; readonly cents: number }[] | null;
};

export type ExportedRefund = {
  readonly at: string;
  readonly reference: string;
  readonly transactionId: string | null;
  readonly kind: RefundKind;
  readonly cents: number;
};

const ROWS_AT_ONCE = 500;

/**
 * Reads everything that passes a filter, newest first, in batches, as it was at one moment. It reads on only when the
 * next batch is asked for, on a connection of its own.
 */
export async function* readDonations(
  { database, databaseUrl }: { database: Database; databaseUrl: string },
  { filter, withGifts }: { filter: DonationFilter; withGifts: boolean },
): AsyncGenerator<readonly ExportedDonation[]> {
  const sought = await seek(database, filter.q);
  const ways = sought === null ? null : waysToMean(sought);
  if (ways?.length === 0) return;
  const conditions = [...isInTime(filter), ...passesFilter(filter, false)];
  if (ways !== null) conditions.push(sql<boolean>`(${sql.join(ways, sql` or `)})`);
  const { sql: text, parameters } = everything(conditions, withGifts).compile(compiler);
  const client = createClient(databaseUrl);
  await client.connect();
  try {
    await client.query("begin isolation level repeatable read read only");
    await client.query("set local jit = off");
    await client.query(`declare donations_export no scroll cursor for ${text}`, [...parameters]);
    for (;;) {
      const { rows } = await client.query<ExportedDonation>(`fetch ${ROWS_AT_ONCE} from donations_export`);
      if (rows.length > 0) yield rows;
      if (rows.length < ROWS_AT_ONCE) break;
    }
  } finally {
    await client.end();
  }
}

/** Only writes SQL. */
const compiler = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database) => new PostgresIntrospector(database),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

const inSydney = (at: ReturnType<typeof sql>) =>
  sql`to_char(${at} at time zone 'Australia/Sydney', 'YYYY-MM-DD HH24:MI:SS')`;

function everything(conditions: Parameters<typeof allOf>[0], withGifts: boolean) {
  const lines = sql`(select jsonb_agg(jsonb_build_object(
      'title', category_title, 'part', subcategory_title, 'cents', line_cents) order by position)
    from donation_lines where donation_id = d.id)`;
  return sql<ExportedDonation>`
    select ${inSydney(sql`d.created_at`)} as "givenAt", d.reference, d.is_anonymous as "isAnonymous",
      d.first_name as "firstName", d.last_name as "lastName", d.email, d.postcode, d.method,
      d.subtotal_cents as "subtotalCents", d.admin_fee_cents as "adminFeeCents",
      d.merchant_fee_cents as "merchantFeeCents", d.total_cents as "totalCents", d.currency,
      payment.state, payment.provider, payment.order_reference as "paymentReference",
      payment.provider_transaction_id as "transactionId",
      (select number from receipts where donation_id = d.id and is_latest) as "receiptNumber",
      case when payment.state in ('refunded', 'partially_refunded', 'disputed', 'succeeded', 'succeeded_late') then
        (select jsonb_agg(jsonb_build_object('at', ${inSydney(sql`coalesce(r.sent_at, r.settled_at, r.created_at)`)},
            'reference', r.order_reference, 'transactionId', r.provider_transaction_id, 'kind', r.kind,
            'cents', r.amount_cents) order by r.created_at, r.id)
           from refunds r where r.attempt_id = payment.id and r.state = 'succeeded') end as refunds,
      ${withGifts ? lines : sql`null`} as lines
    from donations d left join lateral ${paymentOf} payment on true
    where ${allOf(conditions)}
    order by d.created_at desc, d.id desc`;
}
