import { type Selectable, sql } from "kysely";
import { listStaffWith } from "#admin/two-people.ts";
import type { Attempt } from "#payments/attempts.ts";
import type { PaymentSubject } from "#payments/context.ts";
import { lockAttempt } from "#payments/refunds/refund-store.ts";
import { paidStates } from "#payments/states.ts";
import type { Connection } from "#shared/database/connect.ts";
import type { Tables } from "#shared/database/tables.ts";
import "./tables.ts";

export type RefundRequest = Selectable<Tables["refund_requests"]>;

/**
 * The payment of a donation, or the one that bought the tickets of an order; undefined if it has not been paid. A second
 * payment of an order is refunded by itself.
 */
export function findPaymentOf(connection: Connection, { kind, id }: PaymentSubject): Promise<Attempt | undefined> {
  return connection
    .selectFrom("payment_attempts")
    .selectAll()
    .$if(kind === "donation", (query) => query.where("donation_id", "=", id))
    .$if(kind === "ticket_order", (query) =>
      query.where("id", "=", sql<string>`(select paid_attempt_id from ticket_orders where id = ${id})`),
    )
    .where("state", "in", paidStates)
    .executeTakeFirst();
}

/** Locks that payment. */
export async function lockPaymentOf(transaction: Connection, of: PaymentSubject): Promise<Attempt | undefined> {
  const found = await findPaymentOf(transaction, of);
  return found && lockAttempt(transaction, found.id);
}

/** What a request is of. */
export function subjectOf({
  donation_id,
  ticket_order_id,
}: Pick<RefundRequest, "donation_id" | "ticket_order_id">): PaymentSubject {
  return donation_id === null ? { kind: "ticket_order", id: ticket_order_id! } : { kind: "donation", id: donation_id };
}

export function findRequest(connection: Connection, id: string): Promise<RefundRequest | undefined> {
  return connection.selectFrom("refund_requests").selectAll().where("id", "=", id).executeTakeFirst();
}

/** Locks a request. If its payment is to be refunded, lock that first. */
export function lockRequest(transaction: Connection, id: string): Promise<RefundRequest> {
  return transaction
    .selectFrom("refund_requests")
    .selectAll()
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

/** The request that nobody has decided yet; there is at most one. */
export function findOpenRequest(
  connection: Connection,
  { kind, id }: PaymentSubject,
): Promise<RefundRequest | undefined> {
  return connection
    .selectFrom("refund_requests")
    .selectAll()
    .where(kind === "donation" ? "donation_id" : "ticket_order_id", "=", id)
    .where("decision", "is", null)
    .executeTakeFirst();
}

/** What a person has refunded alone since then; refunds that were not made do not count. */
export async function sumRefundedAlone(connection: Connection, staffId: number, since: Date): Promise<number> {
  const { cents } = await connection
    .selectFrom("refund_requests as request")
    .innerJoin("refunds", "refunds.id", "request.refund_id")
    .select(({ fn }) => fn.sum<string | null>("request.amount_cents").as("cents"))
    .where("request.requested_by", "=", staffId)
    .where("request.requested_at", ">=", since)
    .where("request.decision", "=", "alone")
    .where("refunds.state", "<>", "failed")
    .executeTakeFirstOrThrow();
  return Number(cents ?? 0);
}

/** The active members of staff who may make refunds, by name. */
export const listRefunders = (connection: Connection) => listStaffWith(connection, "refunds.make");
