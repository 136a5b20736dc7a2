import type { QueryCreator, Selectable } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import type { Tables } from "#shared/database/tables.ts";
import type { ChargeOutcome } from "./provider.ts";
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
  | "customer_ip_address"
  | "owner"
> & { readonly browser_id: string | null };

/**
 * Writes an attempt, leased to the caller, in state `submitting`, or `created` if the payer's bank is asked first.
 * Returns null and writes nothing if the client key or card token was used before, or another payment for the same
 * order is in progress.
 */
export async function insertAttempt(
  transaction: Connection,
  attempt: NewAttempt,
  { state, now, leaseMs }: { state: "created" | "submitting"; now: Date; leaseMs: number },
): Promise<Attempt | null> {
  const row = await transaction
    .with("attempt", (query) =>
      query
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
        .returningAll(),
    )
    .with("event", insertEvent({ from: null, event: firstEvents[state], actor: "request", now }))
    .selectFrom("attempt")
    .selectAll()
    .executeTakeFirst();
  return row ?? null;
}

/** The event that creates an attempt, by its first state. */
export const firstEvents = { created: "payment_created", submitting: "submission_started" } as const;

/** The attempt of an earlier copy of a submission: the same key, or the same card token under another key. */
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

/** By the attempt's id or the client's key. Neither proves who is asking. */
export async function findAttemptByIdOrKey(connection: Connection, id: string): Promise<Attempt | undefined> {
  return (
    (await findAttempt(connection, id)) ??
    (await connection.selectFrom("payment_attempts").selectAll().where("client_key", "=", id).executeTakeFirst())
  );
}

type Move = {
  readonly actor: Actor;
  readonly now: Date;
  readonly outcome?: ChargeOutcome;
  /** The bank's answer (3-D Secure). */
  readonly authentication?: Authentication | undefined;
  /** Until then the caller, or the payer's bank, owns the attempt; afterwards the sweeper takes over. */
  readonly leaseUntil?: Date;
  /** The process that is submitting it. */
  readonly owner?: number | null;
};

/**
 * Moves an attempt by compare-and-set and writes the event in the same transaction. Returns the moved row, or null if
 * someone else moved it first. Later refunds don't change `settled_at` of a paid attempt.
 * @throws Error if the state graph has no such move.
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
    .with("attempt", (query) =>
      query
        .updateTable("payment_attempts")
        .set({
          state: to,
          state_version: attempt.state_version + 1,
          lease_until: leaseUntil ?? null,
          ...(to === "submitting" ? { sent_at: now, owner } : {}),
          ...(wasPaid
            ? {}
            : { next_check_at: isUncertain ? now : null, settled_at: isUncertain || isBegun ? null : now }),
          was_uncertain: attempt.was_uncertain || isUncertain,
          ...(isBegun || maySendAgain(to, outcome) ? {} : { instrument: null }),
          ...(authentication === undefined ? {} : { authentication }),
          ...factsOf(outcome),
        })
        .where("id", "=", attempt.id)
        .where("state", "=", attempt.state)
        .where("state_version", "=", attempt.state_version)
        .returningAll(),
    )
    .with("event", insertEvent({ from: attempt.state, event, actor, now, detail: detailOf(outcome, authentication) }))
    .selectFrom("attempt")
    .selectAll()
    .executeTakeFirst();
  return moved ?? null;
}

function detailOf(outcome: ChargeOutcome | undefined, authentication: Authentication | undefined): object | null {
  if (authentication !== undefined) return { authentication };
  return outcome === undefined || !("reason" in outcome) ? null : { reason: outcome.reason };
}

/** After errors such as HTTP 500 the provider forbids resending, even with the same key: only its records can tell. */
export function maySendAgain(to: PaymentState, outcome: ChargeOutcome | undefined): boolean {
  return to === "unknown" && (outcome === undefined || (outcome.kind === "unknown" && outcome.mayResend));
}

function factsOf(outcome: ChargeOutcome | undefined) {
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

type NewEvent = {
  readonly from: PaymentState | null;
  readonly event: string;
  readonly actor: Actor;
  readonly now: Date;
  readonly detail?: object | null;
};

/** Writes the event of the attempt that the same statement inserts or moves; none if it does neither. */
function insertEvent({ from, event, actor, now, detail = null }: NewEvent) {
  return (query: QueryCreator<Tables & { attempt: Tables["payment_attempts"] }>) =>
    query
      .insertInto("payment_events")
      .columns(["attempt_id", "from_state", "to_state", "event", "actor", "detail", "at"])
      .expression(({ selectFrom, val }) =>
        selectFrom("attempt").select([
          "attempt.id",
          val(from).as("from_state"),
          "attempt.state",
          val(event).as("event"),
          val(actor).as("actor"),
          val(detail === null ? null : JSON.stringify(detail)).as("detail"),
          val(now).as("at"),
        ]),
      );
}
