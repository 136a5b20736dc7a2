import { BYTE_ORDER_MARK, csvText, withoutFormula } from "#shared/csv.ts";
import { plainDollars } from "#shared/money.ts";
import type { ExportedDonation } from "../../server/search/export-donations.ts";
import { type Cell, type ExportColumn, rowsOf } from "./export-columns.ts";

/**
 * Batches of donations as CSV: UTF-8 with a byte-order mark for Excel, a line of column names, and lines that end in CR
 * LF.
 */
export async function* writeCsv(
  batches: AsyncIterable<readonly ExportedDonation[]>,
  columns: readonly ExportColumn[],
): AsyncGenerator<Buffer> {
  yield Buffer.from(BYTE_ORDER_MARK + writeLine(columns.map(({ name }) => name)));
  for await (const donations of batches) {
    const lines = donations.flatMap((donation) => rowsOf(donation, columns).map(writeLine));
    yield Buffer.from(lines.join(""));
  }
}

const writeLine = (cells: readonly Cell[]) => `${cells.map(writeCell).join(",")}\r\n`;

function writeCell(cell: Cell): string {
  return typeof cell === "string" ? csvText(withoutFormula(cell)) : plainDollars(cell.cents);
}
