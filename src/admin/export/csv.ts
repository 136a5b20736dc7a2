import { BYTE_ORDER_MARK, csvText, withoutFormula } from "#shared/csv.ts";
import { plainDollars } from "#shared/money.ts";
import type { Cell, Rows, Table } from "./export-formats.ts";

const CHUNK = 64 * 1024;

/** Rows as CSV: UTF-8 with a byte-order mark for Excel, a line of column names, and lines that end in CR LF. */
export async function* writeCsv(batches: Rows, { names }: Pick<Table, "names">): AsyncGenerator<Buffer> {
  // Nothing is written before the first rows are read, so that an export that fails until then can be begun again.
  let lines = BYTE_ORDER_MARK + writeLine(names);
  for await (const rows of batches) {
    for (const row of rows) {
      lines += writeLine(row);
      if (lines.length < CHUNK) continue;
      yield Buffer.from(lines);
      lines = "";
    }
    if (lines !== "") yield Buffer.from(lines);
    lines = "";
  }
  if (lines !== "") yield Buffer.from(lines);
}

function writeLine(cells: readonly Cell[]): string {
  let line = writeCell(cells[0]!);
  for (let place = 1; place < cells.length; place += 1) line += `,${writeCell(cells[place]!)}`;
  return `${line}\r\n`;
}

const writeCell = (cell: Cell) => (typeof cell === "string" ? csvText(withoutFormula(cell)) : cellText(cell));

/** What a cell that is not text looks like. */
export function cellText(cell: Exclude<Cell, string>): string {
  if ("cents" in cell) return plainDollars(cell.cents);
  if ("count" in cell) return String(cell.count);
  return "day" in cell ? cell.day : cell.time;
}
