import { formatDollars, plural } from "#shared/language.ts";

/** The total of a ticket order. Runs in the browser and on the server. */

/** `type` is the code of a ticket type. */
export type OrderLine = { readonly type: string; readonly quantity: number };

type Offered = {
  readonly code: string;
  readonly title: string;
  readonly priceCents: number;
  /** Neither sold nor held. */
  readonly left: number;
  readonly limitPerOrder: number;
};

/** The specification's limit for one stepper. */
export const MAX_TICKETS = 9999;
/** Lines in one request; lines of the same type are added up. */
export const MAX_ORDER_LINES = 20;

/** How many of a type one order may have now (TIC-2). */
export function maximumOf({ left, limitPerOrder }: Pick<Offered, "left" | "limitPerOrder">): number {
  return Math.max(0, Math.min(MAX_TICKETS, left, limitPerOrder));
}

/** Adds up the lines of each type, in the order in which the types first appear, without empty ones. */
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

/** 'Free', '$50.00'. */
export const formatPrice = (cents: number): string => (cents === 0 ? "Free" : formatDollars(cents));

/** '3 tickets', '1 ticket'. */
export function formatTicketCount(quantity: number): string {
  return plural(quantity, { one: "1 ticket", other: `${quantity} tickets` });
}

const HOUR_MS = 3_600_000;

/** Whether seats are held for longer than a buyer needs, since they were offered to somebody who waited. */
export const isLongHold = (leftMs: number) => leftMs > HOUR_MS;
