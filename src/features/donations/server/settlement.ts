import type { Jobs } from "#shared/jobs/jobs.ts";
import type { Organisation } from "#shared/organisation.ts";
import type { Subject } from "#shared/payments/settle.ts";
import { issueReceipt } from "./receipt.ts";
import { listDonationCredits } from "./store.ts";

/** What a donation does when its payment ends: the ledger's credits, the letters, and the receipt's number last. */
export function donationSubject({ jobs, organisation }: { jobs: Jobs; organisation: () => Organisation }): Subject {
  return {
    listCredits: (transaction, attempt) => listDonationCredits(transaction, attempt.donation_id),
    async onPaid(transaction, { donation_id: donationId }, now) {
      await jobs.send(transaction, "letters", { letter: "receipt", donationId });
      await jobs.send(transaction, "letters", { letter: "new-donation", donationId });
      await issueReceipt(transaction, donationId, organisation(), now);
    },
    async onFailed(transaction, attempt) {
      // Whoever saw the refusal on the page needs no letter; whoever was told to wait does.
      if (!attempt.was_uncertain) return;
      await jobs.send(transaction, "letters", { letter: "payment-outcome", attemptId: attempt.id });
    },
    onTrouble: (connection, { id: attemptId }, reason) =>
      jobs.send(
        connection,
        "letters",
        { letter: "payment-needs-look", attemptId, reason },
        { once: `${attemptId} ${reason}` },
      ),
  };
}
