import { randomUUID } from "node:crypto";
import { z } from "zod";
import { Refusal } from "#admin/actions.ts";
import { type Actor, recordAct } from "#admin/audit.ts";
import { lockAttempt } from "#payments/refunds/refund-store.ts";
import { requestRefund } from "#payments/refunds/request-refund.ts";
import type { Connection } from "#shared/database/connect.ts";
import { AppError } from "#shared/errors.ts";
import { doEach } from "#shared/jobs/do-each.ts";
import { cancelLocked, lockOrderAndSeats } from "../cancel-tickets.ts";
import { findOrder } from "../store.ts";
import { type EntryRow, listEntries } from "../waiting/find-entries.ts";
import type { CallOffServices } from "./call-off-requests.ts";

const REASON = "The event was called off";

/**
 * Cancels and refunds the paid orders of every event that was called off, each in a transaction of its own, so that the
 * next run goes on where this one ends. Safe in several processes at the same time. An order that fails is tried again
 * at the next run, and holds up no other.
 */
export async function continueCallOffs(services: CallOffServices): Promise<void> {
  const { database } = services;
  await doEach(await listUnfinished(database), async ({ id, event_id: eventId }) => {
    await doEach(await listPaidOrders(database, eventId), (orderId) =>
      database.transaction().execute((transaction) => callOffOrder(transaction, services, orderId)),
    );
    await finish(services, { id, eventId });
  });
}

function listUnfinished(connection: Connection) {
  return connection
    .selectFrom("call_off_requests")
    .select(["id", "event_id"])
    .where("decision", "=", "approved")
    .where("finished_at", "is", null)
    .orderBy("decided_at")
    .execute();
}

async function listPaidOrders(connection: Connection, eventId: number): Promise<string[]> {
  const orders = connection
    .selectFrom("ticket_orders")
    .select("id")
    .where("event_id", "=", eventId)
    .where("state", "=", "paid");
  return (await orders.orderBy("created_at").orderBy("id").execute()).map(({ id }) => id);
}

/** Cancels all tickets of a paid order, requests the refund of all that is left of its payment, and emails its buyer. */
async function callOffOrder(transaction: Connection, { jobs, now }: CallOffServices, orderId: string): Promise<void> {
  const at = now();
  const attemptId = (await findOrder(transaction, orderId))?.paid_attempt_id ?? null;
  if (attemptId !== null) await lockAttempt(transaction, attemptId);
  const locked = await lockOrderAndSeats(transaction, orderId);
  // Another process or the buyer was faster.
  if (locked?.order.state !== "paid") return;
  const refundId = attemptId === null ? null : await refundRest(transaction, { attemptId, orderId, at });
  const tickets = locked.tickets.filter(({ cancelled_at }) => cancelled_at === null);
  await cancelLocked(transaction, locked, { tickets, refundId, now: at });
  await transaction.updateTable("ticket_orders").set({ called_off_at: at }).where("id", "=", orderId).execute();
  await jobs.send(transaction, "emails", { template: "event-called-off", orderId });
}

type Refunding = { readonly attemptId: string; readonly orderId: string; readonly at: Date };

/** Null if nothing is left, or nothing can be refunded now: the event's screen then lists the order. */
async function refundRest(transaction: Connection, { attemptId, orderId, at }: Refunding): Promise<string | null> {
  const requested = { attemptId, amountCents: null, requestKey: callOffKey(orderId), reason: REASON };
  const reply = await requestRefund(transaction, { ...requested, requestedBy: "system" }, at);
  return reply.ok ? reply.refund.id : null;
}

/** What begins the request keys of an order's refunds after its event was called off. */
export const callOffKey = (orderId: string) => `call-off ${orderId}`;

/** None becomes paid any more, so an event without paid orders stays without. Tells those who still wait, once. */
async function finish(
  { database, jobs, now }: CallOffServices,
  { id, eventId }: { readonly id: string; readonly eventId: number },
): Promise<void> {
  if ((await listPaidOrders(database, eventId)).length > 0) return;
  await database.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable("call_off_requests")
      .set({ finished_at: now() })
      .where("id", "=", id)
      .where("finished_at", "is", null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    const waiting = (await listEntries(transaction, eventId, now())).filter(({ state }) => openStates.has(state));
    const emails = waiting.map((entry) => ({ template: "waiting-called-off" as const, entryId: entry.id }));
    await jobs.sendAll(transaction, "emails", emails);
  });
}

/** The states of an entry of a waiting list in which somebody may still expect seats. */
const openStates: ReadonlySet<EntryRow["state"]> = new Set(["waiting", "offered"]);

/**
 * Asks the provider once more for the refund of an order whose event was called off. That was approved already, so this
 * needs nobody else. @throws Refusal if nothing is left to refund, or it is under way; AppError `not_found`
 */
export function retryCalledOffRefund(
  { database, now }: CallOffServices,
  { orderId, eventId }: { readonly orderId: string; readonly eventId: number },
  actor: Actor,
): Promise<void> {
  return database.transaction().execute(async (transaction) => {
    const at = now();
    const order = z.uuid().safeParse(orderId).success ? await findOrder(transaction, orderId) : undefined;
    if (order?.event_id !== eventId || order.called_off_at === null || order.paid_attempt_id === null) {
      throw new AppError("not_found");
    }
    const requestKey = `${callOffKey(orderId)} ${randomUUID()}`;
    const requested = { attemptId: order.paid_attempt_id, amountCents: null, requestKey, reason: REASON };
    const reply = await requestRefund(transaction, { ...requested, requestedBy: "system" }, at);
    if (!reply.ok) {
      throw new Refusal(
        reply.problem === "not_paid"
          ? "The buyer disputes this payment with their bank. Until that is decided, a refund could pay the money back twice. Nothing was refunded."
          : "Nothing is left to refund, or the refund is under way. Nothing more was refunded.",
      );
    }
    const after = { amountCents: reply.refund.amount_cents, refund: reply.refund.order_reference };
    const act = { verb: "order.retry_refund", subject: "ticket_order", subjectId: orderId, after };
    await recordAct(transaction, actor, act, at);
  });
}
