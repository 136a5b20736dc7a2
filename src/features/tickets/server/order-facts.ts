import { type Selectable, sql } from "kysely";
import type { DocumentLook } from "#shared/brand/document-look.ts";
import type { Connection, Database } from "#shared/database/connect.ts";
import type { Tables } from "#shared/database/tables.ts";
import { readOnOneConnection, together } from "#shared/database/transact.ts";
import type { EventDetails } from "#shared/events/event.ts";
import { findEventById } from "#shared/events/find-event.ts";
import type { Organisation } from "#shared/organisation.ts";
import { runInWorker } from "#shared/workers/run-in-worker.ts";
import { discountOf } from "../discounts.ts";
import { ticketNumber, ticketPayload, writeToken } from "../ticket-token.ts";
import type { TicketDocument } from "./documents/tickets-pdf.ts";
import { accessOf, findOrder, listLines, listTickets } from "./store.ts";
import { ticketKey } from "./ticket-key.ts";

/** An order for PDFs and emails; `tickets` in the order of issue. */
export type OrderFacts = {
  readonly order: Selectable<Tables["ticket_orders"]>;
  readonly event: EventDetails;
  readonly lines: readonly { readonly title: string; readonly quantity: number; readonly priceCents: number }[];
  /** What a discount code takes off all lines. */
  readonly discountCents: number;
  readonly tickets: readonly OrderTicket[];
  /** The key of the link that shows the types; undefined if everybody sees them. */
  readonly access: string | undefined;
};

export type OrderTicket = {
  readonly id: string;
  readonly typeId: number;
  /** The type's title and price when the seats were held. */
  readonly title: string;
  /** What was paid for it, and what a discount code took off before. */
  readonly priceCents: number;
  readonly discountCents: number;
  /** What staff took for it in person. */
  readonly takenCents: number;
  readonly holder: string;
  readonly serial: Buffer;
  readonly isCancelled: boolean;
  readonly refundId: string | null;
};

/** Null if there is no such order. */
export async function findOrderFacts(database: Database, id: string, now: Date): Promise<OrderFacts | null> {
  const eventId = sql<number>`(select event_id from ticket_orders where id = ${id})`;
  const [order, event, lines, tickets] = await readOnOneConnection(database, (connection) =>
    together(
      findOrder(connection, id),
      findEventById(connection, eventId, now),
      listLines(connection, id),
      listTickets(connection, id),
    ),
  );
  if (order === undefined || event === null) return null;
  return {
    order,
    event,
    lines: lines.map(({ title, quantity, price_cents }) => ({ title, quantity, priceCents: price_cents })),
    discountCents: discountOf(lines),
    tickets: tickets.map((row) => ({
      id: row.id,
      typeId: row.type_id,
      title: row.title,
      priceCents: row.price_cents,
      discountCents: row.discount_cents,
      takenCents: row.taken_cents,
      holder: row.holder_name,
      serial: row.serial,
      isCancelled: row.cancelled_at !== null,
      refundId: row.refund_id,
    })),
    access: accessOf(lines),
  };
}

/** Those that have not been cancelled. */
export const validTickets = ({ tickets }: Pick<OrderFacts, "tickets">) =>
  tickets.filter(({ isCancelled }) => !isCancelled);

/** The document of an order's valid tickets; null if it has none. */
export function ticketDocumentOf(
  facts: OrderFacts,
  organisation: Organisation,
  secretKey: string,
): TicketDocument | null {
  const { order, event } = facts;
  const tickets = validTickets(facts);
  if (tickets.length === 0 || order.paid_at === null) return null;
  return {
    organisation,
    event,
    order: {
      reference: order.reference,
      paidAt: order.paid_at,
      taken: order.taken_cents === 0 ? undefined : { cents: order.taken_cents, tickets: facts.tickets.length },
    },
    tickets: tickets.map(({ typeId, serial, holder, title, priceCents }) => ({
      number: ticketNumber(serial),
      holder,
      typeTitle: title,
      priceCents,
      token: signTicket(secretKey, { eventId: event.id, typeId, serial }),
    })),
  };
}

/** A4, one page per ticket, tagged for screen readers. The same tickets give the same bytes. */
export function renderTickets(document: TicketDocument, look?: DocumentLook): Promise<Buffer> {
  const input = { ...document, look };
  return runInWorker({ module: new URL("./documents/tickets-pdf.ts", import.meta.url), run: "drawTickets", input });
}

/** A refund by its own id. @throws Error if there is none. */
export function findOrderRefund(connection: Connection, id: string): Promise<Selectable<Tables["refunds"]>> {
  return connection.selectFrom("refunds").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
}

/** The text of a ticket's QR code, always the same. @throws RangeError if an id or the serial does not fit. */
export function signTicket(
  secretKey: string,
  ticket: { readonly eventId: number; readonly typeId: number; readonly serial: Uint8Array },
): string {
  const payload = ticketPayload(ticket);
  return writeToken(payload, ticketKey(secretKey).sign(payload));
}
