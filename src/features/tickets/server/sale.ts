import { type RawBuilder, sql } from "kysely";
import { type EventDetails, type EventFacts, formatPlace } from "#shared/events/event.ts";
import { formatEventWhen } from "#shared/events/event-clock.ts";
import { findEvent } from "#shared/events/find-event.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import type { SaleState, TicketEvent, TicketType } from "../contract.ts";
import { holdLength } from "../hold-rules.ts";
import type { TicketedEvent } from "../reads.ts";
import { isOffered, leftOf, type TicketTypeRow } from "./seats.ts";
import { findNextTicketedSlug, listTypes } from "./store.ts";
import { ticketKey } from "./ticket-key.ts";

type SaleServices = CoreServices<"database" | "now", "secretKey" | "tickets">;

/** Whether a type in a query is within its sale window, as in `typeState`. */
export const isWithinSales = (at: Date | RawBuilder<unknown>) =>
  sql`coalesce(sales_from <= ${at}, true) and coalesce(sales_until > ${at}, true)`;

/** `left`: seats that are neither sold nor held. */
export function typeState(
  type: Pick<TicketTypeRow, "sales_from" | "sales_until">,
  left: number,
  now: Date,
): TicketType["state"] {
  if (type.sales_from !== null && now < type.sales_from) return "not_yet";
  if (type.sales_until !== null && now >= type.sales_until) return "closed";
  return left > 0 ? "on_sale" : "sold_out";
}

function saleState({ isOver, calledOffAt }: EventDetails, types: readonly TicketType[], isOpen: boolean): SaleState {
  if (calledOffAt !== null) return "called_off";
  if (isOver) return "over";
  return isOpen ? eventState(types.map(({ state }) => state)) : "stopped";
}

/** The state of an event that is not over: one type on sale is enough. */
function eventState(states: readonly TicketType["state"][]): SaleState {
  for (const state of ["on_sale", "sold_out", "not_yet"] as const) if (states.includes(state)) return state;
  return "closed";
}

/** A published event and its offer; null without the event or tickets. Without a slug: the next event with tickets. */
export async function findTicketedEvent(
  services: SaleServices,
  slug: string | undefined,
  access?: string,
): Promise<TicketedEvent | null> {
  const { database, now } = services;
  const wanted = slug ?? (await findNextTicketedSlug(database, now()));
  const event = wanted === undefined ? null : await findEvent(database, wanted, now());
  const offer = event === null ? null : await findOffer(services, event, access);
  return event === null || offer === null ? null : { event, offer };
}

/** The current offer of an event; null if it has no tickets. */
export async function findOffer(
  { database, config, now }: SaleServices,
  event: EventDetails,
  access?: string,
): Promise<TicketEvent | null> {
  const at = now();
  const all = await listTypes(database, event.id, at);
  const rows = all.filter((row) => isOffered(row, access));
  if (rows.length === 0) return null;
  const isOpen = !event.isOver && !rows.some(({ isStopped }) => isStopped);
  const types = rows.map((row): TicketType => {
    const left = leftOf({ ...row, held: row.held - row.lapsed! });
    return {
      code: row.code,
      title: row.title,
      description: row.description,
      priceCents: row.price_cents,
      left,
      limitPerOrder: row.limit_per_order,
      state: isOpen ? typeState(row, left, at) : "closed",
      salesFrom: row.sales_from?.toISOString() ?? null,
      salesUntil: row.sales_until?.toISOString() ?? null,
    };
  });
  return {
    ...wordsOf(event),
    startsAt: event.startsAt.toISOString(),
    endsAt: event.endsAt.toISOString(),
    timeZone: event.timeZone,
    state: saleState(event, types, isOpen),
    types,
    hasCodes: all.some(({ hasCodes }) => hasCodes),
    access: rows.some(({ visibility }) => visibility === "link") ? access! : "",
    holdSeconds: Math.round(holdLength(sumSeats(all), config.tickets.holdMs) / 1000),
    offerHours: config.tickets.offerHours,
    ticketKey: ticketKey(config.secretKey).publicKey,
  };
}

function sumSeats(rows: readonly (Pick<TicketTypeRow, "capacity" | "sold" | "held"> & { lapsed: number | null })[]) {
  const sum = { capacity: 0, sold: 0, held: 0 };
  for (const { capacity, sold, held, lapsed } of rows) {
    sum.capacity += capacity;
    sum.sold += sold;
    sum.held += held - (lapsed ?? 0);
  }
  return sum;
}

/** The event as buyers read it, its time and place in words. */
export function describeEvent(event: EventFacts) {
  return { ...wordsOf(event), isCalledOff: event.calledOffAt !== null };
}

const wordsOf = (event: EventFacts) => ({
  slug: event.slug,
  title: event.title,
  when: formatEventWhen(event),
  place: formatPlace(event),
});
