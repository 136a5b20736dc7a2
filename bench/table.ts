/** One figure, and its reference from the same run. */
export type BenchRow = {
  readonly what: string;
  readonly ours: number;
  readonly reference?: number;
  readonly unit: string;
  /** What the reference is. */
  readonly to?: string;
};

const isJson = process.argv.includes("--json");

/** Progress; with `--json` the output has the figures alone. */
export function print(line: string): void {
  (isJson ? process.stderr : process.stdout).write(`${line}\n`);
}

/** As a table, or with `--json` as JSON. */
export function printRows(rows: readonly BenchRow[]): void {
  if (isJson) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
  else printTable(rows);
}

/** A part of a figure, which begins with '…', is named after the figure too. */
export function nameRows(rows: readonly BenchRow[]): (readonly [name: string, row: BenchRow])[] {
  let whole = "";
  return rows.map((row) => {
    const isPart = row.what.startsWith("…");
    if (!isPart) whole = row.what;
    const name = isPart ? `${whole} ${row.what}` : row.what;
    return [row.reference === undefined ? name : `${name} (to ${row.to})`, row];
  });
}

export function printTable(rows: readonly BenchRow[]): void {
  const cells = rows.map(({ what, ours, reference, unit, to }) => [
    what,
    `${round(ours)} ${unit}`,
    reference === undefined ? "" : `${round(reference)} ${unit}`,
    reference === undefined ? "" : `${round(ours / reference)} ×`,
    to ?? "",
  ]);
  printColumns([["", "ours", "reference", "ratio", "reference is"], ...cells]);
}

/** The first column and the last are aligned to the left. */
export function printColumns(rows: readonly (readonly string[])[]): void {
  const last = rows[0]!.length - 1;
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => (column % last === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join("  ")
      .trimEnd();
  process.stdout.write(`\n${rows.map(line).join("\n")}\n`);
}

/** Rounds to three significant figures. */
export function round(value: number): string {
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value) || 1)));
  return value.toFixed(Math.min(digits, 3));
}
