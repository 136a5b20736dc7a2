import { sql } from "kysely";
import { z } from "zod";
import { readReference } from "#payments/reference.ts";
import type { Connection } from "#shared/database/connect.ts";
import type { TicketOrderState } from "./tables.ts";

/** An order of a known buyer, as staff find it. */
export type FoundOrder = {
  readonly id: string;
  readonly reference: string;
  readonly name: string;
  readonly event: string;
  readonly state: TicketOrderState;
  readonly holdUntil: Date;
  readonly at: Date;
  /** What was to be paid by card or PayPal, and what staff took at the door. */
  readonly totalCents: number;
  readonly takenCents: number;
  readonly lines: readonly { readonly title: string; readonly quantity: number }[];
  /** How many of its tickets are cancelled. */
  readonly cancelled: number;
  readonly isCalledOff: boolean;
  /** The id of a refund that waits for approval, if there is one. */
  readonly refundRequest: string | null;
};

/** The most orders that a person’s page lists, and the most that a search finds. */
const MAX_LISTED = 200;
const MAX_FOUND = 5;

const columns = sql`
  o.id, o.reference, o.first_name || ' ' || o.last_name as name, event.title as event, o.state,
  o.hold_until as "holdUntil", o.created_at as at, o.total_cents as "totalCents",
  o.taken_cents as "takenCents", o.called_off_at is not null as "isCalledOff",
  (select id from refund_requests where ticket_order_id = o.id and decision is null) as "refundRequest",
  (select json_agg(json_build_object('title', title, 'quantity', quantity) order by type_id)
     from ticket_order_lines where order_id = o.id) as lines,
  (select count(*)::integer from tickets where order_id = o.id and cancelled_at is not null) as cancelled`;

/** Null if there is no such order, or it has no email address (yet, or any more). */
export async function findBuyerEmail(connection: Connection, id: string): Promise<string | null> {
  if (!z.uuid().safeParse(id).success) return null;
  const order = connection.selectFrom("ticket_orders").select("email").where("id", "=", id);
  return (await order.executeTakeFirst())?.email || null;
}

/** All orders under an email address, latest first. */
export async function listOrdersOf(connection: Connection, email: string): Promise<FoundOrder[]> {
  const { rows } = await sql<FoundOrder>`
    select ${columns} from ticket_orders o join events event on event.id = o.event_id
     where o.email is not null and o.email <> '' and lower(o.email) = lower(${email})
     order by o.created_at desc, o.id limit ${MAX_LISTED}`.execute(connection);
  return rows;
}

/** Orders by their reference, or by the beginnings of words in the buyer’s name or email, latest first. */
export async function searchOrders(connection: Connection, text: string): Promise<FoundOrder[]> {
  const reference = readReference(text, "T");
  const isWanted =
    reference === null
      ? sql`search_words(fold_text(o.first_name || ' ' || o.last_name || ' ' || o.email)) @@ words_that_begin(${text})`
      : sql`o.reference = ${reference}`;
  const { rows } = await sql<FoundOrder>`
    with found as materialized (
      select * from ticket_orders o where o.email <> '' and ${isWanted})
    select ${columns} from found o join events event on event.id = o.event_id
     order by o.created_at desc, o.id limit ${MAX_FOUND}`.execute(connection);
  return rows;
}
