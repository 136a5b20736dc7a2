import type { DocumentLook } from "#shared/brand/document-look.ts";
import { dayInSydney } from "#shared/language.ts";
import type { Organisation } from "#shared/organisation.ts";
import { formatReceiptNumber } from "../receipt-number.ts";
import { describeIssue, type ReceiptData } from "./receipt.ts";
import { renderReceipt } from "./render-pdfs.ts";

const line = { quantity: 1, refundedCents: 0, onBehalfOf: [] };

/** A receipt with invented data, marked as a specimen: what donors get with these details of the organisation. */
export function drawSpecimenReceipt(organisation: Organisation, now: Date, look: DocumentLook): Promise<Buffer> {
  const data: ReceiptData = {
    donorName: "Amina Example",
    lines: [
      { ...line, title: "Where Needed Most", kind: "gift", unitCents: 10_000, lineCents: 10_000 },
      {
        ...line,
        title: "Qurban: Goat",
        kind: "not_deductible",
        unitCents: 19_000,
        lineCents: 19_000,
        onBehalfOf: ["Bilal Example"],
      },
    ],
    subtotalCents: 29_000,
    adminFeeCents: 1450,
    merchantFeeCents: 457,
    totalCents: 30_907,
    currency: "AUD",
    method: "cc",
    paidOn: dayInSydney(now),
    reference: "D-0000-0000",
    refundedCents: 0,
    refunds: [],
    number: formatReceiptNumber(0),
    ...describeIssue(organisation, now),
  };
  return renderReceipt(data, null, { isSpecimen: true, look });
}
