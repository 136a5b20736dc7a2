import type { DashboardPart } from "#admin/dashboard.ts";
import type { AdminPart } from "#admin/feature.ts";
import type { EventOfScreen } from "#shared/events/event.ts";
import { findEventOfScreen } from "#shared/events/find-event.ts";
import { formatNumber, plural } from "#shared/language.ts";
import { ticketPath } from "#shared/paths.ts";
import { type OrderMoney, sumMoney } from "../../server/order-money.ts";
import { listLowEvents } from "../../server/staff/low-seats.ts";
import { listAllTypes } from "../../server/ticket-types.ts";
import type { TicketAdminServices } from "../ticket-services.ts";
import { typeActions } from "./type-actions.ts";

export type TypesOfEvent = {
  readonly event: EventOfScreen;
  readonly types: Awaited<ReturnType<typeof listAllTypes>>;
  readonly money: OrderMoney;
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
        const [types, money] = await Promise.all([listAllTypes(database, event.id), sumMoney(database, event.id)]);
        return { event, types, money, publicUrl: config.publicUrl };
      },
    },
    actions: typeActions(services),
    dashboard: [eventsSellingOut(services)],
  };
}

const eventsSellingOut = ({ database, now }: Pick<TicketAdminServices, "database" | "now">): DashboardPart => ({
  right: "events.change",
  listWaiting: async () =>
    (await listLowEvents(database, now())).map(({ title, screenId, left, seats }) => {
      const text = plural(left, {
        one: `1 of ${formatNumber(seats)} seats is left at ${title}`,
        other: `${formatNumber(left)} of ${formatNumber(seats)} seats are left at ${title}`,
      });
      return { text, linkText: "See its tickets", path: `/admin/events/${screenId}/tickets`, look: "warn" };
    }),
});
