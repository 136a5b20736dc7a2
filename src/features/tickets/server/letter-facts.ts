import type { Selectable } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import type { Tables } from "#shared/database/tables.ts";
import type { EventDetails } from "#shared/events/event.ts";
import { findEventById } from "#shared/events/find-event.ts";
import type { Organisation } from "#shared/organisation.ts";
import { ticketNumber } from "../ticket-token.ts";
import { signTicket } from "./sign-ticket.ts";
import { findOrder, listLines, listTickets } from "./store.ts";
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
  const order = await findOrder(connection, id);
  if (order === undefined) return null;
  const event = await findEventById(connection, order.event_id, now);
  if (event === null) throw new Error(`Ticket order ${id} is for an event that there is none of.`);
  const lines = await listLines(connection, id);
  const tickets = await listTickets(connection, id);
  return {
    order,
    event,
    lines: lines.map(({ title, quantity, price_cents }) => ({ title, quantity, priceCents: price_cents })),
    tickets: tickets.map((row) => ({
      typeId: row.type_id,
      title: row.title,
      priceCents: row.price_cents,
      holder: row.holder_name,
      serial: row.serial,
      isCancelled: row.cancelled_at !== null,
      refundId: row.refund_id,
    })),
  };
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

export function findRefund(connection: Connection, id: string): Promise<Selectable<Tables["refunds"]>> {
  return connection.selectFrom("refunds").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
}
