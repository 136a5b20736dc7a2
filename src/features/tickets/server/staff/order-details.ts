import { z } from "zod";
import { listChangesOf } from "#admin/recorded-acts.ts";
import { listEmailsAbout, listPaymentEvents, listRefundEvents } from "#payments/subject-history.ts";
import type { Connection, Database } from "#shared/database/connect.ts";
import { readOnOneConnection, together } from "#shared/database/transact.ts";
import { findEventFactsById } from "#shared/events/find-event.ts";
import { findOrder, listLines, listTickets, type OrderRow } from "../store.ts";
import { listCame } from "./cancel-by-staff.ts";

export type OrderDetails = NonNullable<Awaited<ReturnType<typeof findOrderDetails>>>;

/** Whether the buyer's data was erased. Who pays at the door gives a name, and may give no email. */
export const isBuyerErased = ({ email, first_name }: Pick<OrderRow, "email" | "first_name">) =>
  email === "" && first_name === "";

/** All that is known about one order, for staff; null if there is none with this id, or its buyer never sent it. */
export async function findOrderDetails(database: Database, id: string, now: Date) {
  if (!z.uuid().safeParse(id).success) return null;
  const subject = { kind: "ticket_order", id } as const;
  return readOnOneConnection(database, async (connection) => {
    const order = await findOrder(connection, id);
    if (order === undefined || order.email === null) return null;
    const [event, lines, tickets, came, payments, events, refundEvents, ledger, emails, acts] = await together(
      findEventFactsById(connection, order.event_id, now),
      listLines(connection, id),
      listTickets(connection, id),
      listCame(connection, order),
      listPayments(connection, id),
      listPaymentEvents(connection, subject),
      listRefundEvents(connection, subject),
      listLedger(connection, id),
      listEmailsAbout(connection, subject),
      listChangesOf(connection, { subject: "ticket_order", subjectId: id }),
    );
    return { order, event: event!, lines, tickets, came, payments, events, refundEvents, ledger, emails, acts };
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
