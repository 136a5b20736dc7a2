import type { Subject } from "#payments/subject.ts";
import { staffAlerts, takenBack } from "#payments/subjects.ts";
import { together } from "#shared/database/transact.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { formatDollars } from "#shared/language.ts";
import { documentLink, type LinkConfig } from "#shared/links/document-links.ts";
import type { Organisation } from "#shared/organisation.ts";
import { issueReceipt, planReceipt, voidReceipt } from "./receipt.ts";
import { donationIdOf, findDonor, findPaidDonation, listDonationCredits } from "./store.ts";

type Needs = CoreServices<"database" | "jobs"> & {
  readonly organisation: () => Organisation;
  readonly config: LinkConfig;
};

/** What a donation does when its payment ends or is refunded: credits, emails and, last, the receipt's number. */
export function donationSubject({ database, jobs, organisation, config }: Needs): Subject {
  const subject: Subject = {
    listCredits: (transaction, attempt) => listDonationCredits(transaction, donationIdOf(attempt)),
    async onPaid(transaction, attempt, { now }) {
      const donationId = donationIdOf(attempt);
      const [{ receipt }] = await together(
        planReceipt(transaction, donationId, organisation(), now),
        jobs.sendAll(transaction, "emails", [
          { template: "receipt", donationId },
          { template: "new-donation", donationId },
        ]),
      );
      return receipt;
    },
    async onFailed(transaction, attempt) {
      // Donors who saw the refusal on the page need no email; donors who were told to wait do.
      if (!attempt.was_uncertain) return;
      await jobs.send(transaction, "emails", { template: "payment-outcome", attemptId: attempt.id });
    },
    async onRefunded(transaction, attempt, refund, now) {
      const donationId = donationIdOf(attempt);
      await jobs.send(
        transaction,
        "emails",
        { template: "refund", refundId: refund.id },
        { once: `refund ${refund.id}` },
      );
      const reason = takenBack[refund.kind];
      if (reason !== undefined) await subject.onRefundAlert(transaction, refund, reason);
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
    ...staffAlerts(jobs),
  };
  return subject;
}
