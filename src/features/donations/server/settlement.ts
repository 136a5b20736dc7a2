import type { Jobs } from "#shared/jobs/jobs.ts";
import type { Organisation } from "#shared/organisation.ts";
import type { Refund } from "#shared/payments/refunds/refunds.ts";
import type { Subject } from "#shared/payments/settle.ts";
import { issueReceipt, voidReceipt } from "./receipt.ts";
import { donationIdOf, listDonationCredits } from "./store.ts";

/** What nobody here asked for, in words for staff: the donor may be in doubt, or in dispute, with the bank. */
const takenBack: Partial<Record<Refund["kind"], string>> = {
  chargeback: "the payer's bank took this payment back after a dispute",
  reversal: "the provider took this payment back by itself",
};

/** What a donation does when its payment ends or goes back: credits, letters, and the receipt's number last. */
export function donationSubject({ jobs, organisation }: { jobs: Jobs; organisation: () => Organisation }): Subject {
  const subject: Subject = {
    listCredits: (transaction, attempt) => listDonationCredits(transaction, donationIdOf(attempt)),
    async onPaid(transaction, attempt, now) {
      const donationId = donationIdOf(attempt);
      await jobs.send(transaction, "letters", { letter: "receipt", donationId });
      await jobs.send(transaction, "letters", { letter: "new-donation", donationId });
      await issueReceipt(transaction, donationId, organisation(), now);
    },
    async onFailed(transaction, attempt) {
      // Whoever saw the refusal on the page needs no letter; whoever was told to wait does.
      if (!attempt.was_uncertain) return;
      await jobs.send(transaction, "letters", { letter: "payment-outcome", attemptId: attempt.id });
    },
    async onRefunded(transaction, attempt, refund, now) {
      const donationId = donationIdOf(attempt);
      await jobs.send(
        transaction,
        "letters",
        { letter: "refund", refundId: refund.id },
        { once: `refund ${refund.id}` },
      );
      const reason = takenBack[refund.kind];
      if (reason !== undefined) await subject.onRefundTrouble(transaction, refund, reason);
      await voidReceipt(transaction, donationId, now);
      await issueReceipt(transaction, donationId, organisation(), now);
    },
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
  return subject;
}
