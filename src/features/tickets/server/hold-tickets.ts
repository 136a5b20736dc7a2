import { createHash, randomUUID } from "node:crypto";
import { paymentProblems } from "#payments/problems.ts";
import { newReference } from "#payments/reference.ts";
import { type Captcha, findSolved, type SolvedCaptcha, spendEffort } from "#shared/captcha/captcha.ts";
import { accepted, type Reply, refused } from "#shared/contract/envelope.ts";
import type { Connection } from "#shared/database/connect.ts";
import { together, transact } from "#shared/database/transact.ts";
import { AppError } from "#shared/errors.ts";
import type { EventFacts } from "#shared/events/event.ts";
import { findEventFacts } from "#shared/events/find-event.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { plural } from "#shared/language.ts";
import { limitKey } from "#shared/limits/limit-key.ts";
import { documentKey } from "#shared/links/document-links.ts";
import type { TicketOrder } from "../contract.ts";
import { judgeHold } from "../hold-rules.ts";
import { type OrderLine, sumLines } from "../order.ts";
import { ticketProblems } from "../problems.ts";
import { countHolds, type EarlierLine, listEarlierLines, lockHolder } from "./holders.ts";
import { presentOrder } from "./present-order.ts";
import { typeState } from "./sale.ts";
import { readTypes, readUnavailable, type TicketTypeRow, takeSeats } from "./seats.ts";
import { findOrderByKey, type OrderRow } from "./store.ts";

export type HoldServices = CoreServices<"database" | "now", "secretKey" | "linkDays" | "tickets" | "limits"> & {
  /** The captcha that is asked for only on suspicion. */
  readonly work: Captcha;
};

export type HoldRequest = {
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
 * Holds all seats of a request or none (TIC-6, TIC-7). A repeated request gets the same order. The new hold takes over
 * the seats of an earlier hold by the same browser or buyer; if there are not enough seats, the earlier hold stays.
 * `judgeHold` decides how long seats are held and whether that needs a captcha (SEC-5).
 */
export async function holdTickets(
  services: HoldServices,
  request: HoldRequest,
  holder: Holder,
): Promise<Reply<TicketOrder>> {
  const { database, now } = services;
  const lines = sumLines(request.lines);
  const requestHash = createHash("sha256")
    .update(JSON.stringify([request.event, lines, request.instead]))
    .digest();
  const earlier = holder.idempotencyKey && (await findOrderByKey(database, holder.idempotencyKey));
  if (earlier) return answerCopy(services, earlier, { requestHash, browser: holder.browser });
  const event = await findEventFacts(database, request.event, now());
  if (event === undefined) throw new AppError("not_found");
  if (event.isOver) return refused(ticketProblems.not_on_sale, { message: "This event has ended." });
  if (lines.length === 0) throw new AppError("invalid_input", { fields: { lines: ["Choose at least one ticket"] } });

  const context = { action: "hold", address: holder.address, now: now() } as const;
  const solved = await findSolved(services.work, request.captcha, context);
  const network = limitKey(services.config.secretKey, "hold", "address", holder.address);
  const hold = { services, event, lines, requestHash, instead: request.instead, solved, network, at: now(), ...holder };
  try {
    const id = await holdSeats(hold);
    return accepted(await presentHeld(services, { id, created_at: hold.at }));
  } catch (error) {
    if (error instanceof Refusal) return error.reply;
    if (!(error instanceof Copy)) throw error;
    return answerCopy(services, (await findOrderByKey(database, holder.idempotencyKey!))!, hold);
  }
}

/** Rolls the transaction back and carries the reply. */
class Refusal extends Error {
  readonly reply: Reply<TicketOrder>;
  constructor(reply: Reply<TicketOrder>) {
    super("seats were refused");
    this.reply = reply;
  }
}

/** Rolls the transaction back: an order with this key exists already. */
class Copy extends Error {}

type Hold = Holder & {
  readonly services: HoldServices;
  readonly event: EventFacts;
  readonly lines: readonly OrderLine[];
  readonly requestHash: Buffer;
  readonly instead: HoldRequest["instead"];
  readonly solved: SolvedCaptcha | null;
  readonly network: string;
  readonly at: Date;
};

/** Returns the order's id. Takes seats last, because others wait for them. @throws Refusal, AppError, Copy */
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
    throw left === undefined ? error : new Refusal(refuseUnavailable(written!, left));
  }
}

type Written = { readonly id: string; readonly wanted: readonly Wanted[]; readonly earlier: readonly EarlierLine[] };

/** Writes everything but the seats. @throws Refusal if not on sale. @throws AppError @throws Copy */
async function writeHold(transaction: Connection, hold: Hold): Promise<Written> {
  const { services, event, at } = hold;
  const holder = { ...hold, eventId: event.id };
  const [, types, earlier, counts] = await together(
    lockHolder(transaction, holder),
    readTypes(transaction, event.id),
    listEarlierLines(transaction, services.config, holder),
    countHolds(transaction, holder),
  );
  const wanted = matchTypes(hold.lines, types);
  refuseUnsold(wanted, at);
  const holdUntil = await admit(transaction, hold, { types, wanted, earlier, counts });
  const id = await insertOrder(transaction, hold, { wanted, holdUntil });
  return { id, wanted, earlier };
}

type Seats = {
  readonly types: readonly TicketTypeRow[];
  readonly wanted: readonly Wanted[];
  readonly earlier: readonly EarlierLine[];
  readonly counts: Awaited<ReturnType<typeof countHolds>>;
};

/** Returns when the hold ends. @throws AppError `too_many_holds`, `captcha_dearer`, `captcha_failed`. */
async function admit(transaction: Connection, hold: Hold, { types, wanted, earlier, counts }: Seats): Promise<Date> {
  const { services, solved, at } = hold;
  const sum = <Row>(rows: readonly Row[], of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0);
  const facts = {
    wanted: sum(wanted, ({ quantity }) => quantity),
    capacity: sum(types, ({ capacity }) => capacity),
    sold: sum(types, ({ sold }) => sold),
    held: sum(types, ({ held }) => held) - sum(earlier, ({ quantity }) => quantity),
    ...counts,
  };
  const { holdMs } = services.config.tickets;
  const terms = judgeHold(facts, { holdMs, freeSeats: services.config.limits.freeSeats });
  if (terms.isRefused)
    throw new AppError(ticketProblems.too_many_holds, { retryAfterSeconds: Math.ceil(terms.holdMs / 1000) });
  if (terms.effort > 1) await spendEffort(transaction, solved, { effort: terms.effort, now: at });
  return new Date(at.getTime() + terms.holdMs);
}

/** With the order's key, which is the same for every copy. */
function presentHeld(
  services: HoldServices,
  { id, created_at }: Pick<OrderRow, "id" | "created_at">,
): Promise<TicketOrder> {
  return presentOrder(services, id, documentKey(services.config, { kind: "ticket_order", id }, created_at));
}

/** The answer opens the order, so only its browser gets it: the Idempotency-Key proves nothing (API-13). */
async function answerCopy(
  services: HoldServices,
  earlier: OrderRow,
  { requestHash, browser }: Pick<Hold, "requestHash" | "browser">,
): Promise<Reply<TicketOrder>> {
  return earlier.request_hash.equals(requestHash) && earlier.browser_id === (browser ?? null)
    ? accepted(await presentHeld(services, earlier))
    : refused(paymentProblems.key_reused);
}

/** @throws AppError `invalid_input` for a type that the event does not have, `not_found` if it has no types. */
function matchTypes(lines: readonly OrderLine[], types: readonly TicketTypeRow[]): Wanted[] {
  if (types.length === 0) throw new AppError("not_found");
  return lines.map(({ type: code, quantity }) => {
    const type = types.find((row) => row.code === code);
    if (type === undefined)
      throw new AppError("invalid_input", { fields: { lines: ["Choose from the tickets of this event"] } });
    return { type, quantity };
  });
}

/** @throws Refusal if not on sale. @throws AppError `invalid_input` for more than the limit of an order. */
function refuseUnsold(wanted: readonly Wanted[], now: Date): void {
  for (const { type, quantity } of wanted) {
    const { title, limit_per_order: limit } = type;
    const state = typeState(type, 1, now);
    if (state !== "on_sale") {
      const message = state === "not_yet" ? `${title} is not on sale yet.` : `${title} is no longer on sale.`;
      throw new Refusal(refused(ticketProblems.not_on_sale, { message }));
    }
    if (quantity > limit) {
      throw new AppError("invalid_input", { fields: { lines: [`${title}: choose at most ${limit}`] } });
    }
  }
}

/** Says which seats are unavailable. Seats that the buyer would have given up count as available. */
function refuseUnavailable({ wanted, earlier }: Written, leftOf: ReadonlyMap<number, number>): Reply<TicketOrder> {
  for (const { type, quantity } of wanted) {
    const own = earlier.reduce((sum, line) => sum + (line.type_id === type.id ? line.quantity : 0), 0);
    const left = leftOf.get(type.id)! + own;
    if (quantity > left) return refused(ticketProblems.seats_gone, { message: describeSeatsLeft(type.title, left) });
  }
  return refused(ticketProblems.seats_gone);
}

function describeSeatsLeft(title: string, left: number): string {
  if (left === 0) return `${title} is sold out, or others are holding the last seats.`;
  return plural(left, { one: `${title}: only 1 is left.`, other: `${title}: only ${left} are left.` });
}

/** Inserts the order and its lines. Returns its id. @throws Copy */
async function insertOrder(
  transaction: Connection,
  { event, requestHash, idempotencyKey, browser, network, at }: Hold,
  { wanted, holdUntil }: { wanted: readonly Wanted[]; holdUntil: Date },
): Promise<string> {
  const id = randomUUID();
  const inserting = transaction
    .insertInto("ticket_orders")
    .values({
      id,
      reference: newReference("T"),
      event_id: event.id,
      client_key: idempotencyKey ?? null,
      request_hash: requestHash,
      state: "held",
      hold_until: holdUntil,
      browser_id: browser ?? null,
      network_hash: network,
      total_cents: wanted.reduce((sum, { type, quantity }) => sum + quantity * type.price_cents, 0),
      created_at: at,
    })
    .onConflict((conflict) => conflict.column("client_key").doNothing())
    .returning("id")
    .executeTakeFirst()
    .then((inserted) => inserted ?? Promise.reject(new Copy()));
  const lines = transaction
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
  await together(inserting, lines);
  return id;
}
