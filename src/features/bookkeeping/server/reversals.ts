import { randomUUID } from "node:crypto";
import type { Actor } from "#admin/audit.ts";
import type { PaymentSubject } from "#payments/context.ts";
import { roomOf } from "#payments/refunds/refund-rules.ts";
import { listRefunds } from "#payments/refunds/refund-store.ts";
import { isKept } from "#payments/states.ts";
import type { ProviderName } from "#payments/tables.ts";
import type { Connection } from "#shared/database/connect.ts";
import type { Difference } from "./findings.ts";

/** What the feature with the refunds does when staff reverse a payment that the provider doesn't have. */
export type Reversals = {
  /** Reverses it, or asks a second person to approve it (`isMade` is false). @throws Refusal; nothing was done then. */
  ask(
    wanted: {
      /** The id of the form, made when it was shown: sent twice, it is one reversal. */
      readonly id: string;
      readonly of: PaymentSubject;
      readonly cents: number;
      readonly reason: string;
    },
    actor: Actor & { readonly staff: NonNullable<Actor["staff"]> },
  ): Promise<{ readonly requestId: string; readonly isMade: boolean }>;
};

/** What the form to reverse a payment needs: a new id, whose day it is, what is paid for, and what is left of it. */
export type ReversalForm = {
  readonly formId: string;
  readonly provider: ProviderName;
  readonly day: string;
  readonly of: PaymentSubject;
  readonly cents: number;
};

/** By the id of each open difference that is a payment without a charge, if anything is left to reverse. */
export async function listReversalForms(
  connection: Connection,
  differences: readonly Difference[],
): Promise<ReadonlyMap<number, ReversalForm>> {
  const forms = new Map<number, ReversalForm>();
  for (const { id, kind, endedAt } of differences) {
    if (kind !== "payment_without_charge" || endedAt !== null) continue;
    const form = await findReversalForm(connection, id);
    if (form !== null) forms.set(id, form);
  }
  return forms;
}

/** Null if there is no such open difference, or nothing is left of its payment. */
export async function findReversalForm(connection: Connection, findingId: number): Promise<ReversalForm | null> {
  const payment = await connection
    .selectFrom("reconciliation_findings as finding")
    .innerJoin("payment_attempts as attempt", "attempt.id", "finding.attempt_id")
    .select(["attempt.id", "attempt.state", "amount_cents", "donation_id", "ticket_order_id"])
    .select(["finding.provider", "finding.day"])
    .where("finding.id", "=", findingId)
    .where("finding.kind", "=", "payment_without_charge")
    .where("finding.resolved_at", "is", null)
    .executeTakeFirst();
  if (payment === undefined || !isKept(payment.state)) return null;
  const cents = roomOf(payment.amount_cents, await listRefunds(connection, payment.id));
  if (cents <= 0) return null;
  const { donation_id, ticket_order_id, provider, day } = payment;
  const of: PaymentSubject =
    donation_id === null ? { kind: "ticket_order", id: ticket_order_id! } : { kind: "donation", id: donation_id };
  return { formId: randomUUID(), provider, day, of, cents };
}
