import { z } from "zod";
import { Refusal } from "#admin/actions.ts";
import type { AdminPart } from "#admin/feature.ts";
import type { EventOfScreen } from "#shared/events/event.ts";
import { findEventOfScreen } from "#shared/events/find-event.ts";
import { freeOf, readTypes } from "../../server/seats.ts";
import { type EntryRow, listEntries } from "../../server/waiting/find-entries.ts";
import { takeOffList } from "../../server/waiting/join-list.ts";
import type { OfferServices } from "../../server/waiting/offer-seats.ts";
import { eventAction, type TicketAdminServices } from "../ticket-services.ts";

export type WaitingOfEvent = {
  readonly event: EventOfScreen;
  readonly entries: readonly (EntryRow & {
    /** Seats of their type that are neither sold nor held. */
    readonly free: number;
    /** All seats of their type. */
    readonly capacity: number;
    readonly isOnSale: boolean;
    /** Whether free seats are kept until there are enough for them. */
    readonly isKept: boolean;
  })[];
};

declare module "#admin/screen.ts" {
  interface AdminReads {
    /** The waiting lists of an event; null if there is no such event. */
    readonly findWaitingOfEvent: (screenId: string) => Promise<WaitingOfEvent | null>;
  }
}

export type WaitingAdminServices = TicketAdminServices & OfferServices;

/** Who waits for seats of an event, and taking somebody off the list. */
export function waitingPart(services: WaitingAdminServices): AdminPart {
  const { database, now } = services;
  return {
    reads: {
      findWaitingOfEvent: async (screenId: string): Promise<WaitingOfEvent | null> => {
        const event = await findEventOfScreen(database, screenId);
        if (event === null) return null;
        const at = now();
        const [rows, types] = await Promise.all([listEntries(database, event.id, at), readTypes(database, event.id)]);
        const entries = rows.map((row) => {
          const type = types.find(({ id }) => id === row.typeId)!;
          const isOnSale = event.endsAt > at && row.isOnSale;
          const isKept = row.gathersUntil !== null && row.gathersUntil > at;
          return { ...row, isOnSale, free: freeOf(type), capacity: type.capacity, isKept };
        });
        return { event, entries };
      },
    },
    actions: [
      eventAction(services, {
        path: "/waiting/:entry/remove",
        screen: "/waiting",
        fields: z.object({}),
        async run({ transaction, event, params, actor, record }) {
          const id = z.uuid().safeParse(params.entry).data ?? NO_ENTRY;
          const wasOn = await takeOffList(transaction, services, { id, staffId: actor.staff!.id, eventId: event.id });
          if (!wasOn) throw new Refusal("They had left the list already.");
          await record({ verb: "events.remove_waiting", after: { entry: id } });
          return { to: "/waiting", toast: "They are off the list. Seats that were offered to them go to the next." };
        },
      }),
    ],
  };
}

/** The id of no entry. */
const NO_ENTRY = "00000000-0000-0000-0000-000000000000";
