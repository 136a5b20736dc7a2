import { type Selectable, sql } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import type { Tables } from "#shared/database/tables.ts";
import type { ChargeOutcome } from "./provider.ts";
import { eventOf, isPaid, type PaidState, type PaymentActor, type PaymentState, paidStates } from "./states.ts";
import type { Authentication } from "./tables.ts";

export type Attempt = Selectable<Tables["payment_attempts"]>;

const attemptColumns = [
  "id",
  "donation_id",
  "ticket_order_id",
  "provider",
  "order_reference",
  "idempotency_key",
  "client_key",
  "request_hash",
  "instrument_hash",
  "instrument",
  "amount_cents",
  "currency",
  "state",
  "state_version",
  "provider_transaction_id",
  "provider_status",
  "response_code",
  "sends",
  "lease_until",
  "owner",
  "sent_at",
  "next_check_at",
  "checks",
  "was_uncertain",
  "settled_at",
  "customer_ip_address",
  "browser_id",
  "authentication",
  "raw",
  "created_at",
] as const satisfies readonly (keyof Attempt)[];

/** Names every column: a prepared `select *` fails once a newer version has added one. */
export const attemptRow = sql.raw(attemptColumns.join(", "));

/**
 * `('succeeded', …)`, in the text of a statement: with parameters instead, a plan for any values cannot use the partial
 * indexes of these states, and PostgreSQL plans the statement each time.
 */
export const paidStateList = sql<PaidState>`(${sql.join(paidStates.map((state) => sql.lit(state)))})`;

type NewAttempt = Pick<
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
 * The argument of `record_payment`: an attempt leased to the caller, in state `submitting`, or `created` if the payer's
 * bank is asked first.
 */
export function describeRecording(
  attempt: NewAttempt,
  { state, now, leaseMs }: { state: "created" | "submitting"; now: Date; leaseMs: number },
): string {
  return JSON.stringify({
    ...attempt,
    request_hash: bytea(attempt.request_hash),
    instrument_hash: bytea(attempt.instrument_hash),
    currency: "AUD",
    state,
    event: firstEvents[state],
    lease_until: new Date(now.getTime() + leaseMs),
    sent_at: now,
    created_at: now,
  });
}

/** Records an attempt and nothing else. Null if it is a copy of an earlier submission. */
export async function insertAttempt(connection: Connection, recording: string): Promise<Attempt | null> {
  const { rows } = await sql<Attempt>`select ${attemptRow} from record_payment(${recording})`.execute(connection);
  return rows[0] ?? null;
}

/** The event that creates an attempt, by its first state. */
export const firstEvents = { created: "payment_created", submitting: "submission_started" } as const;

/** The attempt of an earlier copy of a submission: the same key, or the same card token under another key. */
export async function findAttemptOf(
  connection: Connection,
  { clientKey, instrumentHash }: { clientKey: string; instrumentHash: Buffer },
): Promise<Attempt | undefined> {
  const { rows } = await sql<Attempt>`
    select ${attemptRow} from payment_attempts where client_key = ${clientKey} or instrument_hash = ${instrumentHash}
     order by client_key = ${clientKey} desc limit 1`.execute(connection);
  return rows[0];
}

/** By the attempt's id, in any state. */
export async function findAttempt(connection: Connection, id: string): Promise<Attempt | undefined> {
  return connection.selectFrom("payment_attempts").select(attemptColumns).where("id", "=", id).executeTakeFirst();
}

/** By the attempt's id or the client's key. Neither proves who is asking. */
export async function findAttemptByIdOrKey(connection: Connection, id: string): Promise<Attempt | undefined> {
  return (
    (await findAttempt(connection, id)) ??
    (await connection
      .selectFrom("payment_attempts")
      .select(attemptColumns)
      .where("client_key", "=", id)
      .executeTakeFirst())
  );
}

type Move = {
  readonly actor: PaymentActor;
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
 * Moves an attempt by compare-and-set and writes the event in the same statement. Returns the moved row, or null if
 * someone else moved it first.
 */
export async function moveAttempt(
  connection: Connection,
  attempt: Attempt,
  to: PaymentState,
  move: Move,
): Promise<Attempt | null> {
  const { rows } =
    await sql<Attempt>`select ${attemptRow} from move_payment(${describeMove(attempt, to, move)})`.execute(connection);
  return rows[0] ?? null;
}

/**
 * The argument of `move_payment`. Later refunds don't change `settled_at` of a paid attempt.
 * @throws Error if the state graph has no such move.
 */
export function describeMove(
  attempt: Attempt,
  to: PaymentState,
  { actor, now, outcome, authentication, leaseUntil, owner = null }: Move,
): string {
  const event = eventOf(attempt.state, to);
  if (event === undefined) throw new Error(`A payment may not move from ${attempt.state} to ${to}.`);
  const isUncertain = to === "unknown" || to === "processing";
  const isBegun = to === "submitting" || to === "requires_action";
  const changes = {
    state: to,
    lease_until: leaseUntil ?? null,
    ...(to === "submitting" ? { sent_at: now, owner } : {}),
    ...(isPaid(attempt.state)
      ? {}
      : { next_check_at: isUncertain ? now : null, settled_at: isUncertain || isBegun ? null : now }),
    was_uncertain: attempt.was_uncertain || isUncertain,
    ...(isBegun || maySendAgain(to, outcome) ? {} : { instrument: null }),
    ...(authentication === undefined ? {} : { authentication }),
    ...factsOf(outcome),
  };
  const { id, state, state_version } = attempt;
  const detail = detailOf(outcome, authentication);
  return JSON.stringify({ id, state, state_version, changes, event, actor, detail, at: now });
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
    raw: outcome.raw ?? null,
  };
}

/** The provider status of an attempt that never reached the bank. */
export const NOT_CHARGED = "not charged";

/** As PostgreSQL reads bytes in JSON. */
export const bytea = (bytes: Buffer): string => `\\x${bytes.toString("hex")}`;
