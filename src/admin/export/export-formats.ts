import { writeCsv } from "./csv.ts";
import { writeXlsx } from "./xlsx.ts";

/** A cell: text, cents (written as dollars), a number of things, a day (YYYY-MM-DD), or a time of day (HH:MM:SS). */
export type Cell =
  | string
  | { readonly cents: number }
  | { readonly count: number }
  | { readonly day: string }
  | { readonly time: string };

/** The day and the time of '2026-11-22 08:52:00'. */
export const dayOf = (at: string): Cell => ({ day: at.slice(0, 10) });
export const timeOf = (at: string): Cell => ({ time: at.slice(11) });

/** Rows of cells, in batches. */
export type Rows = AsyncIterable<readonly (readonly Cell[])[]>;

/** What the file says about the export. */
export type ExportNote = {
  readonly person: string;
  /** The time in Sydney, with its offset. */
  readonly at: string;
  /** If a replica was read: the same for the time up to which it had everything. */
  readonly asOf?: string;
  /** The filters that were set, by their names in the address. */
  readonly filter: readonly (readonly [name: string, text: string])[];
};

export type Table = {
  /** The name of the sheet. */
  readonly title: string;
  readonly names: readonly string[];
  readonly note: ExportNote;
};

/** The endings of exported files. */
export type Ending = "csv" | "xlsx";

type ExportFormat = {
  readonly type: string;
  readonly write: (rows: Rows, table: Table) => AsyncGenerator<Buffer>;
};

export const exportFormats: Readonly<Record<Ending, ExportFormat>> = {
  csv: { type: "text/csv; charset=utf-8", write: writeCsv },
  xlsx: { type: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", write: writeXlsx },
};
