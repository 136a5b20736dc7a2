import { sql } from "kysely";
import { type Attempt, attemptRow } from "#payments/attempts.ts";
import { requestRefund } from "#payments/refunds/request-refund.ts";
import { settlePayment } from "#payments/settle.ts";
import type { PaidWords, Subject } from "#payments/subject.ts";
import { staffAlerts, takenBack } from "#payments/subjects.ts";
import type { Connection, Database } from "#shared/database/connect.ts";
import { together } from "#shared/database/transact.ts";
import type { Jobs } from "#shared/jobs/jobs.ts";
import type { JobData } from "#shared/jobs/queues.ts";
import { formatDollars } from "#shared/language.ts";
import { documentKey, type LinkConfig } from "#shared/links/document-links.ts";
import { ticketsPdfPath } from "#shared/paths.ts";
import { cancelWithRefund, lockOrderAndSeats } from "./cancel-tickets.ts";
import { freeSeats, lockSeats, sellSeats } from "./seats.ts";
import {
  findOrder,
  issueTickets,
  listOrderRefunds,
  listTicketCredits,
  listTickets,
  lockOrder,
  type OrderRow,
  sumRefunded,
  ticketOrderIdOf,
} from "./store.ts";

type PaidOrder = Pick<OrderRow, "id" | "reference" | "state" | "paid_at" | "paid_attempt_id"> & {
  readonly called_off_at?: Date | null;
};

type Needs = { readonly database: Database; readonly jobs: Jobs; readonly config: LinkConfig };

/**
 * What happens to a ticket order when its payment ends or is refunded. A payment may find its seats held, free again or
 * gone. If there are none, or the order is already paid, the same transaction refunds the payment in full (TIC-7).
 */
export function ticketSubject({ database, jobs, config }: Needs): Subject {
  const alerts = staffAlerts(jobs);
  /** The orders of payments that this process has just settled, so that their buyers are answered without a read. */
  const justPaid = new WeakMap<Attempt, PaidOrder>();

  async function giveBack(transaction: Connection, attempt: Attempt, { reason, now }: { reason: string; now: Date }) {
    const requested = { attemptId: attempt.id, amountCents: null, requestKey: `tickets ${attempt.id}` };
    const reply = await requestRefund(transaction, { ...requested, requestedBy: "system", reason }, now);
    if (!reply.ok) await alerts.onAlert(transaction, attempt, `${reason}, and it could not be refunded`);
    await jobs.send(transaction, "emails", { template: "tickets-refused", attemptId: attempt.id });
  }

  return {
    async settle(connection, attempt, { now, move }) {
      const orderId = ticketOrderIdOf(attempt);
      const credits = JSON.stringify(listTicketCredits(attempt));
      const emails: readonly JobData["emails"][] = [{ template: "tickets", orderId }];
      const { rows } = await sql<Attempt & { reference: string }>`
        select ${attemptRow}, (select reference from ticket_orders where id = ${orderId})
          from settle_ticket_order(${orderId}, ${move}, ${credits}, ${JSON.stringify(emails)}) as settled
      `.execute(connection);
      const [settled] = rows;
      if (settled === undefined) return null;
      const { reference, ...row } = settled;
      justPaid.set(row, { id: orderId, reference, paid_at: now, state: "paid", paid_attempt_id: row.id });
      return row;
    },
    async settleRefused(transaction, attempt, settling) {
      const settled = await settlePayment(transaction, settling, listTicketCredits(attempt));
      if (settled === null) return null;
      const { now } = settling;
      const orderId = ticketOrderIdOf(attempt);
      const became = await sellSeats(transaction, { orderId, attemptId: attempt.id, now });
      if (became === "paid") {
        // Seats have become free since.
        await together(
          issueTickets(transaction, orderId),
          jobs.send(transaction, "emails", { template: "tickets", orderId }),
        );
        return settled;
      }
      await giveBack(transaction, settled, { reason: refusedBecause[became], now });
      return settled;
    },
    async onFailed(transaction, attempt) {
      // Buyers who saw the refusal on the page need no email; those who were told to wait do.
      if (!attempt.was_uncertain) return;
      await jobs.send(transaction, "emails", { template: "tickets-payment-outcome", attemptId: attempt.id });
    },
    async onRefunded(transaction, attempt, refund, now) {
      const once = { once: `refund ${refund.id}` };
      await jobs.send(transaction, "emails", { template: "tickets-refund", refundId: refund.id }, once);
      const reason = refund.requested_by === "provider" ? takenBack[refund.kind] : undefined;
      if (reason !== undefined) await alerts.onRefundAlert(transaction, refund, reason);
      if (attempt.state === "refunded") await cancelAll(transaction, attempt, { refundId: refund.id, now });
    },
    async listParts(connection, attempt) {
      const tickets = await listTickets(connection, ticketOrderIdOf(attempt));
      return tickets
        .filter(({ cancelled_at }) => cancelled_at === null)
        .map(({ id, title, holder_name: detail, price_cents: cents }) => ({ id, title, detail, cents }));
    },
    async cancelParts(transaction, attempt, { ids, refundId, now }) {
      const locked = await lockOrderAndSeats(transaction, ticketOrderIdOf(attempt));
      const tickets = locked?.tickets.filter(({ id, cancelled_at }) => ids.includes(id) && cancelled_at === null);
      if (locked?.order.state !== "paid" || tickets?.length !== ids.length) return false;
      await cancelWithRefund(transaction, jobs, locked, { tickets, refundId, now });
      return true;
    },
    async describePaid(attempt) {
      const order = justPaid.get(attempt) ?? (await findOrder(database, ticketOrderIdOf(attempt)))!;
      return describePaid(database, config, { attempt, order });
    },
    async findEmail(attempt) {
      return (await findOrder(database, ticketOrderIdOf(attempt)))?.email ?? undefined;
    },
    findUserId: async () => null,
    ...alerts,
  };
}

const refusedBecause = {
  sold_out: "no seats were left when the payment came",
  called_off: "the event was called off before the payment came",
  closed: "the order had been paid already",
} as const;

/** Once the whole payment is refunded or taken back, none of its tickets is valid, and its seats are free. */
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

const soldOut = "Your seats were gone by the time your payment arrived, so we are refunding all of it.";
const calledOff = "This event has been called off, so we are refunding all of it.";
const paidTwice = "This order was already paid, so we are refunding this payment in full.";

async function describePaid(
  database: Database,
  config: LinkConfig,
  { attempt, order }: { attempt: Attempt; order: PaidOrder },
): Promise<PaidWords> {
  const { id, reference } = order;
  if (order.paid_attempt_id !== attempt.id) return { state: "refunded", message: paidTwice };
  if (order.state === "refunded") {
    const message = order.called_off_at == null ? soldOut : calledOff;
    return { state: "refunded", message, reference };
  }
  if (attempt.state === "refunded") return { message: "This payment has been refunded.", reference };
  const key = documentKey(config, { kind: "ticket_order", id }, order.paid_at!);
  const receiptUrl = `${ticketsPdfPath(id)}?key=${key}`;
  if (attempt.state !== "partially_refunded") {
    return { message: "Thank you. Your tickets are booked.", reference, receiptUrl };
  }
  const refunded = formatDollars(sumRefunded(await listOrderRefunds(database, id), attempt.id));
  return { message: `${refunded} of this payment has been refunded.`, reference, receiptUrl };
}
