import type { AdminPart } from "#admin/feature.ts";
import type { EventOfScreen } from "#shared/events/event.ts";
import { findEventOfScreen } from "#shared/events/find-event.ts";
import { ticketPath } from "#shared/paths.ts";
import { listAllTypes, sumOrders } from "../../server/ticket-types.ts";
import type { TicketAdminServices } from "../ticket-services.ts";
import { typeActions } from "./type-acts.ts";

export type TypesOfEvent = {
  readonly event: EventOfScreen;
  readonly types: Awaited<ReturnType<typeof listAllTypes>>;
  readonly takenCents: number;
  readonly refundedCents: number;
  /** The site's address, without a slash at the end. */
  readonly publicUrl: string;
};

declare module "#admin/screen.ts" {
  interface AdminReads {
    /** Null if there is no such event. */
    readonly findTypesOfEvent: (screenId: string) => Promise<TypesOfEvent | null>;
  }
}

/** The address that shows a type which others do not see. */
export const typeLink = ({ event, publicUrl }: Pick<TypesOfEvent, "event" | "publicUrl">, key: string) =>
  `${publicUrl}${ticketPath("selectTickets", event.slug)}&key=${key}`;

/** The ticket types of an event. */
export function typesPart(services: TicketAdminServices): AdminPart {
  const { database, config } = services;
  return {
    reads: {
      findTypesOfEvent: async (screenId: string): Promise<TypesOfEvent | null> => {
        const event = await findEventOfScreen(database, screenId);
        if (event === null) return null;
        const [types, sums] = await Promise.all([listAllTypes(database, event.id), sumOrders(database, event.id)]);
        return { event, types, ...sums, publicUrl: config.publicUrl };
      },
    },
    actions: typeActions(services),
  };
}
