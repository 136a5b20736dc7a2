/** `cents × basisPoints / 10 000`, rounded half up to the cent, in integers only. */
export function shareOf(cents: number, basisPoints: number): number {
  return Math.floor((cents * basisPoints * 2 + 10_000) / 20_000);
}

/**
 * Splits `total` cents by `weights` so that the parts sum to it: each gets its proportional whole cents, and the rest
 * goes to the largest remainders, ties to the earlier. If all weights are zero, the first gets everything.
 */
export function splitCents(total: number, weights: readonly number[]): number[] {
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  if (whole === 0) return weights.map((_, index) => (index === 0 ? total : 0));
  const shares = weights.map((weight) => Math.floor((total * weight) / whole));
  const remainder = (index: number) => total * weights[index]! - shares[index]! * whole;
  const byRemainder = weights.map((_, index) => index).sort((a, b) => remainder(b) - remainder(a) || a - b);
  const left = total - shares.reduce((sum, share) => sum + share, 0);
  for (const index of byRemainder.slice(0, left)) shares[index]! += 1;
  return shares;
}

/** -1234.50 from -123450 cents: for files that programs read, without currency and separators. */
export function plainDollars(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, "0");
  return `${cents < 0 ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Reads '$1,234.50' as cents; null if the text is not an amount. */
export function readDollars(text: string): number | null {
  const found = /^\$?\s*(\d{1,3}(?:,\d{3})+|\d{1,9})(?:\.(\d{1,2}))?$/.exec(text);
  return found && Number(found[1]!.replaceAll(",", "")) * 100 + Number((found[2] ?? "").padEnd(2, "0"));
}
