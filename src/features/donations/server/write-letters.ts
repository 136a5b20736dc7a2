import type { Database } from "#shared/database/connect.ts";
import { signPath } from "#shared/http/signed-link.ts";
import type { DonationLetterJob } from "#shared/jobs/queues.ts";
import type { Letter } from "#shared/mail/mail.ts";
import { type Organisation, receiptGaps } from "#shared/organisation.ts";
import { findAttempt } from "#shared/payments/attempts.ts";
import { shownAs } from "#shared/payments/states.ts";
import {
  newDonationLetter,
  paymentNeedsLookLetter,
  paymentOutcomeLetter,
  receiptLetter,
  receiptWaitingLetter,
} from "./letters.ts";
import { receiptPath } from "./present-payment.ts";
import { findGiving, findReceipt } from "./receipt.ts";
import { renderReceipt } from "./receipt-pdf.ts";

export type DonationLetterContext = {
  readonly database: Database;
  readonly organisation: () => Organisation;
  readonly config: { readonly publicUrl: string; readonly secretKey: string };
};

/**
 * The letter of one job. It says what is true when the job runs, which carries ids alone; null when there is nothing
 * left to say.
 */
export function writeDonationLetter(context: DonationLetterContext, job: DonationLetterJob): Promise<Letter | null> {
  switch (job.letter) {
    case "receipt":
      return writeReceiptLetter(context, job.donationId);
    case "new-donation":
      return writeNewDonationLetter(context, job.donationId);
    case "payment-outcome":
      return writePaymentOutcomeLetter(context, job.attemptId);
    case "payment-needs-look":
      return writeNeedsLookLetter(context, job);
  }
}

const senderOf = ({ organisation, config }: DonationLetterContext) => ({
  organisation: organisation(),
  publicUrl: config.publicUrl,
});

function findDonation(database: Database, id: string) {
  return database.selectFrom("donations").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
}

/** The donor's letter with the receipt; while the receipt has to wait, the letter that tells staff why (DON-21). */
async function writeReceiptLetter(context: DonationLetterContext, donationId: string): Promise<Letter | null> {
  const { database, config, organisation } = context;
  const receipt = await findReceipt(database, donationId);
  const { email, reference, awaits_receipt: isWaiting } = await findDonation(database, donationId);
  if (receipt !== undefined) {
    const path = signPath(config.secretKey, receiptPath(donationId));
    return receiptLetter(senderOf(context), { receipt, pdf: await renderReceipt(receipt), path, address: email });
  }
  if (!isWaiting) throw new Error(`Donation ${donationId} has no receipt to send.`);
  const gaps = receiptGaps(organisation());
  return gaps.length === 0 ? null : receiptWaitingLetter(senderOf(context), { donationId, reference, gaps });
}

async function writeNewDonationLetter(context: DonationLetterContext, donationId: string): Promise<Letter | null> {
  const giving = await findGiving(context.database, donationId);
  if (giving === undefined) return null;
  const { email } = await findDonation(context.database, donationId);
  return newDonationLetter(senderOf(context), { donationId, giving, address: email });
}

async function writePaymentOutcomeLetter(context: DonationLetterContext, attemptId: string): Promise<Letter | null> {
  const attempt = await findAttempt(context.database, attemptId);
  // A charge may have turned up since: then it has its receipt.
  if (attempt === undefined || shownAs[attempt.state] !== "failed") return null;
  const donation = await findDonation(context.database, attempt.donation_id);
  const donorName = donation.is_anonymous ? null : `${donation.first_name} ${donation.last_name}`;
  return paymentOutcomeLetter(senderOf(context), {
    attemptId,
    donation: { donorName, address: donation.email, totalCents: donation.total_cents },
  });
}

async function writeNeedsLookLetter(
  context: DonationLetterContext,
  { attemptId, reason }: { attemptId: string; reason: string },
): Promise<Letter | null> {
  const attempt = await findAttempt(context.database, attemptId);
  return attempt === undefined ? null : paymentNeedsLookLetter(senderOf(context), { attempt, reason });
}
