import { Refusal } from "#admin/actions.ts";
import { type Actor, recordAct } from "#admin/audit.ts";
import type { Connection } from "#shared/database/connect.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { type Organisation, receiptGaps } from "#shared/organisation.ts";
import { findReceipt, issueReceipt, type ReceiptData, voidReceipt } from "../receipt.ts";
import { sendReceiptCopy } from "./receipt-copies.ts";
import { CHANGED_MEANWHILE, IS_ERASED, requireDonation } from "./require-donation.ts";
import { NO_RECEIPT } from "./send-again.ts";

type Services = CoreServices<"database" | "jobs" | "organisation" | "now">;

type Correction = {
  readonly donationId: string;
  /** The number of the receipt that the form showed. */
  readonly receipt: string;
  readonly firstName: string;
  readonly lastName: string;
};

/**
 * Corrects a donor's name: the receipt becomes void, and a new one takes its place and is sent. The audit trail has
 * only the receipts' numbers, because the names on receipts are erased in time. @throws Refusal if there is no valid
 * receipt, or somebody else has replaced it.
 */
export function correctName(
  { database, jobs, organisation, now }: Services,
  { donationId, receipt, firstName, lastName }: Correction,
  actor: Actor,
): Promise<void> {
  return database.transaction().execute(async (transaction) => {
    const donation = await requireDonation(transaction, donationId);
    if (donation.email === "") throw new Refusal(IS_ERASED);
    if (donation.is_anonymous) throw new Refusal("This gift was given anonymously: its receipt has no name.");
    const at = now();
    const replacing = { donationId, receipt, organisation: organisation.current(), now: at };
    await requireReplaceable(transaction, replacing);
    const names = { first_name: firstName, last_name: lastName };
    await transaction.updateTable("donations").set(names).where("id", "=", donationId).execute();
    const act = { verb: "donation.correct-name", subject: "donation", subjectId: donationId, before: { receipt } };
    await recordAct(transaction, actor, act, at);
    await sendReceiptCopy(transaction, jobs, { donationId, because: "name", at });
    await replaceReceipt(transaction, replacing, { donorName: `${firstName} ${lastName}` });
  });
}

type Replacing = Pick<Correction, "donationId" | "receipt"> & {
  readonly organisation: Organisation;
  readonly now: Date;
};

/** @throws Refusal unless this is the valid receipt of a locked donation, and can be replaced now. */
export async function requireReplaceable(
  transaction: Connection,
  { donationId, receipt, organisation }: Replacing,
): Promise<ReceiptData> {
  const latest = await findReceipt(transaction, donationId);
  if (latest === undefined || latest.voided !== null) throw new Refusal(NO_RECEIPT);
  if (latest.data.number !== receipt) throw new Refusal(CHANGED_MEANWHILE);
  if (receiptGaps(organisation).length > 0) {
    throw new Refusal("The organisation’s details are incomplete, so no receipt can take this one’s place now.");
  }
  return latest.data;
}

/**
 * Voids the valid receipt and issues the one that replaces it. Call it last in the transaction, as `issueReceipt` says.
 */
export async function replaceReceipt(
  transaction: Connection,
  { donationId, organisation, now }: Replacing,
  corrected: { readonly donorName?: string } = {},
): Promise<void> {
  await voidReceipt(transaction, donationId, now);
  await issueReceipt(transaction, donationId, organisation, now, corrected);
}
