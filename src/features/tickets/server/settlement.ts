import type { Attempt } from "#payments/attempts.ts";
import { requestRefund } from "#payments/refunds/request-refund.ts";
import type { PaidWords, Subject } from "#payments/subject.ts";
import { takenBack, tellTroubles } from "#payments/subjects.ts";
import type { Connection, Database } from "#shared/database/connect.ts";
import type { Jobs } from "#shared/jobs/jobs.ts";
import { documentKey, type LinkConfig } from "#shared/links/document-links.ts";
import { formatDollars } from "#shared/money.ts";
import { ticketsPdfPath } from "#shared/paths.ts";
import { freeSeats, lockSeats, sellSeats, sellSeatsOrRefuse } from "./seats.ts";
import {
  findOrder,
  issueTickets,
  listLines,
  listRefunds,
  listTicketCredits,
  lockOrder,
  type OrderRow,
  sumRefunded,
  ticketOrderIdOf,
} from "./store.ts";

type Needs = { readonly database: Database; readonly jobs: Jobs; readonly config: LinkConfig };

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

  async function issue(transaction: Connection, { id: orderId, first_name, last_name }: OrderRow) {
    const lines = await listLines(transaction, orderId);
    await issueTickets(transaction, { orderId, lines, holder: `${first_name} ${last_name}` });
    await jobs.send(transaction, "letters", { letter: "tickets", orderId });
  }

  return {
    listCredits: async (_, attempt) => listTicketCredits(attempt),
    async onPaid(transaction, attempt, { now, isRefused }) {
      const order = (await findOrder(transaction, ticketOrderIdOf(attempt)))!;
      const sale = { orderId: order.id, attemptId: attempt.id, now };
      const isOpen = order.state === "held" || order.state === "lapsed";
      if (isOpen && !isRefused) {
        // Before the seats, for which others wait.
        await issue(transaction, order);
        return sellSeatsOrRefuse(sale);
      }
      const became = await sellSeats(transaction, sale);
      if (became === "paid") {
        await issue(transaction, order);
        return undefined;
      }
      const reason = became === "gone" ? "no seats were left when the payment came" : "the order had been paid already";
      await giveBack(transaction, attempt, { reason, now });
      return undefined;
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
    describePaid: (attempt) => describePaid(database, config, attempt),
    async findEmail(attempt) {
      return (await findOrder(database, ticketOrderIdOf(attempt)))?.email ?? undefined;
    },
    findUserId: async () => null,
    ...troubles,
  };
}

/** All of the money is back with the buyer, whoever gave it back: no ticket of it is valid, and its seats are free. */
async function cancelAll(
  transaction: Connection,
  attempt: Attempt,
  { refundId, now }: { refundId: string; now: Date },
): Promise<void> {
  const { id, event_id, paid_attempt_id } = (await findOrder(transaction, ticketOrderIdOf(attempt)))!;
  if (paid_attempt_id !== attempt.id) return;
  await lockSeats(transaction, event_id);
  const order = (await lockOrder(transaction, id))!;
  if (order.state !== "paid") return;
  const cancelled = await transaction
    .updateTable("tickets")
    .set({ cancelled_at: now, refund_id: refundId })
    .where("order_id", "=", id)
    .where("cancelled_at", "is", null)
    .returning("type_id")
    .execute();
  await freeSeats(transaction, { eventId: event_id, tickets: cancelled, now });
  await transaction.updateTable("ticket_orders").set({ state: "cancelled" }).where("id", "=", id).execute();
}

const soldOut = "Your seats were gone by the time your payment arrived, so all of it goes back to you.";
const paidTwice = "This order had been paid already, so this payment goes back to you in full.";

async function describePaid(database: Database, config: LinkConfig, attempt: Attempt): Promise<PaidWords> {
  const order = (await findOrder(database, ticketOrderIdOf(attempt)))!;
  const { id, reference } = order;
  if (order.paid_attempt_id !== attempt.id) return { state: "refunded", message: paidTwice };
  if (order.state === "refunded") return { state: "refunded", message: soldOut, reference };
  if (attempt.state === "refunded") return { message: "This payment has been refunded.", reference };
  const key = documentKey(config, { kind: "ticket_order", id }, order.paid_at!);
  const receiptUrl = `${ticketsPdfPath(id)}?key=${key}`;
  if (attempt.state !== "partially_refunded") {
    return { message: "Thank you. Your tickets are booked.", reference, receiptUrl };
  }
  const refunded = formatDollars(sumRefunded(await listRefunds(database, id), attempt.id));
  return { message: `${refunded} of this payment has been refunded.`, reference, receiptUrl };
}
