import type { Organisation } from "#shared/organisation.ts";
import type { DonationRecord } from "./donation-record.ts";
import type { ReceiptData } from "./receipt.ts";

/** A link that opens nothing. */
export const inventedLink = { path: "/receipts/example?key=…", lastDay: "31 December 2027" } as const;

/** A donation of nobody, for previews. */
export const inventedRecord = (changes: Partial<DonationRecord> = {}): DonationRecord => ({
  donorName: "Amina Raza",
  lines: [
    {
      title: "Emergency relief",
      kind: "gift",
      quantity: 1,
      unitCents: 10_000,
      lineCents: 10_000,
      refundedCents: 0,
      onBehalfOf: [],
    },
  ],
  subtotalCents: 10_000,
  adminFeeCents: 0,
  merchantFeeCents: 300,
  totalCents: 10_300,
  currency: "AUD",
  method: "cc",
  paidOn: "2026-11-20",
  reference: "D-EXAMPLE",
  refundedCents: 0,
  refunds: [],
  ...changes,
});

export function inventedReceipt(organisation: Organisation, changes: Partial<ReceiptData>): ReceiptData {
  const { name, abn, address, phone, email, receipt } = organisation;
  return {
    ...inventedRecord(),
    number: "R-000123",
    replaces: null,
    issuedAt: "2026-11-20T01:00:00.000Z",
    organisation: { name, abn, address, phone, email, ...receipt },
    ...changes,
  };
}
