import { sql } from "kysely";
import { z } from "zod";
import { Refusal } from "#admin/actions.ts";
import { type Actor, recordAct } from "#admin/audit.ts";
import { lockAttempt } from "#payments/refunds/refund-store.ts";
import type { Connection } from "#shared/database/connect.ts";
import { AppError } from "#shared/errors.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { formatList, plural } from "#shared/language.ts";
import { ticketNumber } from "../../ticket-token.ts";
import { cancelLocked, lockOrderAndSeats } from "../cancel-tickets.ts";
import { admissions } from "../door/door-figures.ts";
import { findOrder, type IssuedTicket, listTickets } from "../store.ts";

/** Which tickets of an order. */
type Cancelling = { readonly orderId: string; readonly ticketIds: readonly string[] };

/** `giveBackCents` is what staff took for the tickets at the door: they give it back themselves. */
export type CancelledByStaff = {
  readonly tickets: number;
  readonly giveBackCents: number;
  readonly isEmailed: boolean;
};

/** Valid tickets that no provider was paid for. Those that were paid online are cancelled with their refund. */
export const listUnpaid = (tickets: readonly IssuedTicket[]) =>
  tickets.filter(({ cancelled_at, price_cents }) => cancelled_at === null && price_cents === 0);

/** What staff took in person for these tickets, in cents. */
export const sumTaken = (tickets: readonly Pick<IssuedTicket, "taken_cents">[]) =>
  tickets.reduce((sum, { taken_cents }) => sum + taken_cents, 0);

/** The ids of an order's tickets that somebody came in with. */
export async function listCame(connection: Connection, order: { readonly id: string; readonly event_id: number }) {
  const { rows } = await sql<{ ticket_id: string }>`
    select distinct ticket_id from (${admissions(order.event_id)}) as came
     where ticket_id in (select id from tickets where order_id = ${order.id})`.execute(connection);
  return rows.map(({ ticket_id }) => ticket_id);
}

/**
 * Cancels tickets that no provider was paid for, frees their seats and emails the buyer, in one transaction.
 * @throws Refusal if one was cancelled or let in in the meantime; nothing has changed then. AppError `not_found`
 */
export function cancelByStaff(
  { database, jobs, now }: CoreServices<"database" | "jobs" | "now">,
  cancelling: Cancelling,
  actor: Actor,
): Promise<CancelledByStaff> {
  const { orderId } = cancelling;
  return database.transaction().execute(async (transaction) => {
    const at = now();
    const { paid_attempt_id: attemptId, email } = await requireOrder(transaction, orderId);
    if (attemptId !== null) await lockAttempt(transaction, attemptId);
    const locked = (await lockOrderAndSeats(transaction, orderId))!;
    const tickets = await requireCancellable(transaction, cancelling);
    await cancelLocked(transaction, locked, { tickets, refundId: null, now: at });
    const giveBackCents = sumTaken(tickets);
    const after = { ticketNumbers: tickets.map(numberOf), ...(giveBackCents > 0 && { giveBackCents }) };
    const act = { verb: "order.cancel-tickets", subject: "ticket_order", subjectId: orderId, after };
    await recordAct(transaction, actor, act, at);
    const isEmailed = email !== "";
    if (isEmailed) {
      const ticketIds = tickets.map(({ id }) => id);
      await jobs.send(transaction, "emails", { template: "tickets-cancelled-by-staff", orderId, ticketIds });
    }
    return { tickets: tickets.length, giveBackCents, isEmailed };
  });
}

async function requireOrder(connection: Connection, id: string) {
  const order = z.uuid().safeParse(id).success ? await findOrder(connection, id) : undefined;
  if (order === undefined || order.email === null) throw new AppError("not_found");
  return order;
}

const numberOf = ({ serial }: IssuedTicket) => ticketNumber(serial);

/**
 * The tickets, if staff may cancel all of them.
 * @throws Refusal if one was cancelled or let in in the meantime; AppError `not_found`
 */
export async function requireCancellable(
  connection: Connection,
  { orderId, ticketIds }: Cancelling,
): Promise<IssuedTicket[]> {
  const order = await requireOrder(connection, orderId);
  const tickets = (await listTickets(connection, orderId)).filter(({ id }) => ticketIds.includes(id));
  if (tickets.length !== new Set(ticketIds).size) throw new AppError("not_found");
  const gone = tickets.filter(({ cancelled_at }) => cancelled_at !== null);
  if (gone.length > 0) {
    const numbers = formatList(gone.map(numberOf), "and");
    throw new Refusal(
      plural(gone.length, {
        one: `Ticket ${numbers} was cancelled in the meantime, so nothing was done.`,
        other: `Tickets ${numbers} were cancelled in the meantime, so nothing was done.`,
      }),
    );
  }
  if (listUnpaid(tickets).length < tickets.length) throw new AppError("not_found");
  const cameIds = new Set(await listCame(connection, order));
  const came = tickets.filter(({ id }) => cameIds.has(id));
  if (came.length > 0) {
    const numbers = formatList(came.map(numberOf), "and");
    throw new Refusal(
      plural(came.length, {
        one: `Somebody has come in with ticket ${numbers}, so nothing was cancelled.`,
        other: `Somebody has come in with tickets ${numbers}, so nothing was cancelled.`,
      }),
    );
  }
  return tickets;
}
