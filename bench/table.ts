/** One figure, and what it is held against in the same run. */
export type Row = {
  readonly what: string;
  readonly ours: number;
  readonly reference?: number;
  readonly unit: string;
  /** What the reference is. */
  readonly to?: string;
};

export function printTable(rows: readonly Row[]): void {
  const cells = rows.map(({ what, ours, reference, unit, to }) => [
    what,
    `${round(ours)} ${unit}`,
    reference === undefined ? "" : `${round(reference)} ${unit}`,
    reference === undefined ? "" : `${round(ours / reference)} ×`,
    to ?? "",
  ]);
  const head = ["", "ours", "reference", "ratio", "reference is"];
  const widths = head.map((title, column) => Math.max(title.length, ...cells.map((row) => row[column]!.length)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => (column % 4 === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join("  ")
      .trimEnd();
  process.stdout.write(`\n${[head, ...cells].map(line).join("\n")}\n`);
}

/** Three figures that count. */
function round(value: number): string {
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value) || 1)));
  return value.toFixed(Math.min(digits, 3));
}
