import { sql } from "kysely";
import { z } from "zod";
import { listPaymentEvents, listRefundEvents } from "#payments/subject-history.ts";
import type { Connection, Database } from "#shared/database/connect.ts";
import { readOnOneConnection, together } from "#shared/database/transact.ts";
import { findEventFactsById } from "#shared/events/find-event.ts";
import { findOrder, listLines, listTickets } from "../store.ts";

export type OrderDetails = NonNullable<Awaited<ReturnType<typeof findOrderDetails>>>;

/** All that is known about one order, for staff; null if there is none with this id, or its buyer never sent it. */
export async function findOrderDetails(database: Database, id: string, now: Date) {
  if (!z.uuid().safeParse(id).success) return null;
  const subject = { kind: "ticket_order", id } as const;
  return readOnOneConnection(database, async (connection) => {
    const order = await findOrder(connection, id);
    if (order === undefined || order.email === null) return null;
    const [event, lines, tickets, payments, events, refundEvents, ledger, emails, acts] = await together(
      findEventFactsById(connection, order.event_id, now),
      listLines(connection, id),
      listTickets(connection, id),
      listPayments(connection, id),
      listPaymentEvents(connection, subject),
      listRefundEvents(connection, subject),
      listLedger(connection, id),
      listEmails(connection, id),
      listActs(connection, id),
    );
    return { order, event: event!, lines, tickets, payments, events, refundEvents, ledger, emails, acts };
  });
}

function listPayments(connection: Connection, id: string) {
  return connection
    .selectFrom("payment_attempts")
    .select(["id", "provider", "order_reference", "state", "amount_cents", "provider_transaction_id"])
    .select(["response_code", "sent_at"])
    .where("ticket_order_id", "=", id)
    .orderBy("created_at")
    .execute();
}

function listLedger(connection: Connection, id: string) {
  return connection
    .selectFrom("ledger_entries")
    .innerJoin("payment_attempts", "payment_attempts.id", "attempt_id")
    .select(["ledger_entries.id", "transaction_id", "account", "ledger_entries.amount_cents", "at", "refund_id"])
    .where("payment_attempts.ticket_order_id", "=", id)
    .orderBy("ledger_entries.id")
    .execute();
}

/** The emails about it that the outbox still has, for some days. */
async function listEmails(connection: Connection, id: string) {
  const { rows } = await sql<{
    id: string;
    template: string;
    state: "created" | "retry" | "active" | "completed" | "cancelled" | "failed";
    at: Date;
    completedAt: Date | null;
  }>`
    with ids as (
      select ${id}::text as id
      union all select attempt.id::text from payment_attempts attempt where ticket_order_id = ${id}::uuid
      union all select refund.id::text from refunds refund join payment_attempts attempt on attempt.id = refund.attempt_id
                 where ticket_order_id = ${id}::uuid)
    select job.id, data ->> 'template' as template, state, created_on as at, completed_on as "completedAt"
      from pgboss.job
     where name = 'emails' and (data ->> 'template' <> 'new-link' or data ->> 'kind' = 'ticket_order')
       and coalesce(data ->> 'orderId', data ->> 'attemptId', data ->> 'refundId', data ->> 'id') in (select id from ids)
     order by created_on, job.id`.execute(connection);
  return rows;
}

/** What staff did to it, oldest first. */
async function listActs(connection: Connection, id: string) {
  const rows = await connection
    .selectFrom("audit_trail")
    .select(["id", "at", "actor", "verb", "before", "after", "reason"])
    .where("subject", "=", "ticket_order")
    .where("subject_id", "=", id)
    .orderBy("id")
    .execute();
  const read = (values: unknown) => (values ?? {}) as Readonly<Record<string, unknown>>;
  return rows.map(({ before, after, ...row }) => ({ ...row, before: read(before), after: read(after) }));
}
