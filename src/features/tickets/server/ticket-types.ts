import { type Insertable, sql } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import type { Tables } from "#shared/database/tables.ts";
import { plural } from "#shared/language.ts";
import { lapseHolds, type TicketTypeRow } from "./seats.ts";

/** All ticket types of an event, in their order, and whether an order has ever had one. */
export async function listAllTypes(
  connection: Connection,
  eventId: number,
): Promise<(TicketTypeRow & { readonly wasOrdered: boolean })[]> {
  return connection
    .selectFrom("ticket_types")
    .selectAll()
    .select(sql<boolean>`exists (select from ticket_order_lines where type_id = ticket_types.id)`.as("wasOrdered"))
    .where("event_id", "=", eventId)
    .orderBy(sql`retired_at is not null`)
    .orderBy("position")
    .orderBy("id")
    .execute();
}

/** Locks the types of an event after freeing expired holds, and finds one of them. */
export async function lockType(
  transaction: Connection,
  eventId: number,
  typeId: number,
  now: Date,
): Promise<TicketTypeRow | undefined> {
  await lapseHolds(transaction, eventId, now);
  return transaction
    .selectFrom("ticket_types")
    .selectAll()
    .where("event_id", "=", eventId)
    .where("id", "=", typeId)
    .executeTakeFirst();
}

/** Why a type cannot have so few seats; null if it can. The type is locked. */
export function findCapacityFault({ sold, held }: Pick<TicketTypeRow, "sold" | "held">, capacity: number) {
  if (capacity >= sold + held) return null;
  const figures = plural(held, {
    one: `${sold} are sold and 1 is held`,
    other: held === 0 ? `${sold} are sold` : `${sold} are sold and ${held} are held`,
  });
  return `Enter ${sold + held} or more: ${figures}.`;
}

type NewType = Omit<Insertable<Tables["ticket_types"]>, "code">;

/** Adds a type; its code, which addresses have, is made from the title. */
export async function insertType(transaction: Connection, type: NewType): Promise<number> {
  const made = codeOf(type.title);
  await sql`select lock_seats(${type.event_id})`.execute(transaction);
  const taken = await transaction
    .selectFrom("ticket_types")
    .select("code")
    .where("event_id", "=", type.event_id)
    .execute();
  const codes = new Set(taken.map(({ code }) => code));
  let code = made;
  for (let count = 2; codes.has(code); count += 1) code = `${made}-${count}`;
  const { id } = await transaction
    .insertInto("ticket_types")
    .values({ ...type, code })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

function codeOf(title: string): string {
  const words = title
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .match(/[a-z0-9]+/g);
  return words?.join("-").slice(0, 40).replace(/-$/, "") || "ticket";
}
