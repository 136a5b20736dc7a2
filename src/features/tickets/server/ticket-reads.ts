import { together } from "#shared/database/transact.ts";
import { opensDocument, readDocumentKey } from "#shared/links/document-links.ts";
import { ticketPath } from "#shared/paths.ts";
import type { TicketReads } from "../reads.ts";
import { formatPriceFrom } from "../sale.ts";
import { findOrderState } from "./present-order.ts";
import { findOffer, findTicketedEvent } from "./sale.ts";
import { findWaitingEntry } from "./waiting/find-entries.ts";

type ReadServices = Parameters<typeof findWaitingEntry>[0];

export function ticketReads(services: ReadServices): TicketReads {
  const { config } = services;
  return {
    findTicketedEvent: (slug, access) => findTicketedEvent(services, slug, access),
    // Event pages are cached, so a booking must not depend on how many tickets are left.
    async findBooking(event) {
      const offer = event.isOver || event.calledOffAt !== null ? null : await findOffer(services, event);
      if (offer === null) return null;
      const { slug, types, state } = offer;
      return { href: ticketPath("ticketAbout", slug), price: formatPriceFrom(types), isStopped: state === "stopped" };
    },
    findWaitingEntry: (id, key) => findWaitingEntry(services, id, key),
    async findTicketOrder(id, key) {
      const document = { kind: "ticket_order", id } as const;
      // A stranger's key reads nothing. The order, and whether this key was revoked, are read at the same time.
      if (readDocumentKey(config.secretKey, document, key) === null) return null;
      const [, order] = await together(opensDocument(services, document, key), findOrderState(services, id, key));
      return order;
    },
  };
}
