import { type DocumentLook, deliveredLook } from "#shared/brand/document-look.ts";
import { runInWorker } from "#shared/workers/run-in-worker.ts";
import type { ReceiptData, Voided } from "./receipt.ts";
import type { Summary } from "./summary-pdf.ts";

/**
 * The PDF of a receipt: A4, tagged for screen readers, marked if it is void or a specimen. The same data gives the same
 * bytes.
 */
export function renderReceipt(
  data: ReceiptData,
  voided: Voided | null = null,
  { isSpecimen = false, look = deliveredLook }: { isSpecimen?: boolean; look?: DocumentLook } = {},
): Promise<Buffer> {
  return runInWorker({
    module: new URL("./receipt-pdf.ts", import.meta.url),
    run: "drawReceipt",
    input: { data, voided, isSpecimen, look },
  });
}

/** The PDF summary of a person's donations in a range of days: A4, tagged for screen readers. */
export function renderSummary(summary: Summary): Promise<Buffer> {
  return runInWorker({ module: new URL("./summary-pdf.ts", import.meta.url), run: "drawSummary", input: summary });
}
