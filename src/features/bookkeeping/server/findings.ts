import { sql } from "kysely";
import type { FindingKind } from "#payments/reconciliation/compare.ts";
import { adviceOf, describeDifference, providerTitles } from "#payments/reconciliation/reconciliation-report.ts";
import type { ProviderName } from "#payments/tables.ts";
import type { Connection } from "#shared/database/connect.ts";
import { type PaidSubject, paidSubjectOf } from "./paid-subject.ts";

/** A difference between a provider's books and ours, in words. */
export type Difference = {
  readonly id: number;
  readonly kind: FindingKind;
  readonly day: string;
  readonly provider: string;
  readonly title: string;
  readonly text: string;
  readonly advice: string;
  readonly theirsCents: number;
  readonly oursCents: number;
  /** The provider's transaction id, if the provider has the transaction. */
  readonly transaction: string | null;
  readonly payment: string | null;
  readonly of: PaidSubject | null;
  readonly foundAt: Date;
  readonly endedAt: Date | null;
  /** Null if it was resolved without anybody's decision. */
  readonly closed: { readonly by: string; readonly reason: string } | null;
};

/** The differences of a day, or all open ones: open ones first, then the newest. */
export async function listDifferences(
  connection: Connection,
  of: { day: string } | "open",
  limit = 200,
): Promise<Difference[]> {
  const rows = await connection
    .selectFrom("reconciliation_findings as finding")
    .leftJoin("payment_attempts as attempt", "attempt.id", "finding.attempt_id")
    .leftJoin("refunds as refund", "refund.id", "finding.refund_id")
    .leftJoin("donations as donation", "donation.id", "attempt.donation_id")
    .leftJoin("ticket_orders as order", "order.id", "attempt.ticket_order_id")
    .leftJoin("staff", "staff.id", "finding.closed_by")
    .selectAll("finding")
    .select(["attempt.order_reference as payment", "refund.order_reference as refund", "refund.kind as refundKind"])
    .select(["donation.id as donationId", "donation.reference as donationReference", "staff.name as closedBy"])
    .select(["order.id as orderId", "order.reference as orderReference"])
    .where((where) => (of === "open" ? where("finding.resolved_at", "is", null) : where("finding.day", "=", of.day)))
    .orderBy(sql`finding.resolved_at is not null`)
    .orderBy("finding.found_at", "desc")
    .orderBy("finding.id")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind as FindingKind,
    day: row.day,
    provider: providerTitles[row.provider],
    title: titleOf(row),
    text: describeDifference(row),
    advice: adviceOf(row, "here"),
    theirsCents: row.theirs_cents ?? 0,
    oursCents: row.ours_cents ?? 0,
    transaction: row.reference === row.payment || row.reference === row.refund ? null : row.reference,
    payment: row.payment,
    of: paidSubjectOf(row),
    foundAt: row.found_at,
    endedAt: row.resolved_at,
    closed: row.closed_at === null ? null : { by: row.closedBy ?? "", reason: row.closed_reason },
  }));
}

/** What is wrong, in a few words. */
function titleOf({ kind, provider, refund_id }: { kind: string; provider: ProviderName; refund_id: string | null }) {
  const at = providerTitles[provider];
  switch (kind as FindingKind) {
    case "charge_without_payment":
      return `${at} holds a charge that no payment of ours stands for`;
    case "payment_without_charge":
      return `${at} does not have a payment that our books call paid`;
    case "amount_differs":
      return `${at} charged another amount than we booked`;
    case "currency_differs":
      return `${at} charged in another currency`;
    case "status_differs":
      return refund_id === null
        ? `${at} and our books differ on what became of a payment`
        : `${at} made a refund that our books do not count`;
    case "charged_twice":
      return `${at} charged a payment a second time`;
    case "refund_without_request":
      return `${at} made a refund that we had not requested`;
    case "refund_missing":
      return `${at} does not have a refund that our books call made`;
    case "refund_amount_differs":
      return `${at} refunded another amount than we booked`;
    case "ledger_differs":
      return "Our ledger does not say what the payment says";
  }
}

/** Of all providers and days. */
export async function countOpenDifferences(connection: Connection): Promise<number> {
  const { count } = await connection
    .selectFrom("reconciliation_findings")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("resolved_at", "is", null)
    .executeTakeFirstOrThrow();
  return count;
}

/** What to tell somebody who deals with a difference that is no longer open. */
export async function describeEnd(connection: Connection, id: number): Promise<string> {
  const closer = await findCloser(connection, id);
  return closer === null
    ? "This difference is no longer open: it was put right in the meantime. Nothing was changed."
    : `${closer} has closed this difference in the meantime. Nothing was changed.`;
}

/** Who closed a difference that is no longer open, or null if it was resolved without anybody's decision. */
async function findCloser(connection: Connection, id: number): Promise<string | null> {
  const row = await connection
    .selectFrom("reconciliation_findings as finding")
    .innerJoin("staff", "staff.id", "finding.closed_by")
    .select("staff.name")
    .where("finding.id", "=", id)
    .executeTakeFirst();
  return row?.name ?? null;
}
