import type { Subject } from "#payments/subject.ts";
import { takenBack, tellTroubles } from "#payments/subjects.ts";
import type { Database } from "#shared/database/connect.ts";
import type { Jobs } from "#shared/jobs/jobs.ts";
import { documentLink, type LinkConfig } from "#shared/links/document-links.ts";
import { formatDollars } from "#shared/money.ts";
import type { Organisation } from "#shared/organisation.ts";
import { issueReceipt, voidReceipt } from "./receipt.ts";
import { donationIdOf, findDonor, findPaidDonation, listDonationCredits } from "./store.ts";

type Needs = {
  readonly database: Database;
  readonly jobs: Jobs;
  readonly organisation: () => Organisation;
  readonly config: LinkConfig;
};

/** What a donation does when its payment ends or goes back: credits, letters, and the receipt's number last. */
export function donationSubject({ database, jobs, organisation, config }: Needs): Subject {
  const subject: Subject = {
    listCredits: (transaction, attempt) => listDonationCredits(transaction, donationIdOf(attempt)),
    async onPaid(transaction, attempt, { now }) {
      const donationId = donationIdOf(attempt);
      await jobs.send(transaction, "letters", { letter: "receipt", donationId });
      await jobs.send(transaction, "letters", { letter: "new-donation", donationId });
      await issueReceipt(transaction, donationId, organisation(), now);
      return undefined;
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
    async describePaid(attempt) {
      if (attempt.state === "refunded") return { message: "This payment has been refunded." };
      const donationId = donationIdOf(attempt);
      const { reference, receiptIssuedAt, refundedCents } = await findPaidDonation(database, donationId);
      return {
        message:
          attempt.state === "partially_refunded"
            ? `${formatDollars(refundedCents)} of this payment has been refunded.`
            : "Thank you. Your donation has been received.",
        reference,
        ...(receiptIssuedAt === null
          ? {}
          : { receiptUrl: documentLink(config, { kind: "receipt", id: donationId }, receiptIssuedAt).path }),
      };
    },
    findEmail: async (attempt) => (await findDonor(database, donationIdOf(attempt)))?.email,
    findUserId: async (attempt) => (await findDonor(database, donationIdOf(attempt)))?.user_id ?? null,
    ...tellTroubles(jobs),
  };
  return subject;
}
