/** $1,234.50 from 123450 cents. Always two decimals; the currency is said once beside it. */
export function formatDollars(cents: number): string {
  const [whole = "0", decimals] = (Math.abs(cents) / 100).toFixed(2).split(".");
  return `${cents < 0 ? "-" : ""}$${whole.replace(/\B(?=(\d{3})+$)/g, ",")}.${decimals}`;
}

/** 1.5% from 150 basis points. */
export function formatPercent(basisPoints: number): string {
  return `${basisPoints / 100}%`;
}

/** `cents × basisPoints / 10 000`, rounded half up to the cent, on integers alone. */
export function shareOf(cents: number, basisPoints: number): number {
  return Math.floor((cents * basisPoints * 2 + 10_000) / 20_000);
}

/**
 * Splits `total` cents over `weights` so that the parts sum to it: each gets its proportional whole cents, and the cents
 * left over go to the largest remainders, ties to the earlier. All weights zero puts everything on the first.
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
