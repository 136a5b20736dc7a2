import { sayMoment } from "#shared/events/event-times.ts";
import { formatDollars } from "#shared/money.ts";
import type { TicketEvent, TicketType } from "./contract.ts";
import { mostOf } from "./order.ts";

/** From how many on it is of no use to know how many are left. */
const MANY = 21;

/** What is said of a type's seats: nothing while there are plenty and they are on sale. */
export function sayAvailability(type: TicketType, timeZone: string): string | null {
  switch (type.state) {
    case "on_sale":
      return type.left < MANY ? `${type.left} left` : null;
    case "sold_out":
      return "Sold out";
    case "not_yet":
      return type.salesFrom === null
        ? "Not on sale yet"
        : `On sale from ${sayMoment(new Date(type.salesFrom), timeZone)}`;
    case "closed":
      return "No longer on sale";
  }
}

/** Why no more of a type can be chosen than so many; nothing while more can be. */
export function sayWhyNoMore(
  type: Pick<TicketType, "title" | "left" | "limitPerOrder">,
  quantity: number,
): string | null {
  const most = mostOf(type);
  if (quantity < most || most === 0) return null;
  const tickets = `${most} ${type.title} ${most === 1 ? "ticket" : "tickets"}`;
  return type.left < type.limitPerOrder ? `Only ${tickets} left` : `At most ${tickets} in one order`;
}

/** 'From $50.00 a ticket'; where all cost the same, '$50.00 a ticket'. Empty without types. */
export function sayPriceFrom(types: readonly Pick<TicketType, "priceCents">[]): string {
  const prices = types.map(({ priceCents }) => priceCents);
  if (prices.length === 0) return "";
  const least = Math.min(...prices);
  const price = `${formatDollars(least)} a ticket`;
  return prices.every((cents) => cents === least) ? price : `From ${price}`;
}

/** When the first of an event's tickets go on sale, which are not yet; null where nobody knows. */
export function firstSale({ types }: Pick<TicketEvent, "types">): string | null {
  const starts = types.flatMap(({ state, salesFrom }) =>
    state === "not_yet" && salesFrom !== null ? [salesFrom] : [],
  );
  return starts.sort()[0] ?? null;
}
