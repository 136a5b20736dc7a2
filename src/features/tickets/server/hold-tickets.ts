import { createHash, randomUUID } from "node:crypto";
import { newReference } from "#payments/reference.ts";
import { type Captcha, findSolved, type SolvedCaptcha, spendEffort } from "#shared/captcha/captcha.ts";
import type { Config } from "#shared/config.ts";
import { accepted, type Reply, refused } from "#shared/contract/envelope.ts";
import type { Connection, Database } from "#shared/database/connect.ts";
import { transact } from "#shared/database/transact.ts";
import { AppError } from "#shared/errors.ts";
import type { EventFacts } from "#shared/events/event.ts";
import { findEventFacts } from "#shared/events/find-event.ts";
import { limitKey } from "#shared/limits/limit-key.ts";
import { documentKey } from "#shared/links/document-links.ts";
import type { TicketOrder } from "../contract.ts";
import { judgeHold } from "../hold-rules.ts";
import { type OrderLine, sumLines } from "../order.ts";
import { countHolds, type EarlierLine, listEarlierLines, lockHolder } from "./holders.ts";
import { presentOrder } from "./present-order.ts";
import { typeState } from "./sale.ts";
import { readTypes, readUnavailable, type TicketTypeRow, takeSeats } from "./seats.ts";
import { findOrderByKey, type OrderRow } from "./store.ts";

export type HoldServices = {
  readonly config: Pick<Config, "secretKey" | "linkDays" | "tickets" | "limits">;
  readonly database: Database;
  /** The captcha that only suspicion asks for. */
  readonly work: Captcha;
  readonly now: () => Date;
};

export type HoldWish = {
  readonly event: string;
  readonly lines: readonly OrderLine[];
  readonly instead?: { readonly id: string; readonly key: string } | undefined;
  readonly captcha?: string | undefined;
};

type Holder = {
  readonly address: string;
  readonly browser: string | undefined;
  readonly idempotencyKey: string | undefined;
};
type Wanted = { readonly type: TicketTypeRow; readonly quantity: number };

/**
 * Holds seats for a while, all of a wish or none (TIC-6, TIC-7). A copy of it is answered with the same order. An earlier
 * hold of the same browser or buyer gives its seats to this one; where they do not suffice, it stays as it was. How long
 * seats are held, and whether that needs a captcha, is decided by `judgeHold` (SEC-5).
 */
export async function holdTickets(services: HoldServices, wish: HoldWish, holder: Holder): Promise<Reply<TicketOrder>> {
  const { database, now } = services;
  const lines = sumLines(wish.lines);
  const requestHash = createHash("sha256")
    .update(JSON.stringify([wish.event, lines, wish.instead]))
    .digest();
  const earlier = holder.idempotencyKey && (await findOrderByKey(database, holder.idempotencyKey));
  if (earlier) return answerCopy(services, earlier, { requestHash, browser: holder.browser });
  const event = await findEventFacts(database, wish.event, now());
  if (event === undefined) throw new AppError("not_found");
  if (event.isOver) return refused("not_on_sale", { message: "This event is over." });
  if (lines.length === 0) throw new AppError("invalid_input", { fields: { lines: ["Choose at least one ticket"] } });

  const context = { action: "hold", address: holder.address, now: now() } as const;
  const solved = await findSolved(services.work, wish.captcha, context);
  const network = limitKey(services.config.secretKey, "hold", "address", holder.address);
  const hold = { services, event, lines, requestHash, instead: wish.instead, solved, network, at: now(), ...holder };
  try {
    const id = await holdSeats(hold);
    return accepted(await presentHeld(services, { id, created_at: hold.at }));
  } catch (error) {
    if (error instanceof Refusal) return error.reply;
    if (!(error instanceof Copy)) throw error;
    return answerCopy(services, (await findOrderByKey(database, holder.idempotencyKey!))!, hold);
  }
}

/** Undoes the transaction, and is the answer. */
class Refusal extends Error {
  readonly reply: Reply<TicketOrder>;
  constructor(reply: Reply<TicketOrder>) {
    super("seats were refused");
    this.reply = reply;
  }
}

/** Undoes the transaction: an order with the same key is on the books already. */
class Copy extends Error {}

type Hold = Holder & {
  readonly services: HoldServices;
  readonly event: EventFacts;
  readonly lines: readonly OrderLine[];
  readonly requestHash: Buffer;
  readonly instead: HoldWish["instead"];
  readonly solved: SolvedCaptcha | null;
  readonly network: string;
  readonly at: Date;
};

/** One transaction, in which the seats come last, because everybody waits for those. Returns the order's id. @throws Refusal @throws AppError @throws Copy */
async function holdSeats(hold: Hold): Promise<string> {
  const { services, event, at } = hold;
  let written: Written | undefined;
  try {
    return await transact(services.database, async (transaction) => {
      written = await writeHold(transaction, hold);
      const { id, wanted, earlier } = written;
      const instead = [...new Set(earlier.map(({ order_id }) => order_id))];
      const seats = wanted.map(({ type, quantity }) => ({ typeId: type.id, quantity }));
      return { result: id, last: takeSeats({ eventId: event.id, wanted: seats, instead, now: at }) };
    });
  } catch (error) {
    const left = readUnavailable(error);
    throw left === undefined ? error : new Refusal(sayUnavailable(written!, left));
  }
}

type Written = { readonly id: string; readonly wanted: readonly Wanted[]; readonly earlier: readonly EarlierLine[] };

/** Everything but the seats. @throws Refusal for what is not on sale. @throws AppError @throws Copy */
async function writeHold(transaction: Connection, hold: Hold): Promise<Written> {
  const { services, event, at } = hold;
  await lockHolder(transaction, { ...hold, eventId: event.id });
  const types = await readTypes(transaction, event.id);
  const wanted = matchTypes(hold.lines, types);
  refuseUnsold(wanted, at);
  const earlier = await listEarlierLines(transaction, services.config, { ...hold, eventId: event.id });
  const holdUntil = await admit(transaction, hold, { types, wanted, earlier });
  const id = await insertOrder(transaction, hold, { wanted, holdUntil });
  return { id, wanted, earlier };
}

type Seats = {
  readonly types: readonly TicketTypeRow[];
  readonly wanted: readonly Wanted[];
  readonly earlier: readonly EarlierLine[];
};

/** Until when the seats are held. @throws AppError `too_many_holds`, `captcha_dearer`, `captcha_failed`. */
async function admit(transaction: Connection, hold: Hold, { types, wanted, earlier }: Seats): Promise<Date> {
  const { services, event, network, solved, at } = hold;
  const sum = <Row>(rows: readonly Row[], of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0);
  const facts = {
    wanted: sum(wanted, ({ quantity }) => quantity),
    capacity: sum(types, ({ capacity }) => capacity),
    sold: sum(types, ({ sold }) => sold),
    held: sum(types, ({ held }) => held) - sum(earlier, ({ quantity }) => quantity),
    ...(await countHolds(transaction, { eventId: event.id, network, at })),
  };
  const { holdMs } = services.config.tickets;
  const terms = judgeHold(facts, { holdMs, freeSeats: services.config.limits.freeSeats });
  if (terms.isRefused) throw new AppError("too_many_holds", { retryAfterSeconds: Math.ceil(terms.holdMs / 1000) });
  if (terms.effort > 1) await spendEffort(transaction, solved, { effort: terms.effort, now: at });
  return new Date(at.getTime() + terms.holdMs);
}

/** With the key, which is the same for each copy. */
function presentHeld(
  services: HoldServices,
  { id, created_at }: Pick<OrderRow, "id" | "created_at">,
): Promise<TicketOrder> {
  return presentOrder(services, id, documentKey(services.config, { kind: "ticket_order", id }, created_at));
}

/** The answer opens the order, so that only the browser which holds it has it: the key alone proves nothing (API-13). */
async function answerCopy(
  services: HoldServices,
  earlier: OrderRow,
  { requestHash, browser }: Pick<Hold, "requestHash" | "browser">,
): Promise<Reply<TicketOrder>> {
  return earlier.request_hash.equals(requestHash) && earlier.browser === (browser ?? null)
    ? accepted(await presentHeld(services, earlier))
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

/** @throws Refusal for what is not on sale. @throws AppError `invalid_input` for more than one order may have. */
function refuseUnsold(wanted: readonly Wanted[], now: Date): void {
  for (const { type, quantity } of wanted) {
    const { title, limit_per_order: limit } = type;
    const state = typeState(type, 1, now);
    if (state !== "on_sale") {
      const when = state === "not_yet" ? "yet" : "any more";
      throw new Refusal(refused("not_on_sale", { message: `${title} is not on sale ${when}.` }));
    }
    if (quantity > limit) {
      throw new AppError("invalid_input", { fields: { lines: [`Choose at most ${limit} of ${title}`] } });
    }
  }
}

/** Which seats are unavailable; those that the buyer gave up would have been there too. */
function sayUnavailable({ wanted, earlier }: Written, leftOf: ReadonlyMap<number, number>): Reply<TicketOrder> {
  for (const { type, quantity } of wanted) {
    const own = earlier.reduce((sum, line) => sum + (line.type_id === type.id ? line.quantity : 0), 0);
    const left = leftOf.get(type.id)! + own;
    if (quantity > left) return refused("seats_gone", { message: sayLeft(type.title, left) });
  }
  return refused("seats_gone");
}

function sayLeft(title: string, left: number): string {
  if (left === 0) return `${title} is sold out, or held by others just now.`;
  return `Only ${left} of ${title} ${left === 1 ? "is" : "are"} left.`;
}

/** Writes the order with its lines. Returns its id. @throws Copy */
async function insertOrder(
  transaction: Connection,
  { event, requestHash, idempotencyKey, browser, network, at }: Hold,
  { wanted, holdUntil }: { wanted: readonly Wanted[]; holdUntil: Date },
): Promise<string> {
  const id = randomUUID();
  const inserted = await transaction
    .insertInto("ticket_orders")
    .values({
      id,
      reference: newReference("T"),
      event_id: event.id,
      client_key: idempotencyKey ?? null,
      request_hash: requestHash,
      state: "held",
      hold_until: holdUntil,
      browser: browser ?? null,
      network,
      total_cents: wanted.reduce((sum, { type, quantity }) => sum + quantity * type.price_cents, 0),
      created_at: at,
    })
    .onConflict((conflict) => conflict.column("client_key").doNothing())
    .returning("id")
    .executeTakeFirst();
  if (inserted === undefined) throw new Copy();
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
  return id;
}
