import type { Selectable } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import type { Tables } from "#shared/database/tables.ts";
import type { EventDetails } from "#shared/event.ts";
import { findEventById } from "#shared/events/find-event.ts";
import type { Organisation } from "#shared/organisation.ts";
import type { Attempt } from "#shared/payments/attempts.ts";
import { shownAs } from "#shared/payments/states.ts";
import { ticketNumber } from "../ticket-token.ts";
import { signTicket } from "./sign-ticket.ts";
import type { TicketPaper } from "./tickets-pdf.ts";

/** An order as papers and letters tell it: what was chosen, and the tickets that it has, in their order. */
export type OrderFacts = {
  readonly order: Selectable<Tables["ticket_orders"]>;
  readonly event: EventDetails;
  readonly lines: readonly { readonly title: string; readonly quantity: number; readonly priceCents: number }[];
  readonly tickets: readonly IssuedTicket[];
};

export type IssuedTicket = {
  readonly typeId: number;
  /** As the type was called, and what it cost, when the seats were held. */
  readonly title: string;
  readonly priceCents: number;
  readonly holder: string;
  readonly serial: Buffer;
  readonly isCancelled: boolean;
  readonly refundId: string | null;
};

/** Null for an order that there is none of. */
export async function findOrderFacts(connection: Connection, id: string, now: Date): Promise<OrderFacts | null> {
  const order = await connection.selectFrom("ticket_orders").selectAll().where("id", "=", id).executeTakeFirst();
  if (order === undefined) return null;
  const event = await findEventById(connection, order.event_id, now);
  if (event === null) throw new Error(`Ticket order ${id} is for an event that there is none of.`);
  const lines = await connection
    .selectFrom("ticket_order_lines as line")
    .innerJoin("ticket_types as type", "type.id", "line.type_id")
    .select(["line.title", "line.quantity", "line.price_cents as priceCents"])
    .where("line.order_id", "=", id)
    .orderBy("type.position")
    .orderBy("type.id")
    .execute();
  return { order, event, lines, tickets: await listTickets(connection, id) };
}

async function listTickets(connection: Connection, orderId: string): Promise<IssuedTicket[]> {
  const rows = await connection
    .selectFrom("tickets as ticket")
    .innerJoin("ticket_order_lines as line", (join) =>
      join.onRef("line.order_id", "=", "ticket.order_id").onRef("line.type_id", "=", "ticket.type_id"),
    )
    .select(["ticket.type_id", "ticket.holder_name", "ticket.serial", "ticket.cancelled_at", "ticket.refund_id"])
    .select(["line.title", "line.price_cents"])
    .where("ticket.order_id", "=", orderId)
    .orderBy("ticket.position")
    .execute();
  return rows.map((row) => ({
    typeId: row.type_id,
    title: row.title,
    priceCents: row.price_cents,
    holder: row.holder_name,
    serial: row.serial,
    isCancelled: row.cancelled_at !== null,
    refundId: row.refund_id,
  }));
}

export const validTickets = ({ tickets }: OrderFacts) => tickets.filter(({ isCancelled }) => !isCancelled);

/** What is printed of an order's valid tickets; null when it has none. */
export function paperOf(facts: OrderFacts, organisation: Organisation, secretKey: string): TicketPaper | null {
  const { order, event } = facts;
  const tickets = validTickets(facts);
  if (tickets.length === 0 || order.paid_at === null) return null;
  return {
    organisation,
    event,
    order: { reference: order.reference, paidAt: order.paid_at },
    tickets: tickets.map(({ typeId, serial, holder, title, priceCents }) => ({
      number: ticketNumber(serial),
      holder,
      typeTitle: title,
      priceCents,
      token: signTicket(secretKey, { eventId: event.id, typeId, serial }),
    })),
  };
}

/** How many payments for an order brought money, whatever went back of it later. */
export async function countPaid(connection: Connection, orderId: string): Promise<number> {
  const attempts = await connection
    .selectFrom("payment_attempts")
    .select("state")
    .where("ticket_order_id", "=", orderId)
    .execute();
  return attempts.filter(wasPaid).length;
}

export function wasPaid({ state }: Pick<Attempt, "state">): boolean {
  return shownAs[state] === "succeeded" || shownAs[state] === "refunded";
}

export function findRefund(connection: Connection, id: string): Promise<Selectable<Tables["refunds"]>> {
  return connection.selectFrom("refunds").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
}
