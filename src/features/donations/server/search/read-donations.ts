import type { PaymentState } from "#payments/states.ts";
import type { RefundKind } from "#payments/tables.ts";
import { type ExportPlan, readInBatches } from "#shared/database/read-in-batches.ts";

export type ExportedDonation = {
  /** '2026-11-22 08:52:00' in Sydney. */
  readonly givenAt: string;
  readonly reference: string;
  readonly isAnonymous: boolean;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly postcode: string | null;
  readonly method: "cc" | "pp";
  readonly subtotalCents: number;
  readonly adminFeeCents: number;
  readonly merchantFeeCents: number;
  readonly totalCents: number;
  readonly currency: string;
  readonly state: PaymentState | null;
  readonly provider: string | null;
  readonly paymentReference: string | null;
  readonly transactionId: string | null;
  readonly receiptNumber: number | null;
  /** The refunds that moved money, oldest first. */
  readonly refunds: readonly ExportedRefund[] | null;
  /** The lines; null unless they were asked for. */
  readonly lines: readonly ExportedLine[] | null;
};

type ExportedLine = { readonly title: string; readonly part: string; readonly cents: number };

export type ExportedRefund = {
  readonly at: string;
  readonly reference: string;
  readonly transactionId: string | null;
  readonly kind: RefundKind;
  readonly cents: number;
  /** The parts of `cents` that the ledger took out of the fees. */
  readonly adminFeeCents: number;
  readonly merchantFeeCents: number;
};

/** Reads all donations of a plan, newest first, in batches. */
export async function* readDonations(
  databaseUrl: string,
  plan: ExportPlan,
): AsyncGenerator<readonly ExportedDonation[]> {
  let last: Gathered | null = null;
  for await (const rows of readInBatches<Row>(databaseUrl, plan)) {
    const whole: Gathered[] = [];
    for (const row of rows) {
      if (last?.reference === row.reference) last.lines!.push(lineOf(row)!);
      else {
        if (last !== null) whole.push(last);
        last = gather(row);
      }
    }
    if (whole.length > 0) yield whole;
  }
  if (last !== null) yield [last];
}

/** The rows of a donation are consecutive: one for each of its lines, or a single one if lines were not asked for. */
export type Row = Omit<ExportedDonation, "lines"> & {
  readonly lineTitle: string | null;
  readonly linePart: string;
  readonly lineCents: number;
  lines?: ExportedLine[] | null;
};
type Gathered = ExportedDonation & { readonly lines: ExportedLine[] | null };

const lineOf = ({ lineTitle, linePart, lineCents }: Row): ExportedLine | null =>
  lineTitle === null ? null : { title: lineTitle, part: linePart, cents: lineCents };

/** Changes the objects in place, because copying a million of them takes time. */
function gather(row: Row): Gathered {
  const line = lineOf(row);
  row.lines = line === null ? null : [line];
  return row as Gathered;
}
