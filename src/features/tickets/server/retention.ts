import { type RawBuilder, sql } from "kysely";
import { jsonArrayFrom } from "kysely/helpers/postgres";
import { eraseUnpaid, notesOnRefunds, paymentsAreOver } from "#payments/retention.ts";
import type { Connection } from "#shared/database/connect.ts";
import { columns, type Due, eraseAll, eraseBy, type Holdings, isOf, type Person } from "#shared/retention/retention.ts";
import { ticketNumber } from "../ticket-token.ts";
import { forgetOldHolds } from "./hold/lapsed-holds.ts";
import { planErasure } from "./plan-erasure.ts";

const isOver = paymentsAreOver({ by: "ticket_order_id", id: "ticket_orders.id" });

/** Erases the buyers of the selected orders, the names on their tickets and what staff wrote about their refunds. */
async function eraseBuyers(transaction: Connection, due: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with due as (${due}), reasons as (
      update refunds set reason = '' from payment_attempts attempt join due on due.id = attempt.ticket_order_id
       where refunds.attempt_id = attempt.id and requested_by = 'staff' and reason <> ''
    ), requests as (
      update refund_requests set reason = '', decision_reason = '' from due
       where ticket_order_id = due.id and (reason <> '' or decision_reason <> '')
    ), notes as (
      update refunds_by_hand set note = ''
        from refunds, payment_attempts attempt join due on due.id = attempt.ticket_order_id
       where refund_id = refunds.id and refunds.attempt_id = attempt.id and note <> ''
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

/** Tickets for a future event stay, so that they can still be used, renamed and cancelled. */
const eraseClosed = (transaction: Connection, { now, limit }: Due) =>
  eraseBuyers(
    transaction,
    sql`select ticket_orders.id from ticket_orders join events on events.id = event_id
         where account_closed_at is not null and email <> '' and ${isOver}
           and (ends_at < ${now} or ticket_orders.state <> 'paid')
         limit ${limit} for update of ticket_orders skip locked`,
  );

const eraseOld = (transaction: Connection, { now, limit }: Due) =>
  eraseBuyers(
    transaction,
    sql`select ticket_orders.id from events join ticket_orders on event_id = events.id
         where ends_at < ${now}::timestamptz - interval '1 year' and (email <> '' or first_name <> '') and ${isOver}
         limit ${limit} for update of ticket_orders skip locked`,
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

/** Those whose event is over, and those who have been off the list for a month. */
const forgetEntries = eraseBy(
  ({ now, limit }) => sql`
    delete from waiting_entries where id in (
      select entry.id from waiting_entries entry join events on events.id = event_id
       where ends_at < ${now}::timestamptz - interval '30 days' or left_at < ${now}::timestamptz - interval '30 days'
       limit ${limit} for update of entry skip locked)`,
);

const eraseHolders = eraseBy(
  ({ now, limit }) => sql`
    update ticket_orders set browser_id = null, network_hash = null where id in (
      select id from ticket_orders
       where (browser_id is not null or network_hash is not null) and state <> 'held'
         and created_at < ${now}::timestamptz - interval '30 days'
       order by created_at limit ${limit} for update skip locked)`,
);

async function release(transaction: Connection, person: Person, now: Date): Promise<void> {
  await transaction.deleteFrom("waiting_entries").where(isOf(person)).execute();
  await transaction.updateTable("ticket_orders").set({ account_closed_at: now }).where(isOf(person)).execute();
  await eraseAll((limit) => eraseClosed(transaction, { now, limit }));
}

async function listTicketsOf(connection: Connection, person: Person) {
  const rows = await connection
    .selectFrom("ticket_orders")
    .innerJoin("events", "events.id", "event_id")
    .select(["reference", "events.title as event", "events.starts_at as startsAt", "ticket_orders.state"])
    .select(["created_at as orderedAt", "paid_at as paidAt", "total_cents as totalCents", "currency"])
    .select(["first_name as firstName", "last_name as lastName", "email"])
    .select(["country", "phone", "address", "postcode", "suburb"])
    .select(({ selectFrom }) => [
      jsonArrayFrom(
        selectFrom("tickets")
          .select(["holder_name as holder", "cancelled_at as cancelledAt"])
          .select(sql<string>`encode(serial, 'hex')`.as("serial"))
          .whereRef("tickets.order_id", "=", "ticket_orders.id")
          .orderBy("position"),
      ).as("tickets"),
      jsonArrayFrom(
        selectFrom("payment_attempts")
          .select(["provider", "order_reference as orderReference", "amount_cents as amountCents"])
          .select(["state", "sent_at as sentAt", "customer_ip_address as address"])
          .whereRef("payment_attempts.ticket_order_id", "=", "ticket_orders.id")
          .orderBy("sent_at"),
      ).as("payments"),
      jsonArrayFrom(
        selectFrom("refunds")
          .innerJoin("payment_attempts", "payment_attempts.id", "refunds.attempt_id")
          .select(["refunds.kind", "payment_attempts.order_reference as payment", "refunds.state", "refunds.reason"])
          .select(["refunds.order_reference as orderReference", "refunds.amount_cents as amountCents"])
          .select(["refunds.created_at as askedAt", "refunds.settled_at as settledAt"])
          .whereRef("payment_attempts.ticket_order_id", "=", "ticket_orders.id")
          .orderBy("refunds.created_at"),
      ).as("refunds"),
    ])
    .$if(person.askedBy === "staff", (query) =>
      query.select(notesOnRefunds({ by: "ticket_order_id", id: "ticket_orders.id" }).as("notesOnRefunds")),
    )
    .where(isOf(person))
    .orderBy("created_at")
    .execute();
  const numbered = ({ serial, ...ticket }: (typeof rows)[number]["tickets"][number]) => ({
    number: ticketNumber(Buffer.from(serial, "hex")),
    ...ticket,
  });
  return rows.map(({ tickets, ...row }) => ({ ...row, tickets: tickets.map(numbered) }));
}

async function listEntriesOf(connection: Connection, person: Person) {
  return connection
    .selectFrom("waiting_entries")
    .innerJoin("ticket_types", "ticket_types.id", "type_id")
    .innerJoin("events", "events.id", "waiting_entries.event_id")
    .select(["events.title as event", "ticket_types.title as ticket", "quantity", "email"])
    .select(["first_name as firstName", "last_name as lastName", "joined_at as joinedAt"])
    .select(["offered_at as offeredAt", "left_at as leftAt"])
    .where(isOf(person))
    .orderBy("joined_at")
    .execute();
}

export const ticketHoldings: Holdings = {
  rules: [
    {
      name: "ticket buyers",
      where: "Tickets",
      what: "Name, email, country and the name on each ticket; if you wish, phone and postal address",
      why: "To sell you tickets, send them, contact you about the event, and handle questions, refunds and disputes after it.",
      kept: "One year after the event. If you close your account: until the event is over, or immediately if nothing was bought.",
      afterwards: "Then they are erased. We keep what was bought, when and for how much.",
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
      what: "The same, and the internet (IP) address that the payment came from",
      why: "To find out whether the payment arrived after all, and to answer you.",
      kept: "90 days after you sent it.",
      afterwards: "Then they are erased.",
      columns: columns("ticket_orders", "email", "first_name", "last_name", "country", "phone", "address", "postcode"),
      erase: eraseUnpaidBuyers,
    },
    {
      name: "holds",
      where: "Seats that you hold while you pay",
      what: "The number in your browser’s cookie, and a code made from your internet address that cannot be reversed",
      why: "So that nobody can take all seats without paying.",
      kept: "30 days.",
      afterwards: "Then they are erased. A hold that nobody tried to pay for is deleted.",
      columns: columns("ticket_orders", "browser_id", "network_hash"),
      erase: async (transaction, due) =>
        (await forgetOldHolds(transaction, due)) + (await eraseHolders(transaction, due)),
    },
    {
      name: "waiting lists",
      where: "Waiting list for tickets",
      what: "Name, email, and how many tickets you wait for",
      why: "To offer you seats when some come free.",
      kept: "Until 30 days after the event, or after you left the list. If you close your account: until then.",
      afterwards: "Then it is deleted.",
      columns: columns("waiting_entries", "email", "first_name", "last_name", "user_id"),
      erase: forgetEntries,
    },
  ],
  notPersonal: [
    ...columns("ticket_orders", "reference", "client_key", "request_hash", "state", "currency"),
    ...columns("ticket_orders", "paid_by", "discount_code"),
    // What staff wrote is about an event, and goes to all its buyers.
    ...columns("call_off_requests", "reason", "decision", "decision_reason"),
    ...columns("event_move_emails", "note"),
    ...columns("holder_emails", "kind", "subject", "body"),
    ...columns("event_moves", "time_zone", "place"),
    ...columns("discount_codes", "code", "type_ids"),
    ...columns("ticket_order_lines", "title"),
    ...columns("tickets", "serial"),
    ...columns("door_phones", "name", "pass_hash"),
    ...columns("ticket_types", "code", "title", "description", "visibility", "access_key"),
  ],
  // The account's own number, and codes of the browser and the network that say nothing to a reader.
  notExported: [
    ...columns("ticket_orders", "user_id", "browser_id", "network_hash"),
    ...columns("waiting_entries", "user_id"),
  ],
  exportOf: async (connection, person) => ({
    tickets: await listTicketsOf(connection, person),
    waitingLists: await listEntriesOf(connection, person),
  }),
  listSubjects: async (connection, person) => {
    const orders = await connection.selectFrom("ticket_orders").select("id").where(isOf(person)).execute();
    return orders.map(({ id }) => ({ subject: "ticket_order", subjectId: id }));
  },
  planErasure,
  release,
};
