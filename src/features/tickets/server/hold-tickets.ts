import { createHash, randomUUID } from "node:crypto";
import type { Config } from "#shared/config.ts";
import { accepted, type Reply, refused } from "#shared/contract/envelope.ts";
import type { Connection, Database } from "#shared/database/connect.ts";
import { AppError } from "#shared/errors.ts";
import { findEventFacts } from "#shared/events/find-event.ts";
import { isSigned } from "#shared/http/signed-link.ts";
import { count } from "#shared/limits/count.ts";
import { limitKey } from "#shared/limits/limit-key.ts";
import { ticketOrderPath } from "#shared/paths.ts";
import { newReference } from "#shared/payments/reference.ts";
import type { TicketOrder } from "../contract.ts";
import { type OrderLine, sumLines } from "../order.ts";
import { presentOrder } from "./present-order.ts";
import { typeState } from "./sale.ts";
import { lapseHolds, leftOf, lockTypes, moveSeats, type TicketTypeRow } from "./seats.ts";
import { findOrderByKey, type LineRow, listLines, lockOrder } from "./store.ts";

export type HoldServices = {
  readonly config: Pick<Config, "secretKey" | "tickets" | "limits">;
  readonly database: Database;
  readonly now: () => Date;
};

export type HoldWish = {
  readonly event: string;
  readonly lines: readonly OrderLine[];
  readonly instead?: { readonly id: string; readonly key: string } | undefined;
};

type Holder = { readonly address: string; readonly idempotencyKey: string | undefined };
type Wanted = { readonly type: TicketTypeRow; readonly quantity: number };

/**
 * Holds seats for a quarter of an hour, all of a wish or none (TIC-6, TIC-7). A copy of it is answered with the same
 * order. An earlier hold of the same buyer gives its seats to this one; where they do not suffice, it stays as it was.
 */
export async function holdTickets(services: HoldServices, wish: HoldWish, holder: Holder): Promise<Reply<TicketOrder>> {
  const { database, now } = services;
  const lines = sumLines(wish.lines);
  const requestHash = createHash("sha256")
    .update(JSON.stringify([wish.event, lines, wish.instead]))
    .digest();
  const earlier = holder.idempotencyKey && (await findOrderByKey(database, holder.idempotencyKey));
  if (earlier) return answerCopy(services, earlier, requestHash);
  const event = await findEventFacts(database, wish.event, now());
  if (event === undefined) throw new AppError("not_found");
  if (event.isOver) return refused("not_on_sale", { message: "This event is over. Nothing was charged." });
  if (lines.length === 0) throw new AppError("invalid_input", { fields: { lines: ["Choose at least one ticket"] } });

  const held = await database.transaction().execute(async (transaction) => {
    const at = now();
    const eventId = event.id;
    const locked = await lockTypes(transaction, eventId);
    // A copy that waited for the lock must not be refused the seats that the first one took.
    const key = holder.idempotencyKey;
    if (key !== undefined && (await findOrderByKey(transaction, key)) !== undefined) return "copy";
    const types = await lapseHolds(transaction, { eventId, types: locked, now: at });
    const wanted = matchTypes(lines, types);
    const released = await findReleased(transaction, services, wish.instead, eventId);
    const refusal = judge(wanted, released.lines, at);
    if (refusal !== null) return refusal;
    await countHold(transaction, services, holder.address, at);
    const order = { eventId, wanted, requestHash, clientKey: key ?? null };
    return insertHold(transaction, services.config, { ...order, released, at });
  });
  if (typeof held !== "string") return held;
  if (held !== "copy") return accepted(await presentOrder(services, held));
  return answerCopy(services, (await findOrderByKey(database, holder.idempotencyKey!))!, requestHash);
}

async function answerCopy(
  services: HoldServices,
  earlier: { readonly id: string; readonly request_hash: Buffer },
  requestHash: Buffer,
): Promise<Reply<TicketOrder>> {
  return earlier.request_hash.equals(requestHash)
    ? accepted(await presentOrder(services, earlier.id))
    : refused("key_reused");
}

/** @throws AppError `invalid_input` for a type that the event does not have, `not_found` where it has none at all. */
function matchTypes(lines: readonly OrderLine[], types: readonly TicketTypeRow[]): Wanted[] {
  if (types.length === 0) throw new AppError("not_found");
  return lines.map(({ type: code, quantity }) => {
    const type = types.find((row) => row.code === code);
    if (type === undefined)
      throw new AppError("invalid_input", { fields: { lines: ["Choose from the tickets of this event"] } });
    return { type, quantity };
  });
}

type Released = { readonly id: string | null; readonly lines: readonly LineRow[] };

/** The seats of an earlier hold of the same event that its buyer gives up; none of one that is being paid for. */
async function findReleased(
  transaction: Connection,
  { config }: HoldServices,
  instead: HoldWish["instead"],
  eventId: number,
): Promise<Released> {
  const none = { id: null, lines: [] };
  if (instead === undefined || !isSigned(config.secretKey, ticketOrderPath(instead.id), instead.key)) return none;
  const order = await lockOrder(transaction, instead.id);
  if (order?.state !== "held" || order.event_id !== eventId) return none;
  const underWay = await transaction
    .selectFrom("payment_attempts")
    .select("id")
    .where("ticket_order_id", "=", order.id)
    .where("state", "in", ["created", "requires_action", "submitting", "unknown", "processing"])
    .executeTakeFirst();
  return underWay === undefined ? { id: order.id, lines: await listLines(transaction, order.id) } : none;
}

/** Why the wish cannot be had, in words; null when it can. */
function judge(wanted: readonly Wanted[], released: readonly LineRow[], now: Date): Reply<TicketOrder> | null {
  for (const { type, quantity } of wanted) {
    const own = released.find(({ type_id }) => type_id === type.id)?.quantity ?? 0;
    const left = leftOf(type) + own;
    const state = typeState(type, left, now);
    const { title } = type;
    if (state === "not_yet")
      return refused("not_on_sale", { message: `${title} is not on sale yet. Nothing was charged.` });
    if (state === "closed")
      return refused("not_on_sale", { message: `${title} is not on sale any more. Nothing was charged.` });
    if (quantity > type.limit_per_order) {
      throw new AppError("invalid_input", {
        fields: { lines: [`Choose at most ${type.limit_per_order} of ${title}`] },
      });
    }
    if (quantity > left) return refused("seats_gone", { message: sayLeft(title, left) });
  }
  return null;
}

function sayLeft(title: string, left: number): string {
  if (left === 0) return `${title} is sold out, or held by others just now. Nothing was charged.`;
  return `Only ${left} of ${title} ${left === 1 ? "is" : "are"} left. Nothing was charged.`;
}

/** @throws AppError `too_many_holds` */
async function countHold(transaction: Connection, { config }: HoldServices, address: string, now: Date) {
  const { holdsPerAddress: most, holdsWindowSeconds: windowSeconds } = config.limits;
  const refusal = await count(transaction, limitKey(config.secretKey, "hold", "address", address), {
    most,
    windowSeconds,
    now,
  });
  if (refusal !== null) throw new AppError("too_many_holds", refusal);
}

type NewHold = {
  readonly eventId: number;
  readonly wanted: readonly Wanted[];
  readonly released: Released;
  readonly requestHash: Buffer;
  readonly clientKey: string | null;
  readonly at: Date;
};

/** Writes the order with its lines and moves the seats. Returns its id, or 'copy' where the key is on the books already. */
async function insertHold(
  transaction: Connection,
  { tickets }: HoldServices["config"],
  { eventId, wanted, released, requestHash, clientKey, at }: NewHold,
): Promise<string> {
  const id = randomUUID();
  const inserted = await transaction
    .insertInto("ticket_orders")
    .values({
      id,
      reference: newReference("T"),
      event_id: eventId,
      client_key: clientKey,
      request_hash: requestHash,
      state: "held",
      hold_until: new Date(at.getTime() + tickets.holdMs),
      total_cents: wanted.reduce((sum, { type, quantity }) => sum + quantity * type.price_cents, 0),
      created_at: at,
    })
    .onConflict((conflict) => conflict.column("client_key").doNothing())
    .returning("id")
    .executeTakeFirst();
  if (inserted === undefined) return "copy";
  await transaction
    .insertInto("ticket_order_lines")
    .values(
      wanted.map(({ type, quantity }) => ({
        order_id: id,
        type_id: type.id,
        quantity,
        title: type.title,
        price_cents: type.price_cents,
      })),
    )
    .execute();
  if (released.id !== null) {
    await transaction.updateTable("ticket_orders").set({ state: "lapsed" }).where("id", "=", released.id).execute();
  }
  const freed = new Map(released.lines.map(({ type_id, quantity }) => [type_id, -quantity]));
  for (const { type, quantity } of wanted) freed.set(type.id, (freed.get(type.id) ?? 0) + quantity);
  await moveSeats(
    transaction,
    [...freed].map(([typeId, held]) => ({ typeId, held, sold: 0 })),
  );
  return id;
}
