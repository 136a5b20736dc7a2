import { type RawBuilder, type Selectable, sql } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import { isRaised, raised } from "#shared/database/raised.ts";
import type { Tables } from "#shared/database/tables.ts";

export type TicketTypeRow = Selectable<Tables["ticket_types"]>;

/** Read for each order: a statement with `*` is never prepared. */
export const typeColumns = [
  "id",
  "event_id",
  "code",
  "title",
  "description",
  "position",
  "price_cents",
  "capacity",
  "sold",
  "held",
  "limit_per_order",
  "sales_from",
  "sales_until",
  "visibility",
  "access_key",
  "keeps_seats",
  "retired_at",
] as const satisfies readonly (keyof TicketTypeRow)[];

// SQL functions count the seats, because counting holds locks for which other buyers wait.

/** Locks the ticket types of an event, in the order of their ids, until the transaction ends. */
export async function lockSeats(transaction: Connection, eventId: number): Promise<void> {
  await sql`select lock_seats(${eventId})`.execute(transaction);
}

/** Frees the seats of holds whose time is up. Locks the event's seats for the rest of the transaction. */
export async function lapseHolds(transaction: Connection, eventId: number, now: Date): Promise<void> {
  await lockSeats(transaction, eventId);
  await sql`select lapse_holds(${eventId}, ${now})`.execute(transaction);
}

/** Gives back sold seats, one for each ticket. The caller has locked the seats. */
export async function freeSeats(
  transaction: Connection,
  { eventId, tickets, now }: { eventId: number; tickets: readonly { readonly type_id: number }[]; now: Date },
): Promise<void> {
  const sold = new Map<number, number>();
  for (const { type_id } of tickets) sold.set(type_id, (sold.get(type_id) ?? 0) - 1);
  const [typeIds, changes] = [[...sold.keys()], [...sold.values()]];
  await sql`
    select move_seats(${eventId}, ${typeIds}::bigint[], ${typeIds.map(() => 0)}::integer[], ${changes}::integer[], ${now})
  `.execute(transaction);
}

/** Seats left of each type, by its id; undefined for any other error. */
export function readUnavailable(error: unknown): ReadonlyMap<number, number> | undefined {
  if (!isRaised(error, raised.seatsUnavailable)) return undefined;
  const left: Record<string, number> = JSON.parse(error.detail!);
  return new Map(Object.entries(left).map(([typeId, seats]) => [Number(typeId), seats]));
}

type SeatSale = { readonly orderId: string; readonly attemptId: string; readonly now: Date };

/**
 * Sells an order the seats it held or, if its hold has lapsed, other seats, and marks it as paid by this payment.
 * `sold_out`: none were left. `called_off`: the event is. `closed`: another payment has already paid for or closed the
 * order.
 */
export async function sellSeats(
  transaction: Connection,
  { orderId, attemptId, now }: SeatSale,
): Promise<"paid" | "sold_out" | "called_off" | "closed"> {
  const { rows } = await sql<{ became: "paid" | "sold_out" | "called_off" | "closed" }>`
    select sell_seats(${orderId}, ${attemptId}, ${now}) as became`.execute(transaction);
  return rows[0]!.became;
}

/** An event's ticket types by id, with what is held and sold of each. */
export function readTypes(connection: Connection, eventId: number | RawBuilder<number>): Promise<TicketTypeRow[]> {
  return connection
    .selectFrom("ticket_types")
    .select(typeColumns)
    .where("event_id", "=", eventId)
    .orderBy("id")
    .execute();
}

/** Whether visitors may order this type; `access` is the key of the link that they followed. */
export const isOffered = (
  { visibility, retired_at, access_key }: Pick<TicketTypeRow, "visibility" | "retired_at" | "access_key">,
  access: string | undefined,
) => retired_at === null && (visibility === "public" || (visibility === "link" && access_key === access));

/** Seats that are neither sold nor held; never negative, even after the capacity was lowered. */
export const freeOf = ({ capacity, sold, held }: Pick<TicketTypeRow, "capacity" | "sold" | "held">) =>
  Math.max(0, capacity - sold - held);

/** Seats that anybody can still hold: none while those that are free are for the waiting list. */
export const leftOf = (type: Pick<TicketTypeRow, "capacity" | "sold" | "held" | "keeps_seats">) =>
  type.keeps_seats ? 0 : freeOf(type);

/** The ids of events with an order that is still `held` after its time. */
export async function listEventsWithLapsedHolds(connection: Connection, now: Date): Promise<number[]> {
  const rows = await connection
    .selectFrom("ticket_orders")
    .select("event_id")
    .distinct()
    .where("state", "=", sql.lit("held"))
    .where("hold_until", "<=", now)
    .execute();
  return rows.map(({ event_id }) => event_id);
}
