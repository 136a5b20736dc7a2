import { type RawBuilder, sql } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import { formatKeptUntil } from "#shared/language.ts";
import {
  columns,
  type Due,
  type ErasurePlan,
  eraseBy,
  type Holdings,
  type KeptData,
} from "#shared/retention/retention.ts";
import { undecidedStates } from "./states.ts";

type Paid = { readonly by: "donation_id" | "ticket_order_id"; readonly id: string };

/** True if no payment or refund is in progress, disputed or being looked up, so that no more emails are needed. */
export function paymentsAreOver({ by, id }: Paid): RawBuilder<boolean> {
  return sql<boolean>`not exists (
    select from payment_attempts attempt left join refunds refund on refund.attempt_id = attempt.id
     where attempt.${sql.ref(by)} = ${sql.ref(id)}
       and (attempt.state = any(${[...undecidedStates, "disputed"]}) or attempt.next_check_at is not null
            or refund.state in ('requested', 'submitting', 'unknown') or refund.next_check_at is not null))`;
}

/** Payments that took no money can't be disputed, so we keep less of them. */
export const unpaidStates = sql.raw("('failed', 'cancelled', 'not_found')");

/**
 * Erases the address and browser of payments that took no money 90 days ago; returns what they were for. The next run
 * finds rows by their address, so erase the payer's details in the same transaction.
 */
export async function eraseUnpaid(transaction: Connection, { now, limit }: Due, by: Paid["by"]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update payment_attempts set customer_ip_address = '', browser_id = null where id in (
      select id from payment_attempts
       where ${sql.ref(by)} is not null and state in ${unpaidStates} and customer_ip_address <> ''
         and created_at < ${now}::timestamptz - interval '90 days'
       order by created_at limit ${limit} for update skip locked)
    returning ${sql.ref(by)} as id`.execute(transaction);
  return rows.map(({ id }) => id);
}

type Purchase = { readonly id: string /** 'donation D-…' */; readonly name: string; readonly path: string };

/** Payments and refunds of these purchases whose result is not known, and refunds that nobody has approved or declined. */
export async function listUndecided(
  connection: Connection,
  by: Paid["by"],
  purchases: readonly Purchase[],
): Promise<ErasurePlan["obstacles"]> {
  const ids = purchases.map(({ id }) => id);
  const { rows } = await sql<{ id: string; kind: "payment" | "refund" | "request" }>`
    select ${sql.ref(by)} as id, 'payment' as kind from payment_attempts
     where ${sql.ref(by)} = any(${ids}::uuid[]) and state = any(${undecidedStates})
    union select attempt.${sql.ref(by)}, 'refund' from payment_attempts attempt
      join refunds on refunds.attempt_id = attempt.id
     where attempt.${sql.ref(by)} = any(${ids}::uuid[]) and refunds.state in ('requested', 'submitting', 'unknown')
    union select ${sql.ref(by)}, 'request' from refund_requests
     where ${sql.ref(by)} = any(${ids}::uuid[]) and decision is null`.execute(connection);
  return purchases.flatMap(({ id, name, path }) =>
    rows.filter((row) => row.id === id).map(({ kind }) => ({ what: describeUndecided[kind](name), path })),
  );
}

const describeUndecided = {
  payment: (of: string) => `The payment of ${of} is not decided yet.`,
  refund: (of: string) => `A refund of ${of} is under way.`,
  request: (of: string) => `A refund of ${of} waits for a second person.`,
} as const;

/** What staff wrote to each other about the refunds of a purchase, oldest first, as a column of its row. */
export function notesOnRefunds({ by, id }: Paid): RawBuilder<object[]> {
  const [column, purchase] = [sql.ref(by), sql.ref(id)];
  return sql<object[]>`(
    select coalesce(json_agg(note order by "writtenAt"), '[]') from (
      select requested_at as "writtenAt", reason as text from refund_requests where ${column} = ${purchase}
      union all select decided_at, decision_reason from refund_requests where ${column} = ${purchase}
      union all select done_at, note from refunds_by_hand join refunds on refunds.id = refund_id
        join payment_attempts attempt on attempt.id = refunds.attempt_id where attempt.${column} = ${purchase}
    ) note where text <> '')`;
}

const TRACE_DAYS = 180;

/** What is kept of the payments of these purchases when their payer is erased. */
export async function planPayments(
  connection: Connection,
  by: Paid["by"],
  ids: readonly string[],
): Promise<KeptData[]> {
  const { rows } = await sql<{ latest: Date | null }>`
    select max(created_at) as latest from payment_attempts
     where ${sql.ref(by)} = any(${ids}::uuid[]) and (customer_ip_address <> '' or browser_id is not null)`.execute(
    connection,
  );
  const latest = rows[0]!.latest;
  if (latest === null) return [];
  return [
    {
      what: "The internet address of their payments, and the number of the browser’s cookie",
      until: formatKeptUntil(latest, { days: TRACE_DAYS }),
      why: "Their bank may dispute a payment, and it helps to stop stolen cards.",
      columns: columns("payment_attempts", "customer_ip_address", "browser_id", "instrument"),
    },
  ];
}

export const paymentHoldings: Holdings = {
  rules: [
    {
      name: "payments",
      where: "Payment",
      what: "Internet address and the number of your browser’s cookie; a token that represents the card or PayPal account, never the card number",
      why: "To send a payment again if its answer is lost, prevent fraud, and answer your bank if a payment is disputed.",
      kept: "180 days after the payment, or 90 days if it did not go through, even if you close your account. The token: ten minutes at most.",
      afterwards: "Then they are erased. Reference, amount, day and result stay on our books.",
      columns: columns("payment_attempts", "customer_ip_address", "browser_id", "instrument"),
      erase: eraseBy(
        ({ now, limit }) => sql`
          update payment_attempts set customer_ip_address = '', browser_id = null where id in (
            select id from payment_attempts
             where (customer_ip_address <> '' or browser_id is not null) and created_at < ${now}::timestamptz - ${TRACE_DAYS} * interval '1 day'
             order by created_at limit ${limit} for update skip locked)`,
      ),
    },
    {
      name: "closed differences",
      where: "Reconciliation",
      what: "Why staff closed a difference between a payment provider’s books and ours",
      why: "To explain our books.",
      kept: "As long as the books that it explains.",
      afterwards: "It is not changed.",
      columns: columns("reconciliation_findings", "closed_reason"),
    },
  ],
  notPersonal: [
    ...columns("payment_attempts", "provider", "order_reference", "client_key", "request_hash", "instrument_hash"),
    ...columns("payment_attempts", "currency", "state", "provider_transaction_id", "provider_status", "response_code"),
    // We only keep fields of the providers' answers without names, addresses and cards.
    ...columns("payment_attempts", "authentication", "raw"),
    ...columns("payment_events", "from_state", "to_state", "event", "actor", "detail"),
    ...columns("ledger_entries", "account"),
    ...columns("refunds", "kind", "request_key", "order_reference", "requested_by", "state", "provider_transaction_id"),
    ...columns("refunds", "provider_status", "raw"),
    ...columns("refund_events", "from_state", "to_state", "event", "detail"),
    ...columns("provider_health", "provider"),
    ...columns("reconciliation_runs", "provider", "state", "detail"),
    ...columns("reconciliation_findings", "provider", "kind", "reference", "detail"),
  ],
  notExported: [
    // The browser's code, and a card token, which is kept for ten minutes and can charge the card.
    ...columns("payment_attempts", "browser_id", "instrument"),
    // What staff wrote about the books.
    ...columns("reconciliation_findings", "closed_reason"),
  ],
};
