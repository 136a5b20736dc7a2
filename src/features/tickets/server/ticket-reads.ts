import { z } from "zod";
import { isSigned } from "#shared/http/signed-link.ts";
import { ticketOrderPath } from "#shared/paths.ts";
import type { TicketReads } from "../reads.ts";
import { type OrderServices, presentOrder } from "./present-order.ts";
import { findOffer, findTicketedEvent } from "./sale.ts";
import { findOrder } from "./store.ts";

/** What pages read of tickets, from this database and by this clock. */
export function ticketReads(services: OrderServices): TicketReads {
  const { config, database } = services;
  return {
    findTicketedEvent: (slug) => findTicketedEvent(services, slug),
    findOffer: (event) => findOffer(services, event),
    async findTicketOrder(id, key) {
      const isOpen = z.uuid().safeParse(id).success && isSigned(config.secretKey, ticketOrderPath(id), key);
      const isThere = isOpen && (await findOrder(database, id)) !== undefined;
      return isThere ? presentOrder(services, id) : null;
    },
  };
}
