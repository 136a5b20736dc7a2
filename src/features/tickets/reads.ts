import type { EventDetails, EventReads } from "#shared/events/event.ts";
import type { TicketEvent, TicketOrder } from "./contract.ts";

export type TicketedEvent = { readonly event: EventDetails; readonly offer: TicketEvent };

/**
 * `waiting`: `place` is its place in the line; nothing is offered unless `isOnSale`. `offered`: `until` is when its
 * seats go to the next, `orderUrl` where they are paid for. `over`: the event has ended or been called off.
 */
export type WaitingEntry = {
  readonly id: string;
  readonly key: string;
  readonly event: { readonly slug: string; readonly title: string; readonly when: string; readonly place: string };
  readonly ticket: string;
  /** The key of the link that shows the ticket; left out if everybody sees it. */
  readonly access?: string;
  readonly quantity: number;
  readonly email: string;
  readonly offerHours: number;
} & (
  | { readonly state: "waiting"; readonly isOnSale: boolean; readonly place: number }
  | { readonly state: "offered"; readonly until: string; readonly orderUrl: string }
  | { readonly state: "bought" | "ended" | "left" | "over" }
);

export type TicketReads = Pick<EventReads, "findBooking"> & {
  /** By slug; without one, the next event that sells tickets. Null if there is no such event, or it has no tickets. */
  findTicketedEvent(slug: string | undefined, access?: string): Promise<TicketedEvent | null>;
  /** Null without the right key. */
  findTicketOrder(id: string, key: string): Promise<TicketOrder | null>;
  /** Null without the right key. */
  findWaitingEntry(id: string, key: string): Promise<WaitingEntry | null>;
};
