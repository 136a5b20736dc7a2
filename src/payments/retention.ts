import { type RawBuilder, sql } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import { columns, type Due, eraseBy, type Holdings } from "#shared/retention/retention.ts";
import { undecidedStates } from "./states.ts";

/** Whose payments are meant: those of the donation, or of the ticket order, whose id is given. */
type Paid = { readonly by: "donation_id" | "ticket_order_id"; readonly id: string };

/** True where no payment is under way, looked for or disputed, and no refund: nobody has to be written to any more. */
export function paymentsAreOver({ by, id }: Paid): RawBuilder<boolean> {
  return sql<boolean>`not exists (
    select from payment_attempts attempt left join refunds refund on refund.attempt_id = attempt.id
     where attempt.${sql.ref(by)} = ${sql.ref(id)}
       and (attempt.state = any(${[...undecidedStates, "disputed"]}) or attempt.next_check_at is not null
            or refund.state in ('requested', 'submitting', 'unknown') or refund.next_check_at is not null))`;
}

/** Payments that took no money: nobody disputes them, so less is kept of them. */
export const unpaidStates = sql.raw("('failed', 'cancelled', 'not_found')");

/**
 * Erases the address and the browser of payments that took no money 90 days ago, and returns what they were for. The address
 * is what the next run knows a row by, so whose they were must be erased in the same transaction.
 */
export async function eraseUnpaid(transaction: Connection, { now, most }: Due, by: Paid["by"]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update payment_attempts set customer_address = '', browser = null where id in (
      select id from payment_attempts
       where ${sql.ref(by)} is not null and state in ${unpaidStates} and customer_address <> ''
         and created_at < ${now}::timestamptz - interval '90 days'
       order by created_at limit ${most} for update skip locked)
    returning ${sql.ref(by)} as id`.execute(transaction);
  return rows.map(({ id }) => id);
}

export const paymentHoldings: Holdings = {
  rules: [
    {
      name: "payments",
      where: "Payment",
      what: "Internet address and the number of your browser’s cookie; a token that stands for the card or PayPal account, never the card number",
      why: "To send a payment once more if its answer is lost, prevent fraud, and answer your bank if a payment is disputed.",
      kept: "180 days after the payment, 90 days where it did not go through, also if you close your account. The token: ten minutes at most.",
      afterwards: "Then they are erased. Reference, amount, day and result stay on our books.",
      columns: columns("payment_attempts", "customer_address", "browser", "instrument"),
      erase: eraseBy(
        ({ now, most }) => sql`
          update payment_attempts set customer_address = '', browser = null where id in (
            select id from payment_attempts
             where (customer_address <> '' or browser is not null) and created_at < ${now}::timestamptz - interval '180 days'
             order by created_at limit ${most} for update skip locked)`,
      ),
    },
  ],
  notPersonal: [
    ...columns("payment_attempts", "provider", "order_reference", "client_key", "request_hash", "instrument_hash"),
    ...columns("payment_attempts", "currency", "state", "provider_transaction_id", "provider_status", "response_code"),
    // Of the providers' answers only fields without names, addresses and cards are kept.
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
};
