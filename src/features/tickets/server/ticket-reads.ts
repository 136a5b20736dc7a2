import { opensDocument } from "#shared/links/document-links.ts";
import type { TicketReads } from "../reads.ts";
import { type OrderServices, presentOrder } from "./present-order.ts";
import { findOffer, findTicketedEvent } from "./sale.ts";
import { findOrder } from "./store.ts";

/** What pages read of tickets, from this database and by this clock. */
export function ticketReads(services: OrderServices): TicketReads {
  const { database } = services;
  return {
    findTicketedEvent: (slug) => findTicketedEvent(services, slug),
    findOffer: (event) => findOffer(services, event),
    async findTicketOrder(id, key) {
      const isOpen = await opensDocument(services, { kind: "ticket_order", id }, key);
      return isOpen && (await findOrder(database, id)) !== undefined ? presentOrder(services, id, key) : null;
    },
  };
}
