/** Begins a CSV file, so that Excel reads it as UTF-8. */
export const BYTE_ORDER_MARK = "\ufeff";

/** A line of CSV (RFC 4180). Texts are quoted, and safe from being run as formulas; numbers stay numbers. */
export function csvLine(cells: readonly (string | number)[]): string {
  return `${cells.map((cell) => (typeof cell === "number" ? cell : quote(withoutFormula(cell)))).join(",")}\r\n`;
}

/** A text of CSV, quoted only if it has to be. */
export const csvText = (text: string): string => (/[",\r\n]/.test(text) ? quote(text) : text);

/** Puts an apostrophe before text that a spreadsheet would take for a formula. */
export function withoutFormula(text: string): string {
  // Wide forms too: some spreadsheets read them like the others.
  return /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/.test(text) ? `'${text}` : text;
}

const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
