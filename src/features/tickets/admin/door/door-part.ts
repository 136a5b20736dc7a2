import { z } from "zod";
import { type Action, action, Refusal } from "#admin/actions.ts";
import type { AdminPart } from "#admin/feature.ts";
import { typedText } from "#admin/typed-text.ts";
import { AppError } from "#shared/errors.ts";
import type { EventOfScreen } from "#shared/events/event.ts";
import { findEventOfScreen } from "#shared/events/find-event.ts";
import type { QrPath } from "#shared/images/qr-code.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import {
  type CameByType,
  countCame,
  type DoorEvent,
  type DoorFault,
  type ListedPhone,
  listDoorEvents,
  listDoorFaults,
  listPhones,
} from "../../server/door/door-figures.ts";
import { addPhone, CODE_MS, endPhone, isDoorClosed, pairingCode, pairPhone } from "../../server/door/door-phones.ts";
import { eventAction, requireEvent, type TicketAdminServices } from "../ticket-services.ts";
import { passCookie, phonePath, phoneRoutes } from "./phone-routes.ts";

export type DoorAdminServices = TicketAdminServices & CoreServices<"organisation", "secretKey">;

/** A phone of the list; with its code and the address that pairs it, while the code works. */
export type ShownPhone = ListedPhone & { readonly pairing: Pairing | null };
type Pairing = {
  readonly code: string;
  readonly until: Date;
  readonly qrCode: QrPath;
};

export type DoorOfEvent = {
  readonly event: EventOfScreen;
  readonly types: readonly CameByType[];
  readonly phones: readonly ShownPhone[];
  readonly faults: readonly DoorFault[];
  readonly now: Date;
  /** The address to open on a phone. */
  readonly address: string;
};

declare module "#admin/screen.ts" {
  interface AdminReads {
    /** Null if there is no such event. */
    readonly findDoor: (screenId: string) => Promise<DoorOfEvent | null>;
    readonly listDoorEvents: () => Promise<DoorEvent[]>;
    readonly readOrganisationName: () => string;
  }
}

const PhoneName = typedText("Enter where it stands, such as Main entrance.", 60);

/** The door of an event: its phones, who came, and what the phones call. */
export function doorPart(services: DoorAdminServices): AdminPart {
  const { database, now, config, organisation } = services;
  return {
    reads: {
      findDoor: async (screenId: string): Promise<DoorOfEvent | null> => {
        const event = await findEventOfScreen(database, screenId);
        if (event === null) return null;
        const [types, phones, faults] = await Promise.all([
          countCame(database, event.id),
          listPhones(database, event.id),
          listDoorFaults(database, event.id),
        ]);
        const address = `${config.publicUrl}${phonePath(event.screenId)}`;
        const at = now();
        const shown = { address, secretKey: config.secretKey, at };
        return {
          event,
          types,
          phones: await Promise.all(phones.map((phone) => showPhone(phone, shown))),
          faults,
          now: at,
          address,
        };
      },
      listDoorEvents: () => listDoorEvents(database, now()),
      readOrganisationName: () => organisation.current().name,
    },
    actions: [addAction(services), endAction(services), ownPhoneAction(services)],
    routes: phoneRoutes(services),
  };
}

async function showPhone(
  phone: ListedPhone,
  { address, secretKey, at }: { readonly address: string; readonly secretKey: string; readonly at: Date },
): Promise<ShownPhone> {
  const until = new Date(phone.addedAt.getTime() + CODE_MS);
  if (phone.pairedAt !== null || phone.endedAt !== null || until <= at) return { ...phone, pairing: null };
  const code = pairingCode(secretKey, phone.id);
  // What comes after the # is sent to no server and kept in no log.
  const { drawQrPath } = await import("#shared/images/qr-code.ts");
  return { ...phone, pairing: { code, until, qrCode: drawQrPath(`${address}#${code}`) } };
}

const addAction = (services: DoorAdminServices): Action =>
  eventAction(services, {
    path: "/door",
    screen: "/door",
    fields: z.object({ name: PhoneName }),
    run: async ({ transaction, event, fields: { name }, actor, at }) => {
      if (isDoorClosed(event, at)) throw new Refusal("The door of this event is closed.");
      await addPhone(transaction, { event, name }, actor, at);
      return { to: "/door", toast: "The phone is added. Its code works for 15 minutes." };
    },
  });

const endAction = (services: DoorAdminServices): Action =>
  eventAction(services, {
    path: "/door/:phone/end",
    screen: "/door",
    fields: z.object({}),
    run: async ({ transaction, event, params, actor, at }) => {
      const id = z.uuid().safeParse(params.phone);
      if (!id.success) throw new AppError("not_found");
      const isEnded = await endPhone(transaction, { event, id: id.data }, actor, at);
      if (!isEnded) throw new Refusal("This phone had been ended already.");
      return { to: "/door", toast: "The phone is ended. It can check nobody in any more." };
    },
  });

/** Makes the phone on which this is pressed one of the door. */
const ownPhoneAction = ({ database, now, config }: DoorAdminServices): Action =>
  action({
    path: "/admin/door",
    screen: "/admin/door",
    right: "door.open",
    fields: z.object({ event: z.string(), name: PhoneName }),
    run: async ({ fields: { event: screenId, name }, actor, reply }) => {
      const pass = await database.transaction().execute(async (transaction) => {
        const event = await requireEvent(transaction, screenId);
        const open = await listDoorEvents(transaction, now());
        if (!open.some((one) => one.screenId === event.screenId))
          throw new Refusal("The door of this event is closed.");
        const id = await addPhone(transaction, { event, name }, actor, now());
        return pairPhone(transaction, id, now());
      });
      const path = phonePath(screenId);
      reply.setCookie(...passCookie(path, pass, config));
      return { to: path };
    },
  });
