import { type RawBuilder, sql } from "kysely";
import type { Connection } from "#shared/database/connect.ts";

/** An order that holds the seats somebody on a waiting list was offered. */
export type HeldOffer = { readonly orderId: string; readonly until: Date };

type Asking = {
  readonly eventId: number | RawBuilder<number>;
  readonly browser: string | undefined;
  readonly instead: { readonly id: string } | undefined;
};

/** The offers of a browser, and the one in `instead`, also if their time is up and the seats are not freed yet. */
export async function listHeldOffers(
  connection: Connection,
  { eventId, browser, instead }: Asking,
): Promise<readonly HeldOffer[]> {
  const { rows } = await sql<HeldOffer>`
    select offer.id as "orderId", hold_until as until
      from waiting_entries entry join ticket_orders offer on offer.id = entry.order_id
     where offer.event_id = ${eventId} and left_at is null and offer.state = 'held'
       and (offer.id = ${instead?.id ?? null} or offer.browser_id = ${browser ?? null})`.execute(connection);
  return rows;
}

/** Makes another order the offer: the place on the list, and the link in the email about it, lead there. */
export const moveOffer = ({ orderId }: HeldOffer, to: string): RawBuilder<unknown> =>
  sql`update waiting_entries set order_id = ${to} where order_id = ${orderId}`;

/**
 * The order that an offer is now, by that order or by the one that was offered first, whose id is that of the entry.
 * Undefined if the order was never an offer.
 */
export async function findOffered(connection: Connection, orderId: string): Promise<string | undefined> {
  const query = connection.selectFrom("waiting_entries").select("order_id");
  const found = query.where(({ eb, or }) => or([eb("order_id", "=", orderId), eb("id", "=", orderId)]));
  return (await found.executeTakeFirst())?.order_id ?? undefined;
}
