import type { FastifyBaseLogger } from "fastify";
import { z } from "zod";
import { Refusal } from "#admin/actions.ts";
import { type Actor, recordAct } from "#admin/audit.ts";
import type { Connection } from "#shared/database/connect.ts";
import { AppError } from "#shared/errors.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { revokeLinks } from "#shared/links/document-links.ts";
import { countLinkEmail } from "#shared/links/send-link.ts";
import { maskEmail } from "#shared/mail/mask-email.ts";
import { listTickets, lockOrder, type OrderRow } from "../store.ts";
import { isBuyerErased } from "./order-details.ts";

// What staff change about an order. None of it moves money or seats.

export type OrderChangeServices = CoreServices<"database" | "jobs" | "now", "secretKey"> & {
  readonly log: FastifyBaseLogger;
};

const CHANGED_MEANWHILE =
  "Someone else has changed this order since you opened it, so nothing was done. Read what it says now, then decide again.";
const IS_ERASED = "The buyer’s personal data has been erased, so nothing was done.";
const NO_TICKETS = "This order has no valid tickets, so nothing was sent.";

/** An order, locked until the transaction ends. @throws AppError `not_found` if there is none with this id. */
async function requireOrder(transaction: Connection, id: string): Promise<OrderRow> {
  const order = z.uuid().safeParse(id).success ? await lockOrder(transaction, id) : undefined;
  if (order === undefined || order.email === null) throw new AppError("not_found");
  return order;
}

/** @throws Refusal if the address is not the one that was shown. */
function requireEmail({ email }: OrderRow, shown: string): void {
  if (email === "") throw new Refusal(IS_ERASED);
  if (email !== shown) throw new Refusal(CHANGED_MEANWHILE);
}

const hasValid = async (transaction: Connection, orderId: string) =>
  (await listTickets(transaction, orderId)).some(({ cancelled_at }) => cancelled_at === null);

/**
 * Sends the valid tickets to the buyer once more. The limit for a day is shared with buyers' own requests for a link.
 * @throws Refusal if there are none, the address has changed since it was shown, or they were sent too often.
 */
export function resendTickets(
  { database, jobs, now, config }: OrderChangeServices,
  { orderId, to }: { readonly orderId: string; readonly to: string },
  actor: Actor,
): Promise<void> {
  return database.transaction().execute(async (transaction) => {
    requireEmail(await requireOrder(transaction, orderId), to);
    if (!(await hasValid(transaction, orderId))) throw new Refusal(NO_TICKETS);
    const at = now();
    if ((await countLinkEmail(transaction, config, { kind: "ticket_order", id: orderId }, at)) !== null) {
      throw new Refusal("They were sent three times within a day, which is the most. Try again tomorrow.");
    }
    await recordAct(transaction, actor, { verb: "order.resend", subject: "ticket_order", subjectId: orderId }, at);
    await jobs.send(transaction, "emails", { template: "tickets", orderId, linkAt: at.toISOString() });
  });
}

/**
 * Corrects the buyer's address, ends the links that went to the old one, and sends the valid tickets, if any, to the new
 * one. Returns whether they are sent. @throws Refusal if somebody else has changed it, or the data was erased.
 */
export function correctOrderEmail(
  { database, jobs, now, log }: OrderChangeServices,
  { orderId, was, email }: { readonly orderId: string; readonly was: string; readonly email: string },
  actor: Actor,
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    requireEmail(await requireOrder(transaction, orderId), was);
    const at = now();
    await transaction.updateTable("ticket_orders").set({ email }).where("id", "=", orderId).execute();
    const changes = { before: { email: maskEmail(was) }, after: { email: maskEmail(email) } };
    const act = { verb: "order.correct-email", subject: "ticket_order", subjectId: orderId, ...changes };
    await recordAct(transaction, actor, act, at);
    const revoked = { database: transaction, now: () => at, log };
    await revokeLinks(revoked, { kind: "ticket_order", id: orderId }, actor.staff?.name ?? "staff");
    if (!(await hasValid(transaction, orderId))) return false;
    // Links made up to this time are revoked.
    const linkAt = new Date(at.getTime() + 1).toISOString();
    await jobs.send(transaction, "emails", { template: "tickets", orderId, linkAt });
    return true;
  });
}

/** Writes another name on a valid ticket. The audit trail says that, not the names. @throws Refusal if it is cancelled. */
export function renameTicketHolder(
  { database, now }: Pick<OrderChangeServices, "database" | "now">,
  { orderId, ticketId, name }: { readonly orderId: string; readonly ticketId: string; readonly name: string },
  actor: Actor,
): Promise<void> {
  return database.transaction().execute(async (transaction) => {
    if (isBuyerErased(await requireOrder(transaction, orderId))) throw new Refusal(IS_ERASED);
    const ticket = (await listTickets(transaction, orderId)).find(({ id }) => id === ticketId);
    if (ticket === undefined) throw new AppError("not_found");
    if (ticket.cancelled_at !== null) throw new Refusal("This ticket is cancelled, so its name was not changed.");
    await transaction.updateTable("tickets").set({ holder_name: name }).where("id", "=", ticketId).execute();
    const act = { verb: "order.rename-holder", subject: "ticket_order", subjectId: orderId };
    await recordAct(transaction, actor, { ...act, after: { ticketPosition: ticket.position } }, now());
  });
}

/** Adds a note for colleagues. Like the rest of the audit trail it cannot be changed. */
export function noteOnOrder(
  { database, now }: Pick<OrderChangeServices, "database" | "now">,
  { orderId, text }: { readonly orderId: string; readonly text: string },
  actor: Actor,
): Promise<void> {
  return database.transaction().execute(async (transaction) => {
    await requireOrder(transaction, orderId);
    const act = { verb: "order.note", subject: "ticket_order", subjectId: orderId, reason: text };
    await recordAct(transaction, actor, act, now());
  });
}
