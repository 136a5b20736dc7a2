/** What a ticket order comes to. Run by page and server. */

/** One line of a selection: a ticket type by its code, and how many. */
export type OrderLine = { readonly type: string; readonly quantity: number };

/** What is known of a ticket type where tickets are chosen. */
export type Offered = {
  readonly code: string;
  readonly title: string;
  readonly priceCents: number;
  /** Neither sold nor held. */
  readonly left: number;
  readonly limitPerOrder: number;
};

/** The specification's own bound of one stepper. */
export const MAXIMUM_QUANTITY = 9999;
/** Lines that one order may be sent as; several of the same type count together. */
export const MAXIMUM_LINES = 20;

/** How many of a type one order may have now (TIC-2). */
export function mostOf({ left, limitPerOrder }: Pick<Offered, "left" | "limitPerOrder">): number {
  return Math.max(0, Math.min(MAXIMUM_QUANTITY, left, limitPerOrder));
}

/** Quantities of all lines of the same type together, in the order in which the types first appear; nothings left out. */
export function sumLines(lines: readonly OrderLine[]): OrderLine[] {
  const sums = new Map<string, number>();
  for (const { type, quantity } of lines) sums.set(type, (sums.get(type) ?? 0) + quantity);
  return [...sums].map(([type, quantity]) => ({ type, quantity })).filter(({ quantity }) => quantity > 0);
}

export function ticketCount(lines: readonly Pick<OrderLine, "quantity">[]): number {
  return lines.reduce((sum, { quantity }) => sum + quantity, 0);
}

/** Σ price × quantity, without fees (TIC-6). Lines of a type that is not offered cost nothing: they cannot be ordered. */
export function totalCents(
  lines: readonly OrderLine[],
  types: readonly Pick<Offered, "code" | "priceCents">[],
): number {
  const prices = new Map(types.map(({ code, priceCents }) => [code, priceCents]));
  return lines.reduce((sum, { type, quantity }) => sum + quantity * (prices.get(type) ?? 0), 0);
}

/** '3 tickets', '1 ticket'. */
export function sayCount(quantity: number): string {
  return quantity === 1 ? "1 ticket" : `${quantity} tickets`;
}
