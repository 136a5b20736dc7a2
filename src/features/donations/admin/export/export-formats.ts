import type { ExportedDonation } from "../../server/search/export-donations.ts";
import { writeCsv } from "./csv.ts";
import type { ExportColumn } from "./export-columns.ts";
import { writeXlsx } from "./xlsx.ts";

/** What the file says about the export. */
export type ExportNote = {
  readonly person: string;
  /** The time in Sydney, with its offset. */
  readonly at: string;
  /** The filters that were set, by their names in the address. */
  readonly filter: readonly (readonly [name: string, text: string])[];
};

export type ExportFormat = {
  readonly type: string;
  readonly write: (
    batches: AsyncIterable<readonly ExportedDonation[]>,
    columns: readonly ExportColumn[],
    note: ExportNote,
  ) => AsyncIterable<Buffer>;
};

export const exportFormats: Readonly<Record<"csv" | "xlsx", ExportFormat>> = {
  csv: { type: "text/csv; charset=utf-8", write: writeCsv },
  xlsx: { type: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", write: writeXlsx },
};
