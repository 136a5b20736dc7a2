import { sql } from "kysely";
import type { Attempt } from "#payments/attempts.ts";
import { shownAs } from "#payments/states.ts";
import { readOnOneConnection, together } from "#shared/database/transact.ts";
import { AppError } from "#shared/errors.ts";
import type { EventFacts } from "#shared/events/event.ts";
import { findEventFactsById } from "#shared/events/find-event.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { documentKey, requireDocumentKey } from "#shared/links/document-links.ts";
import { ticketOrderPath, ticketsCalendarPath, ticketsPdfPath } from "#shared/paths.ts";
import { cancelUntil } from "../cancel-until.ts";
import type { TicketOrder } from "../contract.ts";
import { discountOf } from "../discounts.ts";
import { ticketNumber } from "../ticket-token.ts";
import { presentRefunds } from "./present-refunds.ts";
import { describeEvent } from "./sale.ts";
import {
  accessOf,
  findLatestPayment,
  findOrder,
  type IssuedTicket,
  type LineRow,
  listLines,
  listOrderRefunds,
  listTickets,
  type OrderRow,
  type RefundRow,
  sumRefunded,
} from "./store.ts";
import { findOffered } from "./waiting/held-offers.ts";

export type OrderServices = CoreServices<"database" | "now", "secretKey" | "linkDays" | "tickets">;

/** The key in an order's link authorises everything about it. @throws AppError `not_found`, `link_ended`. */
export function requireOrderKey(services: OrderServices, id: string, key: string): Promise<void> {
  return requireDocumentKey(services, { kind: "ticket_order", id }, key);
}

/** The same as `findOrderState`. @throws AppError `not_found`. */
export async function presentOrder(services: OrderServices, id: string, key: string): Promise<TicketOrder> {
  const state = await findOrderState(services, id, key);
  if (state === null) throw new AppError("not_found");
  return state;
}

/**
 * The current state of an order for the holder of `key`, read in one message; its links have the same key.
 * If the order was offered to somebody who waited, and another took its place since, that one, with a key of its own.
 */
export async function findOrderState(services: OrderServices, id: string, key: string): Promise<TicketOrder | null> {
  const { database, config, now } = services;
  const orderId = id.toLowerCase();
  const eventId = sql<number>`(select event_id from ticket_orders where id = ${orderId})`;
  const [order, lines, tickets, refunds, payment, event, offered] = await readOnOneConnection(database, (connection) =>
    together(
      findOrder(connection, orderId),
      listLines(connection, orderId),
      listTickets(connection, orderId),
      listOrderRefunds(connection, orderId),
      findLatestPayment(connection, orderId),
      findEventFactsById(connection, eventId, now()),
      findOffered(connection, orderId),
    ),
  );
  if (order === undefined || event === undefined) return null;
  if (offered !== undefined && offered !== orderId) {
    const document = { kind: "ticket_order", id: offered } as const;
    return findOrderState(services, offered, documentKey(config, document, order.created_at));
  }
  const isOffer = offered !== undefined;
  return presentState({ order, lines, tickets, refunds, payment, event, isOffer }, config, { at: now(), key });
}

type State = {
  readonly order: PresentedOrder;
  readonly lines: readonly PresentedLine[];
  readonly tickets: readonly IssuedTicket[];
  readonly refunds: readonly RefundRow[];
  readonly payment: Pick<Attempt, "id" | "state"> | undefined;
  readonly event: EventFacts;
  readonly isOffer: boolean;
};
type PresentedLine = Pick<LineRow, "code" | "title" | "quantity" | "price_cents" | "discounted" | "discount_cents"> &
  Partial<Pick<LineRow, "visibility" | "access_key">>;
/** An order as it is held. */
export type HeldOrder = Pick<
  OrderRow,
  "id" | "reference" | "hold_until" | "total_cents" | "discount_id" | "discount_code"
>;
type PresentedOrder = HeldOrder & Pick<OrderRow, "state" | "email" | "paid_attempt_id" | "taken_cents">;

/** An order that has just been held, without reading it again. */
export function presentHeld(
  { config }: Pick<OrderServices, "config">,
  held: Pick<State, "lines" | "event" | "isOffer"> & { order: HeldOrder },
  shown: { readonly at: Date; readonly key: string },
): TicketOrder {
  const order = { ...held.order, state: "held", email: null, paid_attempt_id: null, taken_cents: 0 } as const;
  return presentState({ ...held, order, tickets: [], refunds: [], payment: undefined }, config, shown);
}

function presentState(
  { order, lines, tickets, refunds, payment, event, isOffer }: State,
  { tickets: { cancelHours } }: OrderServices["config"],
  { at, key }: { readonly at: Date; readonly key: string },
): TicketOrder {
  const access = accessOf(lines);
  const isLive = tickets.some(({ cancelled_at }) => cancelled_at === null);
  return {
    id: order.id,
    reference: order.reference,
    // An expired hold counts as lapsed even before its seats are freed.
    state: order.state === "held" && order.hold_until <= at ? "lapsed" : order.state,
    event: describeEvent(event),
    lines: lines.map(({ code, title, quantity, price_cents }) => ({
      type: code,
      title,
      quantity,
      priceCents: price_cents,
    })),
    discount: presentDiscount(order, lines),
    totalCents: order.total_cents,
    ...(order.taken_cents > 0 && { takenCents: order.taken_cents }),
    ...(isOffer && { isOffer }),
    ...(access && order.state !== "paid" && { access }),
    now: at.toISOString(),
    holdUntil: order.state === "held" ? order.hold_until.toISOString() : null,
    email: order.email ?? "",
    tickets: tickets.map(presentTicket),
    refundedCents: sumRefunded(refunds, order.paid_attempt_id),
    refunds: presentRefunds(order, { refunds, tickets, now: at }),
    cancelUntil: presentCancelUntil(order, cancelUntil(event, cancelHours), at),
    payment: payment === undefined ? null : { id: payment.id, state: shownAs[payment.state] },
    ...linksOf(order.id, key, isLive),
  };
}

function presentDiscount({ discount_code: code }: PresentedOrder, lines: readonly PresentedLine[]) {
  if (code === "") return null;
  return { code, cents: discountOf(lines) };
}

function presentCancelUntil({ state }: PresentedOrder, until: Date, at: Date): string | null {
  return state === "paid" && at < until ? until.toISOString() : null;
}

function presentTicket({ id, code, title, price_cents, holder_name, serial, cancelled_at }: IssuedTicket) {
  return {
    id,
    type: code,
    title,
    priceCents: price_cents,
    holder: holder_name,
    number: ticketNumber(serial),
    isCancelled: cancelled_at !== null,
  };
}

function linksOf(id: string, key: string, isLive: boolean) {
  return {
    key,
    pageUrl: `${ticketOrderPath(id)}?key=${key}`,
    ticketsUrl: isLive ? `${ticketsPdfPath(id)}?key=${key}` : null,
    calendarUrl: isLive ? `${ticketsCalendarPath(id)}?key=${key}` : null,
  };
}
