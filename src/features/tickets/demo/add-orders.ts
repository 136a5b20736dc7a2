import { randomUUID } from "node:crypto";
import {
  type BookedPast,
  type DemoPast,
  type DemoPayment,
  describeDemoRecording,
  newPaymentReference,
  outcomeOf,
} from "#payments/demo/demo-payments.ts";
import { settleRefund } from "#payments/refunds/refund-settle.ts";
import { listRefunds } from "#payments/refunds/refund-store.ts";
import { settle } from "#payments/settle.ts";
import type { Subject } from "#payments/subject.ts";
import { cancelTickets } from "../server/change-tickets.ts";
import { holdTickets } from "../server/hold/hold-tickets.ts";
import { freeLapsedHolds } from "../server/hold/lapsed-holds.ts";
import { recordTicketPayment } from "../server/pay-tickets.ts";
import { readTypes } from "../server/seats.ts";
import { ticketSubject } from "../server/settlement.ts";
import { listTickets } from "../server/store.ts";
import { type PlannedOrder, planOrders } from "./plan-orders.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

type Services = Parameters<typeof ticketSubject>[0] &
  Parameters<typeof holdTickets>[0] &
  Parameters<typeof cancelTickets>[0];

/** A planned order of tickets with its payment. */
type DemoOrder = PlannedOrder & { readonly payment: DemoPayment };

/** Invented orders for the events that sell tickets, with their payments. */
export async function planTicketOrders(services: Services, now: Date): Promise<DemoPast> {
  const { database } = services;
  const events = await database.selectFrom("events").select(["id", "slug", "starts_at"]).orderBy("starts_at").execute();
  const types = await Promise.all(events.map(({ id }) => readTypes(database, id)));
  const ticketed = events
    .map(({ slug, starts_at }, index) => ({ slug, startsAt: starts_at, types: types[index]! }))
    .filter((event) => event.types.length > 0);
  const orders = planOrders(ticketed, now).map((order) => ({ ...order, payment: describePayment(order) }));
  return { payments: orders.map(({ payment }) => payment), add: (booked) => addOrders(services, orders, booked) };
}

function describePayment({ lines, method, outcome, at: heldAt }: PlannedOrder): DemoPayment {
  const amountCents = lines.reduce((sum, { quantity, priceCents }) => sum + quantity * priceCents, 0);
  const at = new Date(heldAt.getTime() + 3 * MINUTE_MS);
  const cents = { cancelled: amountCents, "one cancelled": lines[0]!.priceCents }[outcome as string];
  return {
    orderReference: newPaymentReference(),
    method,
    amountCents,
    at,
    isDeclined: outcome === "declined",
    isDisputed: false,
    refund: cents === undefined ? null : { cents, at: new Date(at.getTime() + 2 * DAY_MS) },
  };
}

/** Adds the orders that the provider has booked, in the same order. Orders that were never paid have lapsed. */
async function addOrders(
  services: Services,
  orders: readonly DemoOrder[],
  booked: readonly BookedPast[],
): Promise<void> {
  const subject = ticketSubject(services);
  for (const [index, order] of orders.entries()) {
    // Each from a different network address: many holds from one would need a captcha.
    await addOrder(services, subject, order, { past: booked[index]!, address: `198.51.100.${index}` });
  }
  await freeLapsedHolds(services.database, services.now());
}

async function addOrder(
  services: Services,
  subject: Subject,
  { event, at, lines, buyer, payment, outcome }: DemoOrder,
  { past, address }: { past: BookedPast; address: string },
): Promise<void> {
  const { database, config } = services;
  const holder = { address, browser: undefined, idempotencyKey: undefined };
  const held = await holdTickets({ ...services, now: () => at }, { event, lines }, holder);
  if (!held.ok) throw new Error(`The demo could not hold tickets: ${held.message}`);
  const { id, key } = held.data;
  const details = { ...buyer, country: "Australia", phone: "", address: "", suburb: "" };
  const recording = describeDemoRecording({ kind: "ticket_order", id }, payment);
  const recorded = recordTicketPayment({
    recording,
    captcha: randomUUID(),
    buyer: { ...details, userId: null },
    config,
  });
  const attempt = (await recorded.execute(database)).rows[0]!;
  const settledAt = new Date(payment.at.getTime() + 2000);
  const how = { actor: "request", now: settledAt } as const;
  await settle({ database, subject }, attempt, outcomeOf(payment, past), how);
  if (payment.refund === null) return;
  const { at: cancelledAt } = payment.refund;
  const tickets = (await listTickets(database, id)).map((ticket) => ticket.id);
  const cancelled = outcome === "cancelled" ? tickets : tickets.slice(0, 1);
  await cancelTickets({ ...services, now: () => cancelledAt }, id, { key, tickets: cancelled });
  const [refund] = await listRefunds(database, attempt.id);
  const made = { kind: "succeeded", how: "refund", status: "approved", raw: null } as const;
  await settleRefund({ database, subject }, refund!, { ...made, transactionId: past.refundIds[0]! }, cancelledAt);
}
