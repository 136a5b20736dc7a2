import { ANONYMOUS_DONOR } from "../donor.ts";
import type { DonationRecord } from "./donation-record.ts";
import type { ReceiptData } from "./receipt.ts";

/** What the donor paid and was not refunded, including fees. */
export function keptCents({ totalCents, refundedCents }: Pick<DonationRecord, "totalCents" | "refundedCents">): number {
  return totalCents - refundedCents;
}

type PaidLine = Pick<DonationRecord["lines"][number], "kind" | "lineCents" | "refundedCents">;

/** Deductible amount still held: gift lines minus refunds, fees excluded. */
export function deductibleCents({ lines }: { readonly lines: readonly PaidLine[] }): number {
  return lines.reduce((sum, line) => sum + (line.kind === "gift" ? line.lineCents - line.refundedCents : 0), 0);
}

/** The deductible wording is only for deductible gift recipients, and only for gifts. */
export function hasDeductibleWording(data: ReceiptData): boolean {
  return data.organisation.isDeductibleGiftRecipient && deductibleCents(data) > 0;
}

/** The donor's name for emails to staff. */
export function donorOf({ donorName }: Pick<DonationRecord, "donorName">): string {
  return donorName ?? ANONYMOUS_DONOR;
}
