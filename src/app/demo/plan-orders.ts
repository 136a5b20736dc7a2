import type { TicketTypeRow } from "#features/tickets/server/seats.ts";
import { seededRandom } from "#shared/seeded-random.ts";
import { demoDonors } from "./demo-donors.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** An event sells its tickets in so many days, until the day before it or now. */
const SALE_DAYS = 35;
/** Orders for each event. */
const ORDERS = 32;

/** An event with its ticket types, by their ids. */
export type TicketedEvent = {
  readonly slug: string;
  readonly startsAt: Date;
  readonly types: readonly TicketTypeRow[];
};

/** A ticket order of the invented year. */
export type PlannedOrder = {
  readonly event: string;
  readonly buyer: (typeof demoDonors)[number];
  readonly at: Date;
  readonly method: "cc" | "pp";
  readonly lines: readonly { readonly type: string; readonly quantity: number; readonly priceCents: number }[];
  /** `one cancelled`: the first of its tickets. */
  readonly outcome: "paid" | "declined" | "cancelled" | "one cancelled";
};

/** The orders of these events, oldest first. */
export function planOrders(events: readonly TicketedEvent[], now: Date): PlannedOrder[] {
  const draw = seededRandom(20_260_307);
  const orders = events.flatMap((event) => {
    const closes = Math.min(event.startsAt.getTime() - DAY_MS, now.getTime() - HOUR_MS);
    return Array.from({ length: ORDERS }, (_, index): PlannedOrder => {
      // The square favours the last days.
      const at = new Date(closes - draw() ** 2 * SALE_DAYS * DAY_MS);
      const lines = drawLines(event.types, draw);
      const count = lines.reduce((sum, { quantity }) => sum + quantity, 0);
      const mayCancel = closes - at.getTime() > 4 * DAY_MS;
      return {
        event: event.slug,
        buyer: demoDonors[Math.floor(draw() ** 1.5 * demoDonors.length)]!,
        ...{ at, lines },
        method: draw() < 0.8 ? "cc" : "pp",
        outcome: drawOutcome(index, mayCancel, count),
      };
    });
  });
  return orders.sort((one, other) => one.at.getTime() - other.at.getTime());
}

/** Mostly of one type, sometimes of two. The dearest is rare, because there are few of it. */
function drawLines(types: readonly TicketTypeRow[], draw: () => number): PlannedOrder["lines"] {
  const byPrice = types.toSorted((one, other) => one.price_cents - other.price_cents);
  const first = draw() < 0.85 ? byPrice[0]! : byPrice.at(-1)!;
  const both = draw() < 0.15;
  return types
    .filter((type) => type === first || both)
    .map(({ code, price_cents }) => ({
      type: code,
      quantity: 1 + Math.floor(draw() ** 2 * (both ? 2 : 5)),
      priceCents: price_cents,
    }));
}

function drawOutcome(index: number, mayCancel: boolean, count: number): PlannedOrder["outcome"] {
  if (index % 16 === 5) return "declined";
  if (index % 8 === 3 && mayCancel) return index % 16 === 3 && count > 1 ? "one cancelled" : "cancelled";
  return "paid";
}
