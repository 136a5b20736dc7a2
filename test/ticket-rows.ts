import { randomBytes, randomUUID } from "node:crypto";
import type { Insertable } from "kysely";
import { makeAttempt } from "#database/factories.ts";
import { dinnerTickets, makeTicketEvent } from "#database/ticket-factories.ts";
import { newReference } from "#payments/reference.ts";
import { isPaid } from "#payments/states.ts";
import type { Connection, Database } from "#shared/database/connect.ts";
import type { Tables } from "#shared/database/tables.ts";

/** An event with tickets: VIP seats for $100.00, standard ones for $50.00. */
export type TicketedRows = {
  readonly id: number;
  readonly slug: string;
  readonly vip: number;
  readonly standard: number;
};

/** Writes an online dinner in Karachi time, 6 February 2027 from 8 to 11 PM, with any `changes`. */
export async function insertTicketedEvent(
  connection: Connection,
  changes: Partial<Insertable<Tables["events"]>> = {},
): Promise<TicketedRows> {
  const { eventId, slug, types } = await makeTicketEvent(connection, {
    event: {
      starts_at: new Date("2027-02-06T15:00:00Z"),
      ends_at: new Date("2027-02-06T18:00:00Z"),
      ...changes,
    },
    types: dinnerTickets.map((type) => ({ ...type, capacity: 200 })),
  });
  return { id: eventId, slug, vip: types.vip!, standard: types.standard! };
}

type OrderChanges = {
  readonly order?: Partial<Insertable<Tables["ticket_orders"]>>;
  readonly vip?: number;
  readonly standard?: number;
  /** The title of the VIP type when the seats were held. */
  readonly title?: string;
  /** What a discount code takes off each VIP seat. */
  readonly vipOffCents?: number;
  /** Whether the seats cost nothing, as far as the payment providers know. */
  readonly isFree?: boolean;
};

/** Writes a paid order of one VIP and two standard seats by Amina Raza, with any `changes`; without tickets. */
export async function insertOrder(
  database: Database,
  event: TicketedRows,
  { order, vip = 1, standard = 2, title = "VIP Seat", vipOffCents = 0, isFree = false }: OrderChanges = {},
): Promise<string> {
  const id = randomUUID();
  const [vipCents, standardCents] = isFree ? [0, 0] : [10_000, 5000];
  await database.transaction().execute(async (transaction) => {
    await transaction
      .insertInto("ticket_orders")
      .values({
        id,
        reference: newReference("T"),
        event_id: event.id,
        client_key: null,
        request_hash: Buffer.alloc(32),
        state: "paid",
        hold_until: new Date("2026-11-21T03:15:00Z"),
        total_cents: vip * (vipCents - vipOffCents) + standard * standardCents,
        email: "amina@example.com",
        first_name: "Amina",
        last_name: "Raza",
        country: "Australia",
        created_at: new Date("2026-11-21T03:00:00Z"),
        paid_at: new Date("2026-11-21T03:04:05Z"),
        ...order,
      })
      .execute();
    const cheaper = { discounted: vipOffCents === 0 ? 0 : vip, discount_cents: vipOffCents };
    const lines = [
      { order_id: id, type_id: event.vip, quantity: vip, title, price_cents: vipCents, ...cheaper },
      { order_id: id, type_id: event.standard, quantity: standard, title: "Standard Seat", price_cents: standardCents },
    ];
    await transaction
      .insertInto("ticket_order_lines")
      .values(lines.filter(({ quantity }) => quantity > 0))
      .execute();
  });
  return id;
}

/** Writes an order's tickets in the order of its lines, for `holders` and then Amina Raza. Returns their ids. */
export async function insertTickets(
  connection: Connection,
  orderId: string,
  holders: readonly string[] = [],
): Promise<{ readonly id: string; readonly serial: Buffer }[]> {
  const lines = await connection
    .selectFrom("ticket_order_lines")
    .select(["type_id", "quantity"])
    .where("order_id", "=", orderId)
    .orderBy("type_id")
    .execute();
  const types = lines.flatMap(({ type_id, quantity }) => Array.from({ length: quantity }, () => type_id));
  return connection
    .insertInto("tickets")
    .values(
      types.map((type_id, position) => ({
        id: randomUUID(),
        order_id: orderId,
        type_id,
        position,
        holder_name: holders[position] ?? "Amina Raza",
        serial: randomBytes(8),
      })),
    )
    .returning(["id", "serial"])
    .execute();
}

/** Cancels tickets, for a refund if one is given. */
export async function cancelRows(connection: Connection, ids: readonly string[], refundId?: string): Promise<void> {
  await connection
    .updateTable("tickets")
    .set({ cancelled_at: new Date("2026-11-22T03:04:05Z"), ...(refundId === undefined ? {} : { refund_id: refundId }) })
    .where("id", "in", ids)
    .execute();
}

/**
 * Writes a payment for an order, succeeded unless `changes` say otherwise; the first successful one becomes the order's.
 * Returns its id.
 */
export async function insertTicketPayment(
  connection: Connection,
  orderId: string,
  changes: Partial<Insertable<Tables["payment_attempts"]>> = {},
): Promise<string> {
  const { total_cents } = await connection
    .selectFrom("ticket_orders")
    .select("total_cents")
    .where("id", "=", orderId)
    .executeTakeFirstOrThrow();
  const own = { donation_id: null, ticket_order_id: orderId, amount_cents: total_cents, lease_until: null };
  const state = changes.state ?? "succeeded";
  const id = await makeAttempt(connection, "", { ...own, settled_at: new Date(), ...changes, state });
  if (isPaid(state)) {
    await connection
      .updateTable("ticket_orders")
      .set({ paid_attempt_id: id })
      .where("id", "=", orderId)
      .where("state", "in", ["paid", "cancelled", "refunded"])
      .where("paid_attempt_id", "is", null)
      .execute();
  }
  return id;
}
