import type { EventDetails } from "#shared/events/event.ts";
import type { TicketEvent, TicketOrder } from "./contract.ts";

/** An event with what is on sale for it, as it stands at this moment. */
export type TicketedEvent = { readonly event: EventDetails; readonly offer: TicketEvent };

/** Everything that pages read of tickets. */
export type TicketReads = {
  /** By the event's name, or the next one that sells tickets; null when there is none, or it has no tickets. */
  findTicketedEvent(slug: string | undefined): Promise<TicketedEvent | null>;
  /** What the event's own page may offer; null for an event without tickets. */
  findOffer(event: EventDetails): Promise<TicketEvent | null>;
  /** Null without the right key. */
  findTicketOrder(id: string, key: string): Promise<TicketOrder | null>;
};
