import type { TicketReads } from "../reads.ts";
import { type OrderServices, opensOrder, presentOrder } from "./present-order.ts";
import { findOffer, findTicketedEvent } from "./sale.ts";
import { findOrder } from "./store.ts";

/** What pages read of tickets, from this database and by this clock. */
export function ticketReads(services: OrderServices): TicketReads {
  const { config, database } = services;
  return {
    findTicketedEvent: (slug) => findTicketedEvent(services, slug),
    findOffer: (event) => findOffer(services, event),
    async findTicketOrder(id, key) {
      const isThere = opensOrder(config.secretKey, id, key) && (await findOrder(database, id)) !== undefined;
      return isThere ? presentOrder(services, id) : null;
    },
  };
}
