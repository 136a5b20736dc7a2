import { randomUUID } from "node:crypto";
import { requestRefund } from "#payments/refunds/request-refund.ts";
import type { Connection } from "#shared/database/connect.ts";
import { AppError } from "#shared/errors.ts";
import { findEventFactsById } from "#shared/events/find-event.ts";
import type { Jobs } from "#shared/jobs/jobs.ts";
import { cancelUntil } from "../cancel-until.ts";
import type { TicketOrder } from "../contract.ts";
import { ticketProblems } from "../problems.ts";
import { type OrderServices, presentOrder } from "./present-order.ts";
import { freeSeats, lockSeats } from "./seats.ts";
import { findOrder, listTickets, lockOrder } from "./store.ts";

export type ChangeServices = OrderServices & { readonly jobs: Jobs };

/**
 * Cancels tickets of a paid order, and requests their refund and the email about it, in one transaction. Tickets that
 * are already cancelled are ignored.
 * @throws AppError `cannot_cancel` if it is too late, or the money cannot be refunded this way; nothing has changed
 * then.
 */
export async function cancelTickets(
  services: ChangeServices,
  orderId: string,
  { key, tickets: ticketIds }: { readonly key: string; readonly tickets: readonly string[] },
): Promise<TicketOrder> {
  const { database } = services;
  await database.transaction().execute((transaction) => cancelIn(transaction, services, { orderId, ticketIds }));
  return presentOrder(services, orderId, key);
}

async function cancelIn(
  transaction: Connection,
  { config, jobs, now }: ChangeServices,
  { orderId, ticketIds }: { orderId: string; ticketIds: readonly string[] },
): Promise<void> {
  const at = now();
  const found = await findOrder(transaction, orderId);
  const attemptId = found?.paid_attempt_id;
  if (found === undefined || attemptId == null) throw new AppError(ticketProblems.cannot_cancel);
  // Always locked in this order: the payment, the types, the order.
  await transaction.selectFrom("payment_attempts").select("id").where("id", "=", attemptId).forUpdate().execute();
  await lockSeats(transaction, found.event_id);
  const order = (await lockOrder(transaction, orderId))!;
  const all = await listTickets(transaction, orderId);
  const wanted = new Set(ticketIds);
  const cancelled = all.filter(({ id, cancelled_at }) => wanted.has(id) && cancelled_at === null);
  if (all.filter(({ id }) => wanted.has(id)).length < wanted.size) throw new AppError("not_found");
  if (cancelled.length === 0) return;
  const event = (await findEventFactsById(transaction, order.event_id, at))!;
  if (order.state !== "paid" || at >= cancelUntil(event, config.tickets.cancelHours))
    throw new AppError(ticketProblems.cannot_cancel);

  const amountCents = cancelled.reduce((sum, { price_cents }) => sum + price_cents, 0);
  const reason = `${cancelled.length} of ${all.length} tickets cancelled by the buyer`;
  const requested = {
    attemptId,
    amountCents,
    requestKey: `cancellation ${randomUUID()}`,
    requestedBy: "system",
    reason,
  } as const;
  const reply = await requestRefund(transaction, requested, at);
  if (!reply.ok) throw new AppError(ticketProblems.cannot_cancel);
  await transaction
    .updateTable("tickets")
    .set({ cancelled_at: at, refund_id: reply.refund.id })
    .where(
      "id",
      "in",
      cancelled.map(({ id }) => id),
    )
    .execute();
  await freeSeats(transaction, { eventId: order.event_id, tickets: cancelled, now: at });
  await jobs.send(transaction, "emails", { template: "tickets-cancelled", refundId: reply.refund.id });
  const isLast = all.every(({ id, cancelled_at }) => cancelled_at !== null || wanted.has(id));
  if (isLast) {
    await transaction.updateTable("ticket_orders").set({ state: "cancelled" }).where("id", "=", orderId).execute();
  }
}

/** @throws AppError `not_found` for a ticket of another order, or a cancelled one. */
export async function renameHolder(
  services: OrderServices,
  orderId: string,
  { key, ticket, name }: { readonly key: string; readonly ticket: string; readonly name: string },
): Promise<TicketOrder> {
  const renamed = await services.database
    .updateTable("tickets")
    .set({ holder_name: name })
    .where("id", "=", ticket)
    .where("order_id", "=", orderId)
    .where("cancelled_at", "is", null)
    .returning("id")
    .executeTakeFirst();
  if (renamed === undefined) throw new AppError("not_found");
  return presentOrder(services, orderId, key);
}
