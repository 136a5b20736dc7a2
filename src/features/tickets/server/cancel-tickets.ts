import type { Connection } from "#shared/database/connect.ts";
import type { Jobs } from "#shared/jobs/jobs.ts";
import { freeSeats, lockSeats } from "./seats.ts";
import { findOrder, type IssuedTicket, listTickets, lockOrder, type OrderRow } from "./store.ts";

type LockedOrder = { readonly order: OrderRow; readonly tickets: readonly IssuedTicket[] };

/**
 * Locks an order and the seats of its event, and reads its tickets. The caller has locked the payment, because locks are
 * always taken in this order: the payment, the types, the order.
 */
export async function lockOrderAndSeats(transaction: Connection, orderId: string): Promise<LockedOrder | undefined> {
  const found = await findOrder(transaction, orderId);
  if (found === undefined) return undefined;
  await lockSeats(transaction, found.event_id);
  const order = (await lockOrder(transaction, orderId))!;
  return { order, tickets: await listTickets(transaction, orderId) };
}

type Cancelled<RefundId> = {
  readonly tickets: readonly IssuedTicket[];
  /** The refund that goes with it; null if they cost nothing. */
  readonly refundId: RefundId;
  readonly now: Date;
};

/** Cancels valid tickets of a locked order, frees their seats, and emails the buyer about them and their refund. */
export async function cancelWithRefund(
  transaction: Connection,
  jobs: Jobs,
  locked: LockedOrder,
  cancelled: Cancelled<string>,
): Promise<void> {
  await cancelLocked(transaction, locked, cancelled);
  await jobs.send(transaction, "emails", { template: "tickets-cancelled", refundId: cancelled.refundId });
}

/** Cancels valid tickets of a locked order, and frees their seats. The order is cancelled with its last ticket. */
export async function cancelLocked(
  transaction: Connection,
  { order, tickets: all }: LockedOrder,
  { tickets, refundId, now }: Cancelled<string | null>,
): Promise<void> {
  const ids = tickets.map(({ id }) => id);
  await transaction
    .updateTable("tickets")
    .set({ cancelled_at: now, refund_id: refundId })
    .where("id", "in", ids)
    .execute();
  await freeSeats(transaction, { eventId: order.event_id, tickets, now });
  const isLast = all.every(({ id, cancelled_at }) => cancelled_at !== null || ids.includes(id));
  if (isLast) {
    await transaction.updateTable("ticket_orders").set({ state: "cancelled" }).where("id", "=", order.id).execute();
  }
}
