import type { Selectable } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import type { Tables } from "#shared/database/tables.ts";
import type { Outcome } from "./provider.ts";
import { type Actor, eventOf, isPaid, type PaymentState } from "./states.ts";
import type { Authentication } from "./tables.ts";

export type Attempt = Selectable<Tables["payment_attempts"]>;

export type NewAttempt = Pick<
  Attempt,
  | "id"
  | "donation_id"
  | "ticket_order_id"
  | "provider"
  | "order_reference"
  | "idempotency_key"
  | "client_key"
  | "request_hash"
  | "instrument_hash"
  | "instrument"
  | "amount_cents"
  | "customer_address"
  | "owner"
> & { readonly browser: string | null };

/**
 * Writes an attempt, leased to the caller: in state `submitting`, or `created` where the payer's bank is asked first.
 * Returns null, and has written nothing, when the client key or the card token is already on the books, or another payment
 * for the same order is under way.
 */
export async function insertAttempt(
  transaction: Connection,
  attempt: NewAttempt,
  { state, now, leaseMs }: { state: "created" | "submitting"; now: Date; leaseMs: number },
): Promise<Attempt | null> {
  const row = await transaction
    .insertInto("payment_attempts")
    .values({
      ...attempt,
      currency: "AUD",
      state,
      provider_transaction_id: null,
      provider_status: null,
      response_code: null,
      lease_until: new Date(now.getTime() + leaseMs),
      sent_at: now,
      next_check_at: null,
      settled_at: null,
      raw: null,
      created_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return null;
  await insertEvent(transaction, { attempt: row, from: null, event: firstEvents[state], actor: "request", now });
  return row;
}

/** The event that brings an attempt into the world, by the state it begins in. */
export const firstEvents = { created: "payment_created", submitting: "submission_started" } as const;

/** The attempt that an earlier copy of a submission made: the same key, or the same card token under another key. */
export async function findAttemptOf(
  connection: Connection,
  { clientKey, instrumentHash }: { clientKey: string; instrumentHash: Buffer },
): Promise<Attempt | undefined> {
  return connection
    .selectFrom("payment_attempts")
    .selectAll()
    .where((where) => where.or([where("client_key", "=", clientKey), where("instrument_hash", "=", instrumentHash)]))
    .orderBy((order) => order("client_key", "=", clientKey), "desc")
    .limit(1)
    .executeTakeFirst();
}

export async function findAttempt(connection: Connection, id: string): Promise<Attempt | undefined> {
  return connection.selectFrom("payment_attempts").selectAll().where("id", "=", id).executeTakeFirst();
}

/** By its own id, or by the key that the client sent with the submission. Neither proves who asks. */
export async function findAttemptByIdOrKey(connection: Connection, id: string): Promise<Attempt | undefined> {
  return (
    (await findAttempt(connection, id)) ??
    (await connection.selectFrom("payment_attempts").selectAll().where("client_key", "=", id).executeTakeFirst())
  );
}

type Move = {
  readonly actor: Actor;
  readonly now: Date;
  readonly outcome?: Outcome;
  /** What the payer's bank said (3-D Secure). */
  readonly authentication?: Authentication | undefined;
  /** Until when the mover, or the payer's bank, has the attempt to itself; then the sweeper takes it. */
  readonly leaseUntil?: Date;
  /** The process that has what is `submitting` under way. */
  readonly owner?: number | null;
};

/**
 * Moves an attempt by compare-and-set and writes the move's event in the same transaction. Returns the moved row, or
 * null when somebody else moved it first. What was paid stays settled on its day, whatever goes back of it later.
 * @throws Error when the state graph has no such move.
 */
export async function moveAttempt(
  transaction: Connection,
  attempt: Attempt,
  to: PaymentState,
  { actor, now, outcome, authentication, leaseUntil, owner = null }: Move,
): Promise<Attempt | null> {
  const event = eventOf(attempt.state, to);
  if (event === undefined) throw new Error(`A payment may not move from ${attempt.state} to ${to}.`);
  const isUncertain = to === "unknown" || to === "processing";
  const isBegun = to === "submitting" || to === "requires_action";
  const wasPaid = isPaid(attempt.state);
  const moved = await transaction
    .updateTable("payment_attempts")
    .set({
      state: to,
      state_version: attempt.state_version + 1,
      lease_until: leaseUntil ?? null,
      ...(to === "submitting" ? { sent_at: now, owner } : {}),
      ...(wasPaid ? {} : { next_check_at: isUncertain ? now : null, settled_at: isUncertain || isBegun ? null : now }),
      was_uncertain: attempt.was_uncertain || isUncertain,
      ...(isBegun || maySendAgain(to, outcome) ? {} : { instrument: null }),
      ...(authentication === undefined ? {} : { authentication }),
      ...factsOf(outcome),
    })
    .where("id", "=", attempt.id)
    .where("state", "=", attempt.state)
    .where("state_version", "=", attempt.state_version)
    .returningAll()
    .executeTakeFirst();
  if (moved === undefined) return null;
  await insertEvent(transaction, {
    attempt: moved,
    from: attempt.state,
    event,
    actor,
    now,
    detail: detailOf(outcome, authentication),
  });
  return moved;
}

function detailOf(outcome: Outcome | undefined, authentication: Authentication | undefined): object | null {
  if (authentication !== undefined) return { authentication };
  return outcome === undefined || !("reason" in outcome) ? null : { reason: outcome.reason };
}

/** After a 500 and its kind the provider forbids sending again, even with the same key: only its books may tell. */
export function maySendAgain(to: PaymentState, outcome: Outcome | undefined): boolean {
  return to === "unknown" && (outcome === undefined || (outcome.kind === "unknown" && outcome.mayResend));
}

/** What an outcome adds to the attempt's row. */
function factsOf(outcome: Outcome | undefined) {
  if (outcome === undefined || outcome.kind === "unknown") return {};
  if (outcome.kind === "not_charged") return { provider_status: NOT_CHARGED, raw: null };
  return {
    provider_transaction_id: outcome.transactionId,
    provider_status: outcome.status,
    response_code: outcome.responseCode,
    raw: JSON.stringify(outcome.raw ?? null),
  };
}

/** The provider status of an attempt that never reached the bank. */
export const NOT_CHARGED = "not charged";

async function insertEvent(
  transaction: Connection,
  {
    attempt,
    from,
    event,
    actor,
    now,
    detail = null,
  }: { attempt: Attempt; from: PaymentState | null; event: string; actor: Actor; now: Date; detail?: object | null },
) {
  await transaction
    .insertInto("payment_events")
    .values({
      attempt_id: attempt.id,
      from_state: from,
      to_state: attempt.state,
      event,
      actor,
      detail: detail === null ? null : JSON.stringify(detail),
      at: now,
    })
    .execute();
}
