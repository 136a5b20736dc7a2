/** R-000123 from 123. */
export function formatReceiptNumber(number: number): string {
  return `R-${String(number).padStart(6, "0")}`;
}

/** The number in R-000123; null for any other text. */
export function readReceiptNumber(text: string): number | null {
  const digits = /^R-(\d{6,15})$/.exec(text)?.[1];
  return digits === undefined ? null : Number(digits);
}
