import { randomUUID } from "node:crypto";
import { requestRefund } from "#payments/refunds/request-refund.ts";
import type { Connection } from "#shared/database/connect.ts";
import { AppError } from "#shared/errors.ts";
import { findEventFactsById } from "#shared/events/find-event.ts";
import type { Jobs } from "#shared/jobs/jobs.ts";
import { cancelUntil } from "../cancel-until.ts";
import type { TicketOrder } from "../contract.ts";
import { ticketProblems } from "../problems.ts";
import { cancelLocked, cancelWithRefund, lockOrderAndSeats } from "./cancel-tickets.ts";
import { type OrderServices, presentOrder } from "./present-order.ts";
import { findOrder } from "./store.ts";

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
  const attemptId = found?.paid_attempt_id ?? null;
  if (found === undefined || (attemptId === null && found.paid_by === "online")) {
    throw new AppError(ticketProblems.cannot_cancel);
  }
  if (attemptId !== null) {
    await transaction.selectFrom("payment_attempts").select("id").where("id", "=", attemptId).forUpdate().execute();
  }
  const locked = (await lockOrderAndSeats(transaction, orderId))!;
  const { order, tickets: all } = locked;
  const wanted = new Set(ticketIds);
  const cancelled = all.filter(({ id, cancelled_at }) => wanted.has(id) && cancelled_at === null);
  if (all.filter(({ id }) => wanted.has(id)).length < wanted.size) throw new AppError("not_found");
  if (cancelled.length === 0) return;
  const event = (await findEventFactsById(transaction, order.event_id, at))!;
  if (order.state !== "paid" || at >= cancelUntil(event, config.tickets.cancelHours))
    throw new AppError(ticketProblems.cannot_cancel);

  const reason = `${cancelled.length} of ${all.length} tickets cancelled by the buyer`;
  const refundId = await refundTickets(transaction, { attemptId, tickets: cancelled, reason, at });
  if (refundId === null) await cancelLocked(transaction, locked, { tickets: cancelled, refundId, now: at });
  else await cancelWithRefund(transaction, jobs, locked, { tickets: cancelled, refundId, now: at });
}

/**
 * Requests the refund of what these tickets cost; null if they cost nothing.
 * @throws AppError `cannot_cancel` if the money cannot go back.
 */
async function refundTickets(
  transaction: Connection,
  given: { attemptId: string | null; tickets: readonly { price_cents: number }[]; reason: string; at: Date },
): Promise<string | null> {
  const { attemptId, tickets, reason, at } = given;
  const amountCents = tickets.reduce((sum, { price_cents }) => sum + price_cents, 0);
  if (amountCents === 0) return null;
  if (attemptId === null) throw new AppError(ticketProblems.cannot_cancel);
  const requestKey = `cancellation ${randomUUID()}`;
  const reply = await requestRefund(
    transaction,
    { attemptId, amountCents, requestKey, reason, requestedBy: "system" },
    at,
  );
  if (!reply.ok) throw new AppError(ticketProblems.cannot_cancel);
  return reply.refund.id;
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
