import { formatDollars, formatPercent } from "#shared/language.ts";

/** Less than this the payment providers do not take; a ticket costs nothing or at least this. */
export const MIN_PAYABLE_CENTS = 100;

export type Discount = {
  readonly percent: number | null;
  /** Off each ticket. */
  readonly cents: number | null;
  /** Empty for all types. */
  readonly typeIds: readonly number[];
  readonly maxPerOrder: number;
};

/** Cents off one ticket of this price. */
export function centsOff(priceCents: number, { percent, cents }: Pick<Discount, "percent" | "cents">): number {
  const off = Math.min(priceCents, percent === null ? (cents ?? 0) : Math.round((priceCents * percent) / 100));
  const left = priceCents - off;
  return left > 0 && left < MIN_PAYABLE_CENTS ? Math.max(0, priceCents - MIN_PAYABLE_CENTS) : off;
}

/** Whether a code is for tickets of this type. */
export const appliesTo = ({ typeIds }: Discount, typeId: number) => typeIds.length === 0 || typeIds.includes(typeId);

type Line = { readonly typeId: number; readonly priceCents: number; readonly quantity: number };
type DiscountedLine = { readonly discounted: number; readonly discountCents: number };

/** How many tickets of each line become cheaper, and by how much each: those that save most first. */
export function discountLines(lines: readonly Line[], discount: Discount | null): DiscountedLine[] {
  const off = lines.map(({ typeId, priceCents }) =>
    discount !== null && appliesTo(discount, typeId) ? centsOff(priceCents, discount) : 0,
  );
  let left = discount?.maxPerOrder ?? 0;
  const discounted = new Map<number, number>();
  const bySaving = off.map((_, index) => index).sort((one, other) => off[other]! - off[one]!);
  for (const index of bySaving) {
    if (off[index] === 0) continue;
    const count = Math.min(left, lines[index]!.quantity);
    discounted.set(index, count);
    left -= count;
  }
  return lines.map((_, index) => {
    const count = discounted.get(index) ?? 0;
    return { discounted: count, discountCents: count === 0 ? 0 : off[index]! };
  });
}

/** What a discount code takes off an order, in cents. */
export const discountOf = (
  lines: readonly { readonly discounted: number; readonly discount_cents: number }[],
): number => lines.reduce((sum, line) => sum + line.discounted * line.discount_cents, 0);

/** '20% off' or '$10.00 off each ticket'. */
export function describeDiscount({ percent, cents }: Pick<Discount, "percent" | "cents">): string {
  return percent === null ? `${formatDollars(cents ?? 0)} off each ticket` : `${formatPercent(percent * 100)} off`;
}

/** As staff give it out and buyers type it: 'spring 26' is 'SPRING26'. Invisible characters come with pasted text. */
export const tidyCode = (typed: string) => typed.toUpperCase().replace(/[\s\p{C}]+/gu, "");
