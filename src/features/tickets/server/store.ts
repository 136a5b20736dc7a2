import { type Selectable, sql } from "kysely";
import { type Attempt, attemptRow } from "#payments/attempts.ts";
import type { Posting } from "#payments/subject.ts";
import type { Connection } from "#shared/database/connect.ts";
import type { Tables } from "#shared/database/tables.ts";
import { publishedEvents } from "#shared/events/find-event.ts";
import { typeColumns } from "./seats.ts";

export type OrderRow = Selectable<Tables["ticket_orders"]>;

// What is read for each order names its columns, because a statement with `*` is never prepared.
const orderColumns = [
  "id",
  "reference",
  "event_id",
  "client_key",
  "request_hash",
  "state",
  "hold_until",
  "browser_id",
  "network_hash",
  "total_cents",
  "currency",
  "email",
  "first_name",
  "last_name",
  "country",
  "phone",
  "address",
  "postcode",
  "suburb",
  "user_id",
  "account_closed_at",
  "created_at",
  "paid_at",
  "paid_attempt_id",
  "paid_by",
  "sold_by",
  "taken_cents",
  "discount_id",
  "discount_code",
  "called_off_at",
] as const satisfies readonly (keyof OrderRow)[];

/** The next published event that has ticket types and is neither over nor called off. */
export async function findNextTicketedSlug(connection: Connection, now: Date): Promise<string | undefined> {
  const next = await publishedEvents(connection)
    .where("ends_at", ">", now)
    .where("called_off_at", "is", null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("ticket_types")
          .select("ticket_types.id")
          .whereRef("event_id", "=", "events.id")
          .where("visibility", "=", "public")
          .where("retired_at", "is", null),
      ),
    )
    .orderBy("ends_at")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return next?.slug;
}

/** `lapsed` counts the seats of expired holds: they are free, even if nobody has freed them yet. */
export async function listTypes(connection: Connection, eventId: number, now: Date) {
  return connection
    .selectFrom("ticket_types")
    .select(typeColumns)
    .select(({ selectFrom }) =>
      selectFrom("ticket_orders")
        .innerJoin("ticket_order_lines", "ticket_order_lines.order_id", "ticket_orders.id")
        .select(sql<number>`coalesce(sum(quantity), 0)::integer`.as("quantity"))
        .where("ticket_orders.state", "=", sql.lit("held"))
        .where("ticket_orders.event_id", "=", eventId)
        .where("hold_until", "<=", now)
        .whereRef("type_id", "=", "ticket_types.id")
        .as("lapsed"),
    )
    .select(
      sql<boolean>`exists (select from discount_codes where event_id = ${eventId} and ended_at is null)`.as("hasCodes"),
    )
    .select(sql<boolean>`sales_are_stopped(${eventId})`.as("isStopped"))
    .where("event_id", "=", eventId)
    .orderBy("position")
    .orderBy("id")
    .execute();
}

export function findOrder(connection: Connection, id: string): Promise<OrderRow | undefined> {
  return connection.selectFrom("ticket_orders").select(orderColumns).where("id", "=", id).executeTakeFirst();
}

/** Locks until the transaction ends. Lock the event's ticket types first. */
export function lockOrder(transaction: Connection, id: string): Promise<OrderRow | undefined> {
  return transaction
    .selectFrom("ticket_orders")
    .select(orderColumns)
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** The order that was made with this Idempotency-Key. */
export function findOrderByKey(connection: Connection, clientKey: string): Promise<OrderRow | undefined> {
  return connection
    .selectFrom("ticket_orders")
    .select(orderColumns)
    .where("client_key", "=", clientKey)
    .executeTakeFirst();
}

export function listLines(connection: Connection, orderId: string) {
  return connection
    .selectFrom("ticket_order_lines")
    .innerJoin("ticket_types", "ticket_types.id", "ticket_order_lines.type_id")
    .select([
      "ticket_order_lines.order_id",
      "ticket_order_lines.type_id",
      "ticket_order_lines.quantity",
      "ticket_order_lines.title",
      "ticket_order_lines.price_cents",
      "ticket_order_lines.discounted",
      "ticket_order_lines.discount_cents",
      "ticket_types.code",
      "ticket_types.visibility",
      "ticket_types.access_key",
    ])
    .where("order_id", "=", orderId)
    .orderBy("type_id")
    .execute();
}
export type LineRow = Awaited<ReturnType<typeof listLines>>[number];

/** The key of the link that shows the types of an order; undefined if everybody sees them. */
export const accessOf = (lines: readonly Partial<Pick<LineRow, "visibility" | "access_key">>[]) =>
  lines.find(({ visibility }) => visibility === "link")?.access_key;

/** The tickets of an order in the order of issue, each with its type and price. */
export function listTickets(connection: Connection, orderId: string) {
  return connection
    .selectFrom("tickets")
    .innerJoin("ticket_order_lines", (join) =>
      join
        .onRef("ticket_order_lines.order_id", "=", "tickets.order_id")
        .onRef("ticket_order_lines.type_id", "=", "tickets.type_id"),
    )
    .innerJoin("ticket_types", "ticket_types.id", "tickets.type_id")
    .select([
      "tickets.id",
      "tickets.order_id",
      "tickets.type_id",
      "tickets.position",
      "tickets.holder_name",
      "tickets.serial",
      "tickets.cancelled_at",
      "tickets.refund_id",
      "tickets.discount_cents",
      "ticket_order_lines.taken_cents",
      "ticket_order_lines.title",
      "ticket_types.code",
    ])
    .select(sql<number>`ticket_order_lines.price_cents - tickets.discount_cents`.as("price_cents"))
    .where("tickets.order_id", "=", orderId)
    .orderBy("tickets.position")
    .execute();
}
export type IssuedTicket = Awaited<ReturnType<typeof listTickets>>[number];

/** Issues a ticket for each seat, in the buyer's name. */
export async function issueTickets(transaction: Connection, orderId: string): Promise<void> {
  await sql`select issue_tickets(${orderId})`.execute(transaction);
}

/** The payment in progress or, if there is none, the latest one. */
export async function findLatestPayment(connection: Connection, orderId: string): Promise<Attempt | undefined> {
  const { rows } = await sql<Attempt>`
    select ${attemptRow} from payment_attempts where ticket_order_id = ${orderId} order by created_at desc limit 1
  `.execute(connection);
  return rows[0];
}

/** The payment for the tickets of an order, for a command: no name and no address. */
export async function findPaymentOfOrder(connection: Connection, reference: string) {
  return connection
    .selectFrom("ticket_orders")
    .innerJoin("payment_attempts", "payment_attempts.id", "ticket_orders.paid_attempt_id")
    .select(["ticket_orders.id as orderId", "payment_attempts.id as attemptId"])
    .select(["payment_attempts.state", "amount_cents as amountCents"])
    .where("reference", "=", reference)
    .executeTakeFirst();
}

/** The refunds of all payments of an order, oldest first. */
export function listOrderRefunds(connection: Connection, orderId: string) {
  return connection
    .selectFrom("refunds")
    .innerJoin("payment_attempts", "payment_attempts.id", "refunds.attempt_id")
    .select([
      "refunds.id",
      "refunds.amount_cents",
      "refunds.state",
      "refunds.kind",
      "refunds.provider_status",
      "refunds.created_at",
      "refunds.settled_at",
      "payment_attempts.id as attemptId",
      "payment_attempts.amount_cents as paidCents",
      "payment_attempts.sent_at as chargedAt",
      "payment_attempts.provider",
    ])
    .where("payment_attempts.ticket_order_id", "=", orderId)
    .orderBy("refunds.created_at")
    .orderBy("refunds.id")
    .execute();
}
export type RefundRow = Awaited<ReturnType<typeof listOrderRefunds>>[number];

/** Cents of one payment that were refunded. */
export function sumRefunded(refunds: readonly RefundRow[], attemptId: string | null): number {
  const made = refunds.filter((refund) => refund.attemptId === attemptId && refund.state === "succeeded");
  return made.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
}

/** @throws Error if the attempt pays for something else, which cannot happen here. */
export function ticketOrderIdOf({ id, ticket_order_id }: Pick<Attempt, "id" | "ticket_order_id">): string {
  if (ticket_order_id === null) throw new Error(`Payment ${id} is not for tickets.`);
  return ticket_order_id;
}

/** A ticket order is income from tickets, without fees (TIC-6). */
export function listTicketCredits({ amount_cents }: Pick<Attempt, "amount_cents">): readonly Posting[] {
  return [{ account: "tickets", cents: -amount_cents }];
}
