import { opensDocument } from "#shared/links/document-links.ts";
import { ticketPath } from "#shared/paths.ts";
import type { TicketReads } from "../reads.ts";
import { formatPriceFrom } from "../sale.ts";
import { type OrderServices, presentOrder } from "./present-order.ts";
import { findOffer, findTicketedEvent } from "./sale.ts";
import { findOrder } from "./store.ts";

export function ticketReads(services: OrderServices): TicketReads {
  const { database } = services;
  return {
    findTicketedEvent: (slug) => findTicketedEvent(services, slug),
    // Event pages are cached, so a booking must not depend on how many tickets are left.
    async findBooking(event) {
      const offer = event.isOver ? null : await findOffer(services, event);
      return offer && { href: ticketPath("ticketAbout", offer.slug), price: formatPriceFrom(offer.types) };
    },
    async findTicketOrder(id, key) {
      const isOpen = await opensDocument(services, { kind: "ticket_order", id }, key);
      return isOpen && (await findOrder(database, id)) !== undefined ? presentOrder(services, id, key) : null;
    },
  };
}
