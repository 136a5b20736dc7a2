import { sql } from "kysely";
import { z } from "zod";
import { type Action, Refusal } from "#admin/actions.ts";
import { plainText } from "#shared/contract/plain-line.ts";
import type { Connection } from "#shared/database/connect.ts";
import { AppError } from "#shared/errors.ts";
import type { EventOfScreen } from "#shared/events/event.ts";
import { plainDollars } from "#shared/money.ts";
import { MIN_PAYABLE_CENTS } from "../../discounts.ts";
import type { TicketTypeRow } from "../../server/seats.ts";
import { findCapacityFault, insertType, lockType } from "../../server/ticket-types.ts";
import {
  type Changing,
  eventAction,
  invalid,
  readCents,
  readCount,
  readId,
  readTimes,
  requireUnchanged,
  type SavedWords,
  type TicketAdminServices,
  writeClock,
} from "../ticket-services.ts";

const text = (max: number) =>
  z
    .string()
    .transform((typed) => plainText(typed).replace(/\s+/g, " "))
    .pipe(z.string().max(max, `Shorten this to at most ${max} characters.`));

const Fields = z.object({
  title: text(80).pipe(z.string().min(1, "Enter a title.")),
  description: text(300),
  price: z.string(),
  capacity: z.string(),
  limit: z.string(),
  from: z.string(),
  until: z.string(),
  visibility: z.enum(["public", "link"], "Choose who can order it."),
  position: z.string(),
  was: z.string().optional(),
});

const MAX_SEATS = 1_000_000;

/** The columns of a type from the form. @throws AppError `invalid_input` */
function readType(fields: z.output<typeof Fields>, { timeZone }: EventOfScreen) {
  const price_cents = readCents(fields.price, "price");
  if (price_cents > 0 && price_cents < MIN_PAYABLE_CENTS) {
    throw invalid({ price: ["The payment providers take $1.00 or more. Enter 0 for free."] });
  }
  const [sales_from, sales_until] = readTimes(fields, timeZone, "Choose an end of sales after their start.");
  return {
    title: fields.title,
    description: fields.description,
    price_cents,
    sales_from,
    sales_until,
    capacity: readCount(fields.capacity, "capacity", { min: 0, max: MAX_SEATS }),
    limit_per_order: readCount(fields.limit, "limit", { min: 1, max: 9999 }),
    visibility: fields.visibility,
    position: readCount(fields.position, "position", { min: 0, max: 9999 }),
  };
}

type TypeColumns = ReturnType<typeof readType>;

export const visibilities = {
  public: "Everybody",
  link: "Whoever has its link",
} as const;

/** What is saved of a type, as its form shows it. */
export const savedType = (type: TypeColumns | TicketTypeRow, { timeZone }: EventOfScreen): SavedWords => ({
  Title: type.title,
  Description: type.description,
  "Price of one": plainDollars(type.price_cents),
  Seats: String(type.capacity),
  "Most in one order": String(type.limit_per_order),
  "Sales begin": writeClock(type.sales_from, timeZone),
  "Sales end": writeClock(type.sales_until, timeZone),
  "Who can order it": visibilities[type.visibility],
  "Place in the list": String(type.position),
});

/** What the audit trail keeps of a type. */
const seenType = (type: TypeColumns | TicketTypeRow) => ({
  title: type.title,
  description: type.description,
  priceCents: type.price_cents,
  seats: type.capacity,
  perOrder: type.limit_per_order,
  salesFrom: type.sales_from,
  salesUntil: type.sales_until,
  visibility: type.visibility,
  position: type.position,
});

/** The forms of ticket types. */
export function typeActions(services: TicketAdminServices): readonly Action[] {
  return [
    eventAction(services, {
      path: "/tickets/new",
      screen: "/tickets/new",
      fields: Fields,
      async run({ transaction, event, fields, record }) {
        const type = readType(fields, event);
        await insertType(transaction, { ...type, event_id: event.id });
        await record({ verb: "events.add_type", after: seenType(type) });
        return { to: "/tickets", toast: `Added ${type.title}.` };
      },
    }),
    eventAction(services, {
      path: "/tickets/:type",
      screen: "/tickets/:type",
      fields: Fields,
      async run(changing) {
        const { transaction, event, fields, record } = changing;
        const type = await requireType(changing);
        const typed = readType(fields, event);
        requireUnchanged(fields.was, savedType(type, event), savedType(typed, event));
        const fault = findCapacityFault(type, typed.capacity);
        if (fault !== null) throw invalid({ capacity: [fault] });
        await transaction.updateTable("ticket_types").set(typed).where("id", "=", type.id).execute();
        await record({ verb: "events.change_type", before: seenType(type), after: seenType(typed) });
        return { to: "/tickets", toast: `Saved ${typed.title}.` };
      },
    }),
    retireAction(services, "retire"),
    retireAction(services, "bring-back"),
    eventAction(services, {
      path: "/tickets/:type/delete",
      screen: "/tickets/:type",
      fields: z.object({}),
      async run(changing) {
        const { transaction, record } = changing;
        const type = await requireType(changing);
        const ordered = await transaction
          .selectFrom("ticket_order_lines")
          .select("order_id")
          .where("type_id", "=", type.id)
          .limit(1)
          .executeTakeFirst();
        if (ordered !== undefined) {
          throw new Refusal(`${type.title} has been ordered, so it cannot be deleted. Take it off sale instead.`);
        }
        await requireNoneWaited(transaction, type);
        await leaveOutOfCodes(transaction, type);
        await transaction.deleteFrom("ticket_types").where("id", "=", type.id).execute();
        await record({ verb: "events.delete_type", before: seenType(type) });
        return { to: "/tickets", toast: `Deleted ${type.title}. Nobody had ordered it.` };
      },
    }),
  ];
}

function retireAction(services: TicketAdminServices, path: "retire" | "bring-back"): Action {
  const isRetiring = path === "retire";
  return eventAction(services, {
    path: `/tickets/:type/${path}`,
    screen: "/tickets/:type",
    fields: z.object({}),
    async run(changing) {
      const { transaction, at, record } = changing;
      const type = await requireType(changing);
      const retired_at = isRetiring ? (type.retired_at ?? at) : null;
      await transaction.updateTable("ticket_types").set({ retired_at }).where("id", "=", type.id).execute();
      const verb = isRetiring ? "events.retire_type" : "events.bring_back_type";
      await record({ verb, after: { title: type.title } });
      const toast = isRetiring
        ? `${type.title} is off sale. Its tickets stay valid, and seats that are held can still be paid for.`
        : `${type.title} is on sale again.`;
      return { to: "/tickets", toast };
    },
  });
}

/** Nobody joins the list in the meantime, because the type is locked. @throws Refusal */
async function requireNoneWaited(transaction: Connection, { id, title }: TicketTypeRow): Promise<void> {
  const entry = await transaction
    .selectFrom("waiting_entries")
    .select("id")
    .where("type_id", "=", id)
    .limit(1)
    .executeTakeFirst();
  if (entry !== undefined) {
    throw new Refusal(`${title} has or had a waiting list, so it cannot be deleted. Take it off sale instead.`);
  }
}

/** A code of some types goes on for the others. @throws Refusal if there are none: without a type, it is for all */
async function leaveOutOfCodes(transaction: Connection, { id, event_id, title }: TicketTypeRow): Promise<void> {
  const { rows: alone } = await sql<{ code: string }>`
    select code from discount_codes
     where event_id = ${event_id} and ended_at is null and type_ids = array[${id}::integer]`.execute(transaction);
  if (alone[0] !== undefined) {
    const { code } = alone[0];
    throw new Refusal(`The discount code ${code} is for ${title} alone. End it, or choose other types for it, first.`);
  }
  await sql`update discount_codes set type_ids = array_remove(type_ids, ${id}::integer)
             where event_id = ${event_id} and ${id}::integer = any(type_ids)`.execute(transaction);
}

/** The type of the address, locked. @throws AppError `not_found` */
async function requireType({ transaction, event, params, at }: Changing<unknown>): Promise<TicketTypeRow> {
  const type = await lockType(transaction, event.id, readId(params.type), at);
  if (type === undefined) throw new AppError("not_found");
  return type;
}
