import type { Jobs } from "#shared/jobs/jobs.ts";
import type { Attempt } from "./attempts.ts";
import type { PaymentSubject } from "./context.ts";
import type { Subject } from "./subject.ts";
import type { RefundKind } from "./tables.ts";

/** Emails staff about payments and refunds that need checking, once for each reason. */
export function staffAlerts(jobs: Jobs): Pick<Subject, "onAlert" | "onRefundAlert"> {
  return {
    onAlert: (connection, { id: attemptId }, reason) =>
      jobs.send(
        connection,
        "emails",
        { template: "payment-needs-check", attemptId, reason },
        { once: `${attemptId} ${reason}` },
      ),
    onRefundAlert: (connection, { id: refundId }, reason) =>
      jobs.send(
        connection,
        "emails",
        { template: "refund-needs-check", refundId, reason },
        { once: `${refundId} ${reason}` },
      ),
  };
}

/** For staff: why money was taken back without our request. */
export const takenBack: Partial<Record<RefundKind, string>> = {
  chargeback: "the payer’s bank took this payment back after a dispute",
  reversal: "the provider reversed this payment",
};

type SubjectKind = PaymentSubject["kind"];

/** @throws Error if the attempt is for nothing that we know. */
function kindOf({ id, donation_id, ticket_order_id }: Attempt): SubjectKind {
  if (donation_id !== null) return "donation";
  if (ticket_order_id !== null) return "ticket_order";
  throw new Error(`Payment ${id} is for nothing.`);
}

/**
 * One subject that passes each call on to that of the attempt's kind. Its calls throw an Error if no feature has the
 * kind.
 */
export function subjectOfEach(
  alerts: Pick<Subject, "onAlert" | "onRefundAlert">,
  subjects: Partial<Record<SubjectKind, Omit<Subject, keyof typeof alerts>>>,
): Subject {
  const of = (attempt: Attempt) => {
    const subject = subjects[kindOf(attempt)];
    if (subject === undefined) throw new Error(`No feature takes payment ${attempt.id}.`);
    return subject;
  };
  return {
    ...alerts,
    settle: (connection, attempt, settling) => of(attempt).settle(connection, attempt, settling),
    settleRefused: (transaction, attempt, settling) => of(attempt).settleRefused(transaction, attempt, settling),
    onFailed: (transaction, attempt) => of(attempt).onFailed(transaction, attempt),
    onRefunded: (transaction, attempt, refund, now) => of(attempt).onRefunded(transaction, attempt, refund, now),
    listParts: (connection, attempt) => of(attempt).listParts?.(connection, attempt) ?? Promise.resolve([]),
    cancelParts: (transaction, attempt, cancelled) =>
      of(attempt).cancelParts?.(transaction, attempt, cancelled) ?? Promise.resolve(false),
    describePaid: (attempt) => of(attempt).describePaid(attempt),
    findEmail: (attempt) => of(attempt).findEmail(attempt),
    findUserId: (attempt) => of(attempt).findUserId(attempt),
  };
}
