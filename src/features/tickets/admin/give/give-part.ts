import { randomUUID } from "node:crypto";
import { z } from "zod";
import { type Action, Refusal } from "#admin/actions.ts";
import type { AdminPart } from "#admin/feature.ts";
import { Email, FirstName, LastName } from "#shared/contract/payer.ts";
import type { Connection } from "#shared/database/connect.ts";
import type { EventOfScreen } from "#shared/events/event.ts";
import { findEventOfScreen } from "#shared/events/find-event.ts";
import { formatDollars } from "#shared/language.ts";
import { formatTicketCount, ticketCount } from "../../order.ts";
import { describeSeatsLeft } from "../../server/hold/describe-seats.ts";
import type { TicketTypeRow } from "../../server/seats.ts";
import { listStaffOrders, type StaffOrder, sellByStaff } from "../../server/staff/sell-by-staff.ts";
import { listAllTypes } from "../../server/ticket-types.ts";
import { type Changing, eventAction, invalid, readCount, type TicketAdminServices } from "../ticket-services.ts";

export type StaffOrdersOfEvent = {
  readonly event: EventOfScreen;
  readonly types: readonly TicketTypeRow[];
  readonly orders: readonly StaffOrder[];
  /** Of a new form. */
  readonly formId: string;
};

declare module "#admin/screen.ts" {
  interface AdminReads {
    /** What staff can give or sell of an event, and what they did; null if there is no such event. */
    readonly findStaffOrdersOfEvent: (screenId: string) => Promise<StaffOrdersOfEvent | null>;
  }
}

const MAX_TICKETS = 200;

/** The field with how many tickets of a type. */
export const quantityField = (typeId: number) => `type-${typeId}`;

const Fields = z
  .object({
    form: z.uuid(),
    kind: z.enum(["given", "door"], "Choose one."),
    first_name: FirstName,
    last_name: LastName,
    email: z.union([z.literal(""), Email]),
  })
  .catchall(z.string());

/** Complimentary tickets, and tickets that are paid at the door. */
export function givePart(services: TicketAdminServices): AdminPart {
  const { database } = services;
  return {
    reads: {
      findStaffOrdersOfEvent: async (screenId: string): Promise<StaffOrdersOfEvent | null> => {
        const event = await findEventOfScreen(database, screenId);
        if (event === null) return null;
        const [types, orders] = await Promise.all([
          listTypesOnSale(database, event.id),
          listStaffOrders(database, event.id),
        ]);
        return { event, orders, types, formId: randomUUID() };
      },
    },
    actions: [giveAction(services)],
  };
}

const listTypesOnSale = async (connection: Connection, eventId: number) =>
  (await listAllTypes(connection, eventId)).filter(({ retired_at }) => retired_at === null);

const giveAction = (services: TicketAdminServices): Action =>
  eventAction(services, {
    path: "/give",
    screen: "/give",
    fields: Fields,
    async run(changing) {
      const { transaction, event, fields, actor, at, record } = changing;
      if (event.endsAt <= at) throw new Refusal("This event is over, so nothing was booked.");
      if (fields.kind === "given" && fields.email === "") {
        throw invalid({ email: ["Enter their email address: the tickets go there."] });
      }
      const wanted = await readWanted(changing);
      const sold = await sellByStaff(transaction, {
        eventId: event.id,
        key: fields.form,
        wanted,
        isPaidAtDoor: fields.kind === "door",
        buyer: { firstName: fields.first_name, lastName: fields.last_name, email: fields.email },
        staffId: actor.staff!.id,
        at,
      });
      if (sold.kind === "again") throw new Refusal("This form was sent before: its tickets are in the list below.");
      if (sold.kind === "stopped") throw new Refusal("The sales of this event are stopped, so nothing was booked.");
      if (sold.kind === "unavailable") throw invalid(describeLeft(wanted, sold.left));
      const tickets = ticketCount(wanted);
      const { reference, takenCents } = sold;
      await record({ verb: "events.give_tickets", after: { order: reference, tickets, takenCents } });
      const count = formatTicketCount(tickets);
      const where = fields.email === "" ? "" : ` and sent to ${fields.email}`;
      const taken = takenCents === 0 ? "" : ` ${formatDollars(takenCents)} to take.`;
      return { to: "/give", toast: `${count} booked${where}: ${reference}.${taken}` };
    },
  });

type Wanted = { readonly type: TicketTypeRow; readonly quantity: number };

/** How many of each type. @throws Refusal for a type that is off sale by now; AppError `invalid_input` */
async function readWanted({ transaction, event, fields }: Changing<z.output<typeof Fields>>): Promise<Wanted[]> {
  const types = await listTypesOnSale(transaction, event.id);
  const shown = new Set(types.map(({ id }) => quantityField(id)));
  const isGone = ([name, typed]: [string, string]) =>
    name.startsWith("type-") && !shown.has(name) && !["", "0"].includes(typed.trim());
  if (Object.entries(fields).some(isGone))
    throw new Refusal("A ticket type was taken off sale in the meantime, so nothing was booked.");
  const wanted = types.flatMap((type) => {
    const field = quantityField(type.id);
    const typed = fields[field]?.trim() ?? "";
    return typed === "" || typed === "0"
      ? []
      : [{ type, quantity: readCount(typed, field, { min: 0, max: MAX_TICKETS }) }];
  });
  if (wanted.length === 0) throw invalid({ [quantityField(types[0]?.id ?? 0)]: ["Enter how many tickets."] });
  return wanted;
}

function describeLeft(wanted: readonly Wanted[], left: ReadonlyMap<number, number>): Record<string, string[]> {
  const short = wanted.filter(({ type, quantity }) => quantity > (left.get(type.id) ?? 0));
  return Object.fromEntries(
    short.map(({ type }) => [quantityField(type.id), [describeSeatsLeft(type.title, left.get(type.id) ?? 0)]]),
  );
}
