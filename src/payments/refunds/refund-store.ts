import { randomUUID } from "node:crypto";
import { type Selectable, sql, type Updateable } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import type { Tables } from "#shared/database/tables.ts";
import type { Attempt } from "../attempts.ts";
import { newReference } from "../reference.ts";
import type { RefundKind } from "../tables.ts";
import type { Credit } from "./refund-rules.ts";
import { type RefundState, refundEventOf } from "./refund-states.ts";

export type Refund = Selectable<Tables["refunds"]>;

/** A payment, locked until the transaction ends. Lock it before changing its refunds, which prevents deadlocks. */
export async function lockAttempt(transaction: Connection, id: string): Promise<Attempt | undefined> {
  return transaction
    .selectFrom("payment_attempts")
    .selectAll()
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** By the refund's id, in any state. */
export async function findRefund(connection: Connection, id: string): Promise<Refund | undefined> {
  return connection.selectFrom("refunds").selectAll().where("id", "=", id).executeTakeFirst();
}

/** By the key that makes a repeated request the same refund. */
export async function findRefundByKey(connection: Connection, requestKey: string): Promise<Refund | undefined> {
  return connection.selectFrom("refunds").selectAll().where("request_key", "=", requestKey).executeTakeFirst();
}

/** All refunds of one payment, oldest first. */
export async function listRefunds(connection: Connection, attemptId: string): Promise<Refund[]> {
  return connection
    .selectFrom("refunds")
    .selectAll()
    .where("attempt_id", "=", attemptId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

/** The refunds that are due, longest waiting first. */
export async function listDueRefunds(connection: Connection, now: Date, limit: number): Promise<Refund[]> {
  return connection
    .selectFrom("refunds")
    .selectAll()
    .where("next_check_at", "<=", now)
    .orderBy("next_check_at")
    .limit(limit)
    .execute();
}

/** The refunds whose process died or whose lease expired. */
export async function listLostRefunds(connection: Connection, dead: readonly number[], now: Date): Promise<Refund[]> {
  return connection
    .selectFrom("refunds")
    .selectAll()
    .where("state", "=", "submitting")
    .where((where) => where.or([where("lease_until", "<", now), sql<boolean>`owner = any(${dead}::integer[])`]))
    .orderBy("lease_until")
    .limit(500)
    .execute();
}

type NewRefund = {
  readonly attempt: Attempt;
  readonly amountCents: number;
  readonly requestKey: string;
  readonly requestedBy: Refund["requested_by"];
  readonly reason: string;
  readonly now: Date;
  /** Stored with the first event, to tell a repeated request from a different one. */
  readonly detail?: object;
  /** Set if the provider has already made the refund. */
  readonly made?: { readonly kind: RefundKind; readonly transactionId: string; readonly status: string };
};

/** Writes a refund and its first event; null, and writes nothing, if its request key or transaction already exists. */
export async function insertRefund(transaction: Connection, refund: NewRefund): Promise<Refund | null> {
  const { attempt, made, now } = refund;
  const row = await transaction
    .insertInto("refunds")
    .values({
      id: randomUUID(),
      attempt_id: attempt.id,
      kind: made?.kind ?? "refund",
      request_key: refund.requestKey,
      order_reference: newReference("R"),
      idempotency_key: randomUUID(),
      amount_cents: refund.amountCents,
      requested_by: refund.requestedBy,
      reason: refund.reason,
      state: made === undefined ? "requested" : "succeeded",
      provider_transaction_id: made?.transactionId ?? null,
      provider_status: made?.status ?? null,
      lease_until: null,
      sent_at: null,
      next_check_at: made === undefined ? now : null,
      settled_at: made === undefined ? null : now,
      raw: null,
      created_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return null;
  const event = firstRefundEvents[made === undefined ? "requested" : "succeeded"];
  await insertEvent(transaction, row, { from: null, event, detail: refund.detail, now });
  return row;
}

/** The event that creates a refund, by its first state. */
const firstRefundEvents = { requested: "refund_requested", succeeded: "refund_found" } as const;

/**
 * Moves a refund by compare-and-set and writes the event. Returns the moved row, or null if someone else moved it
 * first. The payment must be locked.
 * @throws Error if the state graph has no such move.
 */
export async function moveRefund(
  transaction: Connection,
  refund: Refund,
  to: RefundState,
  { now, detail, facts }: { now: Date; detail?: object | undefined; facts: Updateable<Tables["refunds"]> },
): Promise<Refund | null> {
  const event = refundEventOf(refund.state, to);
  if (event === undefined) throw new Error(`A refund may not move from ${refund.state} to ${to}.`);
  const isSettled = to === "succeeded" || to === "failed";
  const moved = await transaction
    .updateTable("refunds")
    .set({
      state: to,
      state_version: refund.state_version + 1,
      lease_until: null,
      next_check_at: null,
      settled_at: isSettled ? now : null,
      ...facts,
    })
    .where("id", "=", refund.id)
    .where("state", "=", refund.state)
    .where("state_version", "=", refund.state_version)
    .returningAll()
    .executeTakeFirst();
  if (moved === undefined) return null;
  await insertEvent(transaction, moved, { from: refund.state, event, detail, now });
  return moved;
}

/** When the refund is looked at next, never if null. Counts as one more check. */
export async function setNextCheck(transaction: Connection, refund: Refund, next: Date | null): Promise<void> {
  await transaction
    .updateTable("refunds")
    .set({ next_check_at: next, checks: refund.checks + 1 })
    .where("id", "=", refund.id)
    .execute();
}

/** The detail of a refund's first or last event; the first holds the request. */
export async function findDetail(connection: Connection, refundId: string, which: "first" | "last"): Promise<unknown> {
  const event = await connection
    .selectFrom("refund_events")
    .select("detail")
    .where("refund_id", "=", refundId)
    .orderBy("id", which === "first" ? "asc" : "desc")
    .limit(1)
    .executeTakeFirst();
  return event?.detail ?? null;
}

/** Makes the reconciler check a payment at that time, or earlier if already planned. */
export async function scheduleReview(transaction: Connection, attemptId: string, at: Date): Promise<void> {
  await transaction
    .updateTable("payment_attempts")
    .set({ next_check_at: sql<Date>`least(next_check_at, ${at})` })
    .where("id", "=", attemptId)
    .execute();
}

/** What the accounts credited by a payment still hold of it, in the order of crediting. */
export async function listCreditsLeft(transaction: Connection, attemptId: string): Promise<Credit[]> {
  const { rows } = await sql<Credit>`
    select account, (-sum(amount_cents))::bigint as cents
      from ledger_entries
     where attempt_id = ${attemptId} and account not like 'receivable:%'
     group by account
    having sum(amount_cents) < 0
     order by min(id)`.execute(transaction);
  return rows;
}

async function insertEvent(
  transaction: Connection,
  refund: Refund,
  { from, event, detail, now }: { from: RefundState | null; event: string; detail?: object | undefined; now: Date },
) {
  await transaction
    .insertInto("refund_events")
    .values({
      refund_id: refund.id,
      from_state: from,
      to_state: refund.state,
      event,
      detail: detail === undefined ? null : JSON.stringify(detail),
      at: now,
    })
    .execute();
}
