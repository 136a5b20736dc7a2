import { findAttempt } from "#payments/attempts.ts";
import { shownAs } from "#payments/states.ts";
import type { Connection, Database } from "#shared/database/connect.ts";
import { readOnOneConnection, together } from "#shared/database/transact.ts";
import { documentLink, type LinkConfig } from "#shared/links/document-links.ts";
import type { EmailContext } from "#shared/mail/compose-email.ts";
import type { EmailMessage } from "#shared/mail/mail.ts";
import { receiptGaps } from "#shared/organisation.ts";
import { findDonationRecord } from "./donation-record.ts";
import { keptCents } from "./donation-sums.ts";
import {
  newDonationEmail,
  paymentNeedsCheckEmail,
  paymentOutcomeEmail,
  receiptEmail,
  receiptWaitingEmail,
} from "./emails.ts";
import { type ReceiptCopyJob, writeReceiptCopy } from "./one-donation/receipt-copies.ts";
import { findReceipt } from "./receipt.ts";
import { refundEmail, refundNeedsCheckEmail, reversalEmail } from "./refund-emails.ts";
import { renderReceipt } from "./render-pdfs.ts";
import { donationIdOf } from "./store.ts";

export type DonationEmailJob =
  | { readonly template: "receipt" | "new-donation"; readonly donationId: string }
  | ReceiptCopyJob
  | { readonly template: "payment-outcome"; readonly attemptId: string }
  | { readonly template: "payment-needs-check"; readonly attemptId: string; readonly reason: string }
  | { readonly template: "refund"; readonly refundId: string }
  | { readonly template: "refund-needs-check"; readonly refundId: string; readonly reason: string };

declare module "#shared/jobs/queues.ts" {
  interface EmailJobs {
    donations: DonationEmailJob;
  }
}

type DonationEmailContext = EmailContext<LinkConfig>;

/**
 * The email of one job. Jobs only carry ids, so the email says what is true when the job runs. Null if there is nothing
 * left to say, or nobody to say it to because the address was erased.
 */
export function writeDonationEmail(context: DonationEmailContext, job: DonationEmailJob): Promise<EmailMessage | null> {
  switch (job.template) {
    case "receipt":
      return writeReceiptEmail(context, job.donationId);
    case "receipt-copy":
      return writeReceiptCopy(context, job);
    case "new-donation":
      return writeNewDonationEmail(context, job.donationId);
    case "payment-outcome":
      return writePaymentOutcomeEmail(context, job.attemptId);
    case "payment-needs-check":
      return writeNeedsCheckEmail(context, job);
    case "refund":
      return writeRefundEmail(context, job.refundId);
    case "refund-needs-check":
      return writeRefundNeedsCheckEmail(context, job);
  }
}

function findDonation(connection: Connection, id: string) {
  return connection
    .selectFrom("donations")
    .select(["reference", "is_anonymous", "first_name", "last_name", "email", "total_cents", "awaits_receipt"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
}

/** The donor's receipt email or, if the receipt must wait, the email that tells staff why (DON-21). */
async function writeReceiptEmail(context: DonationEmailContext, donationId: string): Promise<EmailMessage | null> {
  const { database, config, sender } = context;
  const [receipt, donation] = await readOnOneConnection(database, (connection) =>
    together(findReceipt(connection, donationId), findDonation(connection, donationId)),
  );
  const { email, reference, awaits_receipt: isWaiting } = donation;
  if (email === "") return null;
  if (receipt !== undefined && receipt.voided === null) {
    const link = documentLink(config, { kind: "receipt", id: donationId }, new Date(receipt.data.issuedAt));
    const pdf = await renderReceipt(receipt.data, null, context.sender);
    return receiptEmail(context.sender, { donationId, receipt: receipt.data, pdf, link, address: email });
  }
  if (isWaiting) {
    const gaps = receiptGaps(sender.organisation);
    return gaps.length === 0 ? null : receiptWaitingEmail(context.sender, { donationId, reference, gaps });
  }
  const record = await findDonationRecord(database, donationId);
  // Fully refunded in the meantime: the refund email says so.
  if (record !== undefined && keptCents(record) === 0) return null;
  throw new Error(`Donation ${donationId} has no receipt to send.`);
}

async function writeNewDonationEmail(context: DonationEmailContext, donationId: string): Promise<EmailMessage | null> {
  const [record, { email }] = await readOnOneConnection(context.database, (connection) =>
    together(findDonationRecord(connection, donationId), findDonation(connection, donationId)),
  );
  if (record === undefined || email === "") return null;
  return newDonationEmail(context.sender, { donationId, record, address: email });
}

async function writePaymentOutcomeEmail(
  context: DonationEmailContext,
  attemptId: string,
): Promise<EmailMessage | null> {
  const attempt = await findAttempt(context.database, attemptId);
  // A late charge may have been found since; then the receipt is sent instead.
  if (attempt === undefined || shownAs[attempt.state] !== "failed") return null;
  const donation = await findDonation(context.database, donationIdOf(attempt));
  if (donation.email === "") return null;
  const donorName = donation.is_anonymous ? null : `${donation.first_name} ${donation.last_name}`;
  return paymentOutcomeEmail(context.sender, {
    attemptId,
    donation: {
      donorName,
      address: donation.email,
      totalCents: donation.total_cents,
      reference: donation.reference,
    },
  });
}

async function writeNeedsCheckEmail(
  context: DonationEmailContext,
  { attemptId, reason }: { attemptId: string; reason: string },
): Promise<EmailMessage | null> {
  const attempt = await findAttempt(context.database, attemptId);
  return attempt === undefined ? null : paymentNeedsCheckEmail(context.sender, { attempt, reason });
}

/** The donor's email about a refund. After a dispute the donor hears from their bank, not from us. */
async function writeRefundEmail(context: DonationEmailContext, refundId: string): Promise<EmailMessage | null> {
  const { database, config } = context;
  const refund = await findRefund(database, refundId);
  if (refund.kind === "chargeback") return null;
  const donationId = donationIdOf((await findAttempt(database, refund.attempt_id))!);
  const { email } = await findDonation(database, donationId);
  if (email === "") return null;
  const [record, receipt] = [await findDonationRecord(database, donationId), await findReceipt(database, donationId)];
  if (record === undefined) throw new Error(`Refund ${refundId} is of a donation that has not been paid.`);
  const refunded = {
    refund,
    record,
    address: email,
    receipt,
    pdf:
      receipt !== undefined && receipt.voided === null ? await renderReceipt(receipt.data, null, context.sender) : null,
    link: documentLink(config, { kind: "receipt", id: donationId }, refund.settled_at ?? refund.created_at),
  };
  return (refund.kind === "reversal" ? reversalEmail : refundEmail)(context.sender, refunded);
}

function findRefund(database: Database, id: string) {
  return database.selectFrom("refunds").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
}

async function writeRefundNeedsCheckEmail(
  context: DonationEmailContext,
  { refundId, reason }: { refundId: string; reason: string },
): Promise<EmailMessage> {
  const refund = await findRefund(context.database, refundId);
  const attempt = (await findAttempt(context.database, refund.attempt_id))!;
  const receipt = attempt.donation_id === null ? undefined : await findReceipt(context.database, attempt.donation_id);
  const number = receipt?.data.number ?? null;
  return refundNeedsCheckEmail(context.sender, { refund, attempt, receipt: number, reason });
}
