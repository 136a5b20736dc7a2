import type { Jobs } from "#shared/jobs/jobs.ts";
import type { Attempt } from "./attempts.ts";
import type { PaymentSubject } from "./context.ts";
import type { Subject } from "./subject.ts";
import type { RefundKind } from "./tables.ts";

/** What goes wrong with a payment, whatever it is for, goes to staff by letter; once for each reason. */
export function tellTroubles(jobs: Jobs): Pick<Subject, "onTrouble" | "onRefundTrouble"> {
  return {
    onTrouble: (connection, { id: attemptId }, reason) =>
      jobs.send(
        connection,
        "letters",
        { letter: "payment-needs-look", attemptId, reason },
        { once: `${attemptId} ${reason}` },
      ),
    onRefundTrouble: (connection, { id: refundId }, reason) =>
      jobs.send(
        connection,
        "letters",
        { letter: "refund-needs-look", refundId, reason },
        { once: `${refundId} ${reason}` },
      ),
  };
}

/** What a refund took back that nobody here asked for, in words for staff: the payer may be in doubt, or in dispute, with the bank. */
export const takenBack: Partial<Record<RefundKind, string>> = {
  chargeback: "the payer's bank took this payment back after a dispute",
  reversal: "the provider took this payment back by itself",
};

type SubjectKind = PaymentSubject["kind"];

/** What an attempt pays for. @throws Error for one that pays for nothing we know. */
function kindOf({ id, donation_id, ticket_order_id }: Attempt): SubjectKind {
  if (donation_id !== null) return "donation";
  if (ticket_order_id !== null) return "ticket_order";
  throw new Error(`Payment ${id} is for nothing.`);
}

/** One subject made of all: each attempt is handed to the one that it pays for. */
export function subjectOfEach(
  troubles: Pick<Subject, "onTrouble" | "onRefundTrouble">,
  subjects: Partial<Record<SubjectKind, Omit<Subject, keyof typeof troubles>>>,
): Subject {
  const of = (attempt: Attempt) => {
    const subject = subjects[kindOf(attempt)];
    if (subject === undefined) throw new Error(`No feature takes payment ${attempt.id}.`);
    return subject;
  };
  return {
    ...troubles,
    listCredits: (transaction, attempt) => of(attempt).listCredits(transaction, attempt),
    onPaid: (transaction, attempt, how) => of(attempt).onPaid(transaction, attempt, how),
    onFailed: (transaction, attempt, now) => of(attempt).onFailed(transaction, attempt, now),
    onRefunded: (transaction, attempt, refund, now) => of(attempt).onRefunded(transaction, attempt, refund, now),
    describePaid: (attempt) => of(attempt).describePaid(attempt),
    findEmail: (attempt) => of(attempt).findEmail(attempt),
    findUserId: (attempt) => of(attempt).findUserId(attempt),
  };
}
