import { demoPeople } from "#shared/demo-people.ts";
import { dayInSydney, startOfDayInSydney } from "#shared/language.ts";
import { seededRandom } from "#shared/seeded-random.ts";
import type { TicketTypeRow } from "../server/seats.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** An event sells its tickets over this many days, up to the day before it or until now. */
const SALE_DAYS = 35;
/** How many orders each event has. */
const ORDERS = 32;

/** An event with its ticket types, by their ids. */
type TicketedEvent = {
  readonly slug: string;
  readonly startsAt: Date;
  readonly types: readonly TicketTypeRow[];
};

/** A ticket order of the invented year. */
export type PlannedOrder = {
  readonly event: string;
  readonly buyer: (typeof demoPeople)[number];
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
      const at = drawMoment(closes, draw);
      const lines = drawLines(event.types, draw);
      const count = lines.reduce((sum, { quantity }) => sum + quantity, 0);
      const mayCancel = closes - at.getTime() > 4 * DAY_MS;
      return {
        event: event.slug,
        buyer: demoPeople[Math.floor(draw() ** 1.5 * demoPeople.length)]!,
        at,
        lines,
        method: draw() < 0.8 ? "cc" : "pp",
        outcome: drawOutcome(index, mayCancel, count),
      };
    });
  });
  return orders.sort((one, other) => one.at.getTime() - other.at.getTime());
}

/** During the day or in the evening; the square favours the last days. */
function drawMoment(closes: number, draw: () => number): Date {
  const day = dayInSydney(new Date(closes - draw() ** 2 * SALE_DAYS * DAY_MS));
  const at = startOfDayInSydney(day).getTime() + (7 + draw() * 16) * HOUR_MS;
  return new Date(at < closes ? at : at - DAY_MS);
}

/** Mostly tickets of the first type, sometimes with a few others. */
function drawLines(types: readonly TicketTypeRow[], draw: () => number): PlannedOrder["lines"] {
  const usual = types.toSorted((one, other) => other.capacity - one.capacity)[0];
  const hasOthers = draw() < 0.2;
  return types
    .filter((type) => type === usual || hasOthers)
    .map(({ code, price_cents }) => ({
      type: code,
      quantity: 1 + Math.floor(draw() ** 2 * (hasOthers ? 2 : 5)),
      priceCents: price_cents,
    }));
}

function drawOutcome(index: number, mayCancel: boolean, count: number): PlannedOrder["outcome"] {
  if (index % 16 === 5) return "declined";
  if (index % 8 === 3 && mayCancel) return index % 16 === 3 && count > 1 ? "one cancelled" : "cancelled";
  return "paid";
}
