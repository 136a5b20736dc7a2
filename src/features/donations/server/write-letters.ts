import { findAttempt } from "#payments/attempts.ts";
import { shownAs } from "#payments/states.ts";
import type { Database } from "#shared/database/connect.ts";
import { documentLink, type LinkConfig } from "#shared/links/document-links.ts";
import type { Letter } from "#shared/mail/mail.ts";
import { type Organisation, receiptGaps } from "#shared/organisation.ts";
import { findGiving, keptCents } from "./giving.ts";
import {
  newDonationLetter,
  paymentNeedsLookLetter,
  paymentOutcomeLetter,
  receiptLetter,
  receiptWaitingLetter,
} from "./letters.ts";
import { findReceipt } from "./receipt.ts";
import { renderReceipt } from "./receipt-pdf.ts";
import { refundLetter, refundNeedsLookLetter, reversalLetter } from "./refund-letters.ts";
import { donationIdOf } from "./store.ts";

export type DonationLetterJob =
  | { readonly letter: "receipt" | "new-donation"; readonly donationId: string }
  | { readonly letter: "payment-outcome"; readonly attemptId: string }
  | { readonly letter: "payment-needs-look"; readonly attemptId: string; readonly reason: string }
  | { readonly letter: "refund"; readonly refundId: string }
  | { readonly letter: "refund-needs-look"; readonly refundId: string; readonly reason: string };

declare module "#shared/jobs/queues.ts" {
  interface LetterJobs {
    donations: DonationLetterJob;
  }
}

export type DonationLetterContext = {
  readonly database: Database;
  readonly organisation: () => Organisation;
  readonly config: LinkConfig & { readonly publicUrl: string };
};

/**
 * The letter of one job. It says what is true when the job runs, which carries ids alone; null when there is nothing
 * left to say, or nobody to say it to: the account was closed and the address erased.
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
    case "refund":
      return writeRefundLetter(context, job.refundId);
    case "refund-needs-look":
      return writeRefundNeedsLookLetter(context, job);
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
  if (email === "") return null;
  if (receipt !== undefined && receipt.voided === null) {
    const link = documentLink(config, { kind: "receipt", id: donationId }, new Date(receipt.data.issuedAt));
    const pdf = await renderReceipt(receipt.data);
    return receiptLetter(senderOf(context), { receipt: receipt.data, pdf, link, address: email });
  }
  if (isWaiting) {
    const gaps = receiptGaps(organisation());
    return gaps.length === 0 ? null : receiptWaitingLetter(senderOf(context), { donationId, reference, gaps });
  }
  const giving = await findGiving(database, donationId);
  // All of it went back meanwhile: the letter about the refund says so.
  if (giving !== undefined && keptCents(giving) === 0) return null;
  throw new Error(`Donation ${donationId} has no receipt to send.`);
}

async function writeNewDonationLetter(context: DonationLetterContext, donationId: string): Promise<Letter | null> {
  const giving = await findGiving(context.database, donationId);
  if (giving === undefined) return null;
  const { email } = await findDonation(context.database, donationId);
  if (email === "") return null;
  return newDonationLetter(senderOf(context), { donationId, giving, address: email });
}

async function writePaymentOutcomeLetter(context: DonationLetterContext, attemptId: string): Promise<Letter | null> {
  const attempt = await findAttempt(context.database, attemptId);
  // A charge may have turned up since: then it has its receipt.
  if (attempt === undefined || shownAs[attempt.state] !== "failed") return null;
  const donation = await findDonation(context.database, donationIdOf(attempt));
  if (donation.email === "") return null;
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

/** The donor's letter about a refund. Whoever disputed the payment with the bank has that from the bank: no letter. */
async function writeRefundLetter(context: DonationLetterContext, refundId: string): Promise<Letter | null> {
  const { database, config } = context;
  const refund = await findRefund(database, refundId);
  if (refund.kind === "chargeback") return null;
  const donationId = donationIdOf((await findAttempt(database, refund.attempt_id))!);
  const { email } = await findDonation(database, donationId);
  if (email === "") return null;
  const [giving, receipt] = [await findGiving(database, donationId), await findReceipt(database, donationId)];
  if (giving === undefined) throw new Error(`Refund ${refundId} is of a donation that has not been paid.`);
  const refunded = {
    refund,
    giving,
    address: email,
    receipt,
    pdf: receipt !== undefined && receipt.voided === null ? await renderReceipt(receipt.data) : null,
    link: documentLink(config, { kind: "receipt", id: donationId }, refund.settled_at ?? refund.created_at),
  };
  return (refund.kind === "reversal" ? reversalLetter : refundLetter)(senderOf(context), refunded);
}

function findRefund(database: Database, id: string) {
  return database.selectFrom("refunds").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
}

async function writeRefundNeedsLookLetter(
  context: DonationLetterContext,
  { refundId, reason }: { refundId: string; reason: string },
): Promise<Letter> {
  const refund = await findRefund(context.database, refundId);
  const attempt = (await findAttempt(context.database, refund.attempt_id))!;
  const receipt = attempt.donation_id === null ? undefined : await findReceipt(context.database, attempt.donation_id);
  const number = receipt?.data.number ?? null;
  return refundNeedsLookLetter(senderOf(context), { refund, attempt, receipt: number, reason });
}
