import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { bytea } from "#payments/attempts.ts";
import { newReference } from "#payments/reference.ts";
import type { Connection } from "#shared/database/connect.ts";
import { isRaised, raised } from "#shared/database/raised.ts";
import { readUnavailable, type TicketTypeRow } from "../seats.ts";

type StaffSale = {
  readonly eventId: number;
  /** Made with the form, so that a form that is sent twice makes one order. */
  readonly key: string;
  readonly wanted: readonly { readonly type: TicketTypeRow; readonly quantity: number }[];
  readonly buyer: { readonly firstName: string; readonly lastName: string; readonly email: string };
  /** Whether staff take the price themselves; otherwise the tickets are complimentary. */
  readonly isPaidAtDoor: boolean;
  readonly staffId: number;
  readonly at: Date;
};

/** `left` has how many seats of each type there are. `again`: the form was sent before. */
type SoldByStaff =
  | { readonly kind: "sold"; readonly orderId: string; readonly reference: string; readonly takenCents: number }
  | { readonly kind: "again" }
  | { readonly kind: "stopped" }
  | { readonly kind: "unavailable"; readonly left: ReadonlyMap<number, number> };

/**
 * Gives tickets, or sells them for money that staff take themselves: the order, its tickets, its seats and its email in
 * one statement. After a refusal the transaction is over.
 */
export async function sellByStaff(transaction: Connection, sale: StaffSale): Promise<SoldByStaff> {
  const { eventId, key, wanted, buyer, isPaidAtDoor, staffId, at } = sale;
  const [orderId, reference] = [randomUUID(), newReference("T")];
  const priceCents = wanted.reduce((sum, { type, quantity }) => sum + type.price_cents * quantity, 0);
  const takenCents = isPaidAtDoor ? priceCents : 0;
  const sold = {
    id: orderId,
    reference,
    event_id: eventId,
    client_key: `staff:${key}`,
    request_hash: bytea(Buffer.alloc(0)),
    email: buyer.email,
    first_name: buyer.firstName,
    last_name: buyer.lastName,
    country: "",
    created_at: at,
    sold_by: staffId,
    taken_cents: takenCents,
  };
  const lines = wanted.map(({ type, quantity }) => ({
    type_id: type.id,
    quantity,
    title: type.title,
    taken_cents: isPaidAtDoor ? type.price_cents : 0,
  }));
  const emails = buyer.email === "" ? [] : [{ template: "tickets", orderId }];
  try {
    await sql`select sell_by_staff(${JSON.stringify(sold)}, ${JSON.stringify(lines)}, ${JSON.stringify(emails)})`.execute(
      transaction,
    );
  } catch (error) {
    const left = readUnavailable(error);
    if (left !== undefined) return { kind: "unavailable", left };
    if (isRaised(error, raised.keyUsed)) return { kind: "again" };
    if (isRaised(error, raised.salesStopped)) return { kind: "stopped" };
    throw error;
  }
  return { kind: "sold", orderId, reference, takenCents };
}

export type StaffOrder = {
  readonly id: string;
  readonly reference: string;
  readonly buyer: string;
  readonly tickets: number;
  readonly cancelled: number;
  readonly takenCents: number;
  readonly soldBy: string;
  readonly at: Date;
};

const MAX_LISTED = 100;

/** What staff gave and sold of an event, latest first. */
export async function listStaffOrders(connection: Connection, eventId: number): Promise<StaffOrder[]> {
  const { rows } = await sql<StaffOrder>`
    select orders.id, orders.reference, trim(orders.first_name || ' ' || orders.last_name) as buyer,
           (select count(*)::integer from tickets where order_id = orders.id) as tickets,
           (select count(*)::integer from tickets where order_id = orders.id and cancelled_at is not null) as cancelled,
           orders.taken_cents as "takenCents", staff.name as "soldBy", orders.created_at as at
      from ticket_orders orders join staff on staff.id = orders.sold_by
     where orders.event_id = ${eventId} and orders.sold_by is not null
     order by orders.created_at desc, orders.id limit ${MAX_LISTED}`.execute(connection);
  return rows;
}
