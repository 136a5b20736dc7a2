import type { EventDetails, EventReads } from "#shared/events/event.ts";
import type { TicketEvent, TicketOrder } from "./contract.ts";

export type TicketedEvent = { readonly event: EventDetails; readonly offer: TicketEvent };

export type TicketReads = Pick<EventReads, "findBooking"> & {
  /** By slug; without one, the next event that sells tickets. Null if there is no such event, or it has no tickets. */
  findTicketedEvent(slug: string | undefined, access?: string): Promise<TicketedEvent | null>;
  /** Null without the right key. */
  findTicketOrder(id: string, key: string): Promise<TicketOrder | null>;
};
