import { formatEventMoment } from "#shared/events/event-times.ts";
import { formatDollars, plural } from "#shared/language.ts";
import type { TicketEvent, TicketType } from "./contract.ts";
import { maximumOf } from "./order.ts";

/** From this many on, the number left is not shown. */
const MANY = 21;

/** Null while a type is on sale with plenty of seats. */
export function describeAvailability(type: TicketType, timeZone: string): string | null {
  switch (type.state) {
    case "on_sale":
      return type.left < MANY ? `${type.left} left` : null;
    case "sold_out":
      return "Sold out";
    case "not_yet":
      return type.salesFrom === null
        ? "Not on sale yet"
        : `On sale from ${formatEventMoment(new Date(type.salesFrom), timeZone)}`;
    case "closed":
      return "No longer on sale";
  }
}

/** Why `quantity` cannot go up; null while it can. */
export function describeLimit(
  type: Pick<TicketType, "title" | "left" | "limitPerOrder">,
  quantity: number,
): string | null {
  const max = maximumOf(type);
  if (quantity < max || max === 0) return null;
  const { title, left, limitPerOrder } = type;
  return left < limitPerOrder
    ? plural(max, { one: `Only 1 ${title} ticket left`, other: `Only ${max} ${title} tickets left` })
    : plural(max, {
        one: `At most 1 ${title} ticket in one order`,
        other: `At most ${max} ${title} tickets in one order`,
      });
}

/** 'From $50.00 a ticket, some free'; where all cost the same, '$50.00 a ticket'. Empty without types. */
export function formatPriceFrom(types: readonly Pick<TicketType, "priceCents">[]): string {
  const prices = types.flatMap(({ priceCents }) => (priceCents === 0 ? [] : [priceCents]));
  if (prices.length === 0) return types.length === 0 ? "" : "Free";
  const least = Math.min(...prices);
  const price = formatDollars(least);
  const isSome = prices.length < types.length;
  if (prices.some((cents) => cents > least))
    return isSome ? `From ${price} a ticket, some free` : `From ${price} a ticket`;
  return isSome ? `${price} a ticket, some free` : `${price} a ticket`;
}

/** When the first tickets that are not on sale yet go on sale; null if unknown. */
export function firstSale({ types }: Pick<TicketEvent, "types">): string | null {
  const starts = types.flatMap(({ state, salesFrom }) =>
    state === "not_yet" && salesFrom !== null ? [salesFrom] : [],
  );
  return starts.sort()[0] ?? null;
}
