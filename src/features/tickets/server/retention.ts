import { type RawBuilder, sql } from "kysely";
import { jsonArrayFrom } from "kysely/helpers/postgres";
import { eraseUnpaid, paymentsAreOver } from "#payments/retention.ts";
import type { Connection } from "#shared/database/connect.ts";
import { columns, type Due, eraseAll, eraseBy, type Holdings, isOf, type Person } from "#shared/retention/retention.ts";
import { ticketNumber } from "../ticket-token.ts";
import { forgetOldHolds } from "./lapse.ts";

const isOver = paymentsAreOver({ by: "ticket_order_id", id: "ticket_orders.id" });

/** Erases the buyers of the orders that `due` selects, with the names on their tickets and what staff wrote about refunds. */
async function eraseBuyers(transaction: Connection, due: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with due as (${due}), reasons as (
      update refunds set reason = '' from payment_attempts attempt join due on due.id = attempt.ticket_order_id
       where refunds.attempt_id = attempt.id and requested_by = 'staff' and reason <> ''
    ), holders as (
      update tickets set holder_name = '' from due where tickets.order_id = due.id
    ), buyers as (
      update ticket_orders set email = '', first_name = '', last_name = '', country = '', phone = '', address = '',
          postcode = '', suburb = ''
        from due where ticket_orders.id = due.id
    )
    select count(*) from due`.execute(transaction);
  return rows[0]!.count;
}

/** Tickets to an event that is still to come stay as they are, so that they can be used, renamed and cancelled. */
const eraseClosed = (transaction: Connection, { now, most }: Due) =>
  eraseBuyers(
    transaction,
    sql`select ticket_orders.id from ticket_orders join events on events.id = event_id
         where account_closed_at is not null and email <> '' and ${isOver}
           and (ends_at < ${now} or ticket_orders.state <> 'paid')
         limit ${most} for update of ticket_orders skip locked`,
  );

const eraseOld = (transaction: Connection, { now, most }: Due) =>
  eraseBuyers(
    transaction,
    sql`select ticket_orders.id from events join ticket_orders on event_id = events.id
         where ends_at < ${now}::timestamptz - interval '1 year' and email <> '' and ${isOver}
         limit ${most} for update of ticket_orders skip locked`,
  );

async function eraseUnpaidBuyers(transaction: Connection, due: Due): Promise<number> {
  const ids = await eraseUnpaid(transaction, due, "ticket_order_id");
  await eraseBuyers(
    transaction,
    sql`select id from ticket_orders where id = any(${ids}::uuid[]) and state = 'lapsed' and email <> '' and ${isOver}
         for update`,
  );
  return ids.length;
}

const eraseHolders = eraseBy(
  ({ now, most }) => sql`
    update ticket_orders set browser = null, network = null where id in (
      select id from ticket_orders
       where (browser is not null or network is not null) and state <> 'held'
         and created_at < ${now}::timestamptz - interval '30 days'
       order by created_at limit ${most} for update skip locked)`,
);

async function release(transaction: Connection, person: Person, now: Date): Promise<void> {
  await transaction.updateTable("ticket_orders").set({ account_closed_at: now }).where(isOf(person)).execute();
  await eraseAll((most) => eraseClosed(transaction, { now, most }));
}

async function listTicketsOf(connection: Connection, person: Person) {
  const rows = await connection
    .selectFrom("ticket_orders")
    .innerJoin("events", "events.id", "event_id")
    .select([
      "ticket_orders.id",
      "reference",
      "ticket_orders.state",
      "total_cents",
      "currency",
      "created_at",
      "paid_at",
    ])
    .select(["email", "first_name", "last_name", "country", "phone", "address", "postcode", "suburb"])
    .select(["events.title as event", "events.starts_at"])
    .select(({ selectFrom }) => [
      jsonArrayFrom(
        selectFrom("tickets")
          .select(["holder_name", "cancelled_at", "position"])
          .select(sql<string>`encode(serial, 'hex')`.as("serial"))
          .whereRef("tickets.order_id", "=", "ticket_orders.id")
          .orderBy("position"),
      ).as("tickets"),
      jsonArrayFrom(
        selectFrom("payment_attempts")
          .select(["provider", "order_reference", "amount_cents", "state", "sent_at", "customer_address"])
          .whereRef("payment_attempts.ticket_order_id", "=", "ticket_orders.id")
          .orderBy("sent_at"),
      ).as("payments"),
    ])
    .where(isOf(person))
    .orderBy("created_at")
    .execute();
  return rows.map((row) => ({
    reference: row.reference,
    event: row.event,
    startsAt: row.starts_at,
    state: row.state,
    orderedAt: row.created_at,
    paidAt: row.paid_at,
    totalCents: row.total_cents,
    currency: row.currency,
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
    country: row.country,
    phone: row.phone,
    address: row.address,
    postcode: row.postcode,
    suburb: row.suburb,
    tickets: row.tickets.map(({ holder_name, cancelled_at, serial }) => ({
      number: ticketNumber(Buffer.from(serial, "hex")),
      holder: holder_name,
      cancelledAt: cancelled_at,
    })),
    payments: row.payments.map((payment) => ({
      provider: payment.provider,
      orderReference: payment.order_reference,
      amountCents: payment.amount_cents,
      state: payment.state,
      sentAt: payment.sent_at,
      address: payment.customer_address,
    })),
  }));
}

export const ticketHoldings: Holdings = {
  rules: [
    {
      name: "ticket buyers",
      where: "Tickets",
      what: "Name, email, country and the name on each ticket; if you wish, phone and postal address",
      why: "To sell you tickets, send them, reach you about the event, and answer questions, refunds and disputes after it.",
      kept: "One year after the event. If you close your account: until the event is over, or at once where nothing was bought.",
      afterwards: "Then they are erased. What was bought, when and for how much stays on our books.",
      columns: [
        ...columns("ticket_orders", "email", "first_name", "last_name", "country", "phone", "address", "postcode"),
        ...columns("ticket_orders", "suburb", "user_id"),
        ...columns("tickets", "holder_name"),
        ...columns("refunds", "reason"),
      ],
      erase: async (transaction, due) => (await eraseClosed(transaction, due)) + (await eraseOld(transaction, due)),
    },
    {
      name: "unpaid ticket orders",
      where: "Ticket order that was not paid",
      what: "The same, and the internet address of the payment",
      why: "To find out whether the payment arrived after all, and to answer you.",
      kept: "90 days after you sent it.",
      afterwards: "Then they are erased.",
      columns: columns("ticket_orders", "email", "first_name", "last_name", "country", "phone", "address", "postcode"),
      erase: eraseUnpaidBuyers,
    },
    {
      name: "holds",
      where: "Seats that you hold while you pay",
      what: "The number of your browser’s cookie, and a code of your internet address that cannot be turned back",
      why: "So that nobody takes all seats without paying.",
      kept: "30 days.",
      afterwards: "Then they are erased; a hold that nobody tried to pay for is deleted.",
      columns: columns("ticket_orders", "browser", "network"),
      erase: async (transaction, due) =>
        (await forgetOldHolds(transaction, due)) + (await eraseHolders(transaction, due)),
    },
  ],
  notPersonal: [
    ...columns("ticket_orders", "reference", "client_key", "request_hash", "state", "currency"),
    ...columns("ticket_order_lines", "title"),
    ...columns("tickets", "serial"),
    ...columns("ticket_types", "code", "title", "description"),
  ],
  exportOf: async (connection, person) => ({ tickets: await listTicketsOf(connection, person) }),
  release,
};
