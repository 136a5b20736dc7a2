import { sql } from "kysely";
import { type Attempt, attemptRow } from "#payments/attempts.ts";
import type { PaidWords, Subject } from "#payments/subject.ts";
import { staffAlerts, takenBack } from "#payments/subjects.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import type { JobData } from "#shared/jobs/queues.ts";
import { formatDollars } from "#shared/language.ts";
import { documentLink, type LinkConfig } from "#shared/links/document-links.ts";
import { type Organisation, receiptGaps } from "#shared/organisation.ts";
import { describeIssue, issueReceipt, voidReceipt } from "./receipt.ts";
import { donationIdOf, findDonor, findPaidDonation, type PaidDonation } from "./store.ts";

type Needs = CoreServices<"database" | "jobs"> & {
  readonly organisation: () => Organisation;
  readonly config: LinkConfig;
};

/** What a donation does when its payment ends or is refunded: credits, emails and, last, the receipt's number. */
export function donationSubject({ database, jobs, organisation, config }: Needs): Subject {
  /** What is known of a payment that this process has just settled, so that its payer is answered without a read. */
  const justPaid = new WeakMap<Attempt, PaidDonation>();
  const subject: Subject = {
    async settle(connection, attempt, { now, move }) {
      const donationId = donationIdOf(attempt);
      const emails: readonly JobData["emails"][] = [
        { template: "receipt", donationId },
        { template: "new-donation", donationId },
      ];
      const hasGaps = receiptGaps(organisation()).length > 0;
      const receipt = hasGaps ? null : JSON.stringify(describeIssue(organisation(), now));
      const { rows } = await sql<Attempt & { reference: string }>`
        select ${attemptRow}, (select reference from donations where id = ${donationId})
          from settle_donation(${donationId}, ${move}, ${JSON.stringify(emails)}, ${receipt}) as settled
      `.execute(connection);
      const [settled] = rows;
      if (settled === undefined) return null;
      const { reference, ...row } = settled;
      justPaid.set(row, { reference, receiptIssuedAt: hasGaps ? null : now, refundedCents: 0 });
      return row;
    },
    settleRefused: (_, attempt) => {
      throw new Error(`Donation ${donationIdOf(attempt)} can always be paid.`);
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
      const reason = refund.requested_by === "provider" ? takenBack[refund.kind] : undefined;
      if (reason !== undefined) await subject.onRefundAlert(transaction, refund, reason);
      await voidReceipt(transaction, donationId, now);
      await issueReceipt(transaction, donationId, organisation(), now);
    },
    async describePaid(attempt) {
      if (attempt.state === "refunded") return { message: "This payment has been refunded." };
      const paid = justPaid.get(attempt) ?? (await findPaidDonation(database, donationIdOf(attempt)));
      return describePaid(config, attempt, paid);
    },
    findEmail: async (attempt) => (await findDonor(database, donationIdOf(attempt)))?.email,
    findUserId: async (attempt) => (await findDonor(database, donationIdOf(attempt)))?.user_id ?? null,
    ...staffAlerts(jobs),
  };
  return subject;
}

function describePaid(
  config: LinkConfig,
  attempt: Attempt,
  { reference, receiptIssuedAt, refundedCents }: PaidDonation,
): PaidWords {
  const receipt = { kind: "receipt", id: donationIdOf(attempt) } as const;
  return {
    message:
      attempt.state === "partially_refunded"
        ? `${formatDollars(refundedCents)} of this payment has been refunded.`
        : "Thank you. Your donation has been received.",
    reference,
    ...(receiptIssuedAt === null ? {} : { receiptUrl: documentLink(config, receipt, receiptIssuedAt).path }),
  };
}
