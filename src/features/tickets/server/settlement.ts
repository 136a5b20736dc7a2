import type { Connection, Database } from "#shared/database/connect.ts";
import type { Jobs } from "#shared/jobs/jobs.ts";
import { formatDollars } from "#shared/money.ts";
import { ticketsPdfPath } from "#shared/paths.ts";
import type { Attempt } from "#shared/payments/attempts.ts";
import { requestRefund } from "#shared/payments/refunds/request-refund.ts";
import type { PaidWords, Subject } from "#shared/payments/settle.ts";
import { takenBack, tellTroubles } from "#shared/payments/subjects.ts";
import { orderLink } from "./present-order.ts";
import { lapseHolds, leftOf, lockTypes, moveSeats } from "./seats.ts";
import {
  findOrder,
  issueTickets,
  type LineRow,
  listLines,
  listTicketCredits,
  lockOrder,
  type OrderRow,
  sumRefunded,
  ticketOrderIdOf,
} from "./store.ts";

type Needs = { readonly database: Database; readonly jobs: Jobs; readonly config: { readonly secretKey: string } };

/**
 * What a ticket order does when its payment ends or goes back. A payment finds its seats held, or free again, or gone;
 * what finds none, or comes a second time for the same order, is given back in full by the same transaction (TIC-7).
 */
export function ticketSubject({ database, jobs, config }: Needs): Subject {
  const troubles = tellTroubles(jobs);

  async function giveBack(transaction: Connection, attempt: Attempt, { reason, now }: { reason: string; now: Date }) {
    const wish = { attemptId: attempt.id, amountCents: null, requestKey: `tickets ${attempt.id}` };
    const reply = await requestRefund(transaction, { ...wish, requestedBy: "system", reason }, now);
    if (!reply.ok) await troubles.onTrouble(transaction, attempt, `${reason}, and it could not be given back`);
    await jobs.send(transaction, "letters", { letter: "tickets-refused", attemptId: attempt.id });
  }

  return {
    listCredits: async (_, attempt) => listTicketCredits(attempt),
    async onPaid(transaction, attempt, now) {
      const { order, lines, hasSeats } = await takeSeats(transaction, attempt, now);
      if (hasSeats) {
        await issueTickets(transaction, { orderId: order.id, lines, holder: `${order.first_name} ${order.last_name}` });
        return jobs.send(transaction, "letters", { letter: "tickets", orderId: order.id });
      }
      const isSoldOut = order.state === "lapsed";
      if (isSoldOut) await closeOrder(transaction, order.id, { from: "lapsed", to: "refunded", attempt, now });
      const reason = isSoldOut ? "no seats were left when the payment came" : "the order had been paid already";
      return giveBack(transaction, attempt, { reason, now });
    },
    async onFailed(transaction, attempt) {
      // Whoever saw the refusal on the page needs no letter; whoever was told to wait does.
      if (!attempt.was_uncertain) return;
      await jobs.send(transaction, "letters", { letter: "tickets-payment-outcome", attemptId: attempt.id });
    },
    async onRefunded(transaction, attempt, refund, now) {
      const once = { once: `refund ${refund.id}` };
      await jobs.send(transaction, "letters", { letter: "tickets-refund", refundId: refund.id }, once);
      const reason = takenBack[refund.kind];
      if (reason !== undefined) await troubles.onRefundTrouble(transaction, refund, reason);
      if (attempt.state === "refunded") await cancelAll(transaction, attempt, { refundId: refund.id, now });
    },
    describePaid: (attempt) => describePaid(database, config.secretKey, attempt),
    async findEmail(attempt) {
      return (await findOrder(database, ticketOrderIdOf(attempt)))?.email ?? undefined;
    },
    ...troubles,
  };
}

type Taken = { readonly order: OrderRow; readonly lines: readonly LineRow[]; readonly hasSeats: boolean };

/** Makes the seats of an order sold: those it holds or, where its hold has lapsed, others if there are enough. */
async function takeSeats(transaction: Connection, attempt: Attempt, now: Date): Promise<Taken> {
  const orderId = ticketOrderIdOf(attempt);
  const { event_id: eventId } = (await findOrder(transaction, orderId))!;
  const lines = await listLines(transaction, orderId);
  const seats = (held: -1 | 0) =>
    lines.map(({ type_id: typeId, quantity }) => ({ typeId, held: held * quantity, sold: quantity }));
  const types = await lockTypes(transaction, eventId);
  const held = await closeOrder(transaction, orderId, { from: "held", to: "paid", attempt, now });
  if (held !== undefined) {
    await moveSeats(transaction, seats(-1));
    return { order: held, lines, hasSeats: true };
  }
  const order = (await lockOrder(transaction, orderId))!;
  if (order.state !== "lapsed") return { order, lines, hasSeats: false };
  const free = new Map((await lapseHolds(transaction, { eventId, types, now })).map((type) => [type.id, leftOf(type)]));
  const hasSeats = lines.every(({ type_id, quantity }) => (free.get(type_id) ?? 0) >= quantity);
  if (hasSeats) {
    await closeOrder(transaction, orderId, { from: "lapsed", to: "paid", attempt, now });
    await moveSeats(transaction, seats(0));
  }
  return { order, lines, hasSeats };
}

type Closing = {
  readonly from: "held" | "lapsed";
  readonly to: "paid" | "refunded";
  readonly attempt: Attempt;
  readonly now: Date;
};

/** Moves an order on with the payment that came for it; undefined where it is in another state. */
function closeOrder(transaction: Connection, id: string, { from, to, attempt, now }: Closing) {
  return transaction
    .updateTable("ticket_orders")
    .set({ state: to, paid_at: now, paid_attempt_id: attempt.id })
    .where("id", "=", id)
    .where("state", "=", from)
    .returningAll()
    .executeTakeFirst();
}

/** All of the money is back with the buyer, whoever gave it back: no ticket of it is valid, and its seats are free. */
async function cancelAll(
  transaction: Connection,
  attempt: Attempt,
  { refundId, now }: { refundId: string; now: Date },
): Promise<void> {
  const { id, event_id, paid_attempt_id } = (await findOrder(transaction, ticketOrderIdOf(attempt)))!;
  if (paid_attempt_id !== attempt.id) return;
  await lockTypes(transaction, event_id);
  const order = (await lockOrder(transaction, id))!;
  if (order.state !== "paid") return;
  const cancelled = await transaction
    .updateTable("tickets")
    .set({ cancelled_at: now, refund_id: refundId })
    .where("order_id", "=", id)
    .where("cancelled_at", "is", null)
    .returning("type_id")
    .execute();
  await moveSeats(transaction, freedBy(cancelled));
  await transaction.updateTable("ticket_orders").set({ state: "cancelled" }).where("id", "=", id).execute();
}

/** The seats that cancelled tickets leave. */
export function freedBy(tickets: readonly { readonly type_id: number }[]) {
  const counts = new Map<number, number>();
  for (const { type_id } of tickets) counts.set(type_id, (counts.get(type_id) ?? 0) + 1);
  return [...counts].map(([typeId, count]) => ({ typeId, held: 0, sold: -count }));
}

const soldOut = "Your seats were gone by the time your payment arrived, so all of it goes back to you.";
const paidTwice = "This order had been paid already, so this payment goes back to you in full.";

async function describePaid(database: Database, secretKey: string, attempt: Attempt): Promise<PaidWords> {
  const order = (await findOrder(database, ticketOrderIdOf(attempt)))!;
  const { id, reference } = order;
  if (order.paid_attempt_id !== attempt.id) return { state: "refunded", message: paidTwice };
  if (order.state === "refunded") return { state: "refunded", message: soldOut, reference };
  if (attempt.state === "refunded") return { message: "This payment has been refunded.", reference };
  const receiptUrl = orderLink(secretKey, id, ticketsPdfPath(id));
  if (attempt.state !== "partially_refunded") {
    return { message: "Thank you. Your tickets are booked.", reference, receiptUrl };
  }
  const refunded = formatDollars(await sumRefunded(database, id));
  return { message: `${refunded} of this payment has been refunded.`, reference, receiptUrl };
}
