import { createHash, randomUUID } from "node:crypto";
import { type RawBuilder, sql } from "kysely";
import { bytea } from "#payments/attempts.ts";
import { paymentProblems } from "#payments/problems.ts";
import { newReference } from "#payments/reference.ts";
import { undecidedStates } from "#payments/states.ts";
import { type Captcha, findSolved, type SolvedCaptcha, spendEffort } from "#shared/captcha/captcha.ts";
import { accepted, type Reply, refused } from "#shared/contract/envelope.ts";
import type { Connection, Database } from "#shared/database/connect.ts";
import { isRaised, raised } from "#shared/database/raised.ts";
import { readOnOneConnection, together, transact } from "#shared/database/transact.ts";
import { AppError } from "#shared/errors.ts";
import type { EventFacts } from "#shared/events/event.ts";
import { eventIdOf, findEventFacts } from "#shared/events/find-event.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { limitKey } from "#shared/limits/limit-key.ts";
import { documentKey } from "#shared/links/document-links.ts";
import type { TicketOrder } from "../contract.ts";
import { tidyCode } from "../discounts.ts";
import { type HoldFacts, type HoldTerms, judgeHold } from "../hold-rules.ts";
import { type OrderLine, sumLines } from "../order.ts";
import { ticketProblems } from "../problems.ts";
import { isGuessing, TOO_MANY_GUESSES } from "./code-guesses.ts";
import { describeSeatsLeft } from "./describe-seats.ts";
import { type HeldOrder, presentHeld, presentOrder } from "./present-order.ts";
import {
  type DiscountCodeRow,
  describeUsesLeft,
  findDiscountCode,
  type PricedLine,
  priceLines,
  priceWithCode,
} from "./price-order.ts";
import { countEventHolds, type EarlierLine, hourBefore, lockHolder, type SeenHolds, seeHolds } from "./recent-holds.ts";
import { typeState } from "./sale.ts";
import { isOffered, lockSeats, readTypes, readUnavailable, type TicketTypeRow } from "./seats.ts";
import { findOrderByKey, type OrderRow } from "./store.ts";
import { type HeldOffer, listHeldOffers, moveOffer } from "./waiting/held-offers.ts";

export type HoldServices = CoreServices<"database" | "now", "secretKey" | "linkDays" | "tickets" | "limits"> & {
  /** The captcha that is asked for only on suspicion. */
  readonly work: Captcha;
};

type HoldRequest = {
  readonly event: string;
  readonly lines: readonly OrderLine[];
  readonly instead?: { readonly id: string; readonly key: string } | undefined;
  readonly captcha?: string | undefined;
  /** The key of a link that shows further types. */
  readonly access?: string | undefined;
  readonly discount?: string | undefined;
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
 * An offer from the waiting list is taken over only if the request names it, and stays one (WAIT-2).
 * `judgeHold` decides how long seats are held and whether that needs a captcha (SEC-5). @throws AppError `not_found`
 * for an unknown event, or `invalid_input`.
 */
export async function holdTickets(
  services: HoldServices,
  request: HoldRequest,
  holder: Holder,
): Promise<Reply<TicketOrder>> {
  const { database, now, config } = services;
  const lines = sumLines(request.lines);
  const requestHash = createHash("sha256")
    .update(JSON.stringify([request.event, lines, request.instead, ...keysOf(request)]))
    .digest();
  const at = now();
  const network = limitKey(config.secretKey, "hold", "address", holder.address);
  const { event, instead, access } = request;
  const discount = tidyCode(request.discount ?? "");
  const asked = { services, event, lines, requestHash, instead, access, discount, network, at, ...holder };
  const [earlier, facts, seen] = await readOnOneConnection(database, (connection) =>
    together(
      holder.idempotencyKey === undefined ? undefined : findOrderByKey(connection, holder.idempotencyKey),
      findEventFacts(connection, event, at),
      readSeen(connection, asked, eventIdOf(event)),
    ),
  );
  if (earlier !== undefined) return answerCopy(services, earlier, asked);
  if (facts === undefined) throw new AppError("not_found");
  if (facts.isOver) return refused(ticketProblems.not_on_sale, { message: "This event has ended." });
  if (facts.calledOffAt !== null) {
    return refused(ticketProblems.sales_stopped, { message: "This event has been called off." });
  }
  if (lines.length === 0) throw new AppError("invalid_input", { fields: { lines: ["Choose at least one ticket"] } });
  const guess = { address: holder.address, isKnown: seen.code !== undefined, now: at };
  if (discount !== "" && (await isGuessing(services, guess))) return refuseCode(TOO_MANY_GUESSES);

  const context = { action: "hold", address: holder.address, now: at } as const;
  const solved = await findSolved(services.work, request.captcha, context);
  const hold = { ...asked, facts, solved };
  try {
    return accepted(await holdSeats(hold, seen));
  } catch (error) {
    if (error instanceof Refusal) return error.reply;
    if (!isRaised(error, raised.keyUsed)) throw error;
    return answerCopy(services, (await findOrderByKey(database, holder.idempotencyKey!))!, hold);
  }
}

/** Requests without a link's key and code hash as they always have. */
const keysOf = ({ access, discount }: HoldRequest) =>
  access === undefined && discount === undefined ? [] : [access, discount];

/** Rolls the transaction back and carries the reply. */
class Refusal extends Error {
  readonly reply: Reply<TicketOrder>;
  constructor(reply: Reply<TicketOrder>) {
    super("seats were refused");
    this.reply = reply;
  }
}

type Asked = Holder & {
  readonly services: HoldServices;
  /** The slug of the event. */
  readonly event: string;
  readonly lines: readonly OrderLine[];
  readonly requestHash: Buffer;
  readonly instead: HoldRequest["instead"];
  readonly access: string | undefined;
  /** Empty for none. */
  readonly discount: string;
  /** Null for a hold that does not count for its address. */
  readonly network: string | null;
  readonly at: Date;
};
type Hold = Asked & { readonly facts: EventFacts; readonly solved: SolvedCaptcha | null };

/** What decides about a hold. */
type Seen = Omit<HoldFacts, "wanted" | "capacity" | "sold" | "held"> &
  SeenHolds & {
    readonly types: readonly TicketTypeRow[];
    readonly code: DiscountCodeRow | undefined;
    /** The offer from the waiting list that is changed. */
    readonly offer: HeldOffer | undefined;
  };

async function readSeen(connection: Connection, asked: Asked, eventId: number | RawBuilder<number>): Promise<Seen> {
  const { services } = asked;
  const [types, code, seen, offers, totals] = await together(
    readTypes(connection, eventId),
    asked.discount === "" ? undefined : findDiscountCode(connection, eventId, asked.discount),
    seeHolds(connection, services.config, { ...asked, eventId }),
    listHeldOffers(connection, { ...asked, eventId }),
    countEventHolds(services, connection, asked),
  );
  const named = seen.earlier.find(({ orderId }) => orderId === asked.instead?.id.toLowerCase())?.orderId;
  const offer = offers.find(({ orderId, until }) => orderId === named && until > asked.at);
  const earlier = seen.earlier.filter((line) =>
    offer === undefined ? offers.every(({ orderId }) => orderId !== line.orderId) : line.orderId === offer.orderId,
  );
  return { types, code, ...seen, earlier, offer, ...totals };
}

/**
 * Decides by what was seen, and holds with one call of `hold_seats`. If a captcha is needed, or the same address or
 * browser has held seats in the meantime, decides again in a transaction for which their other holds wait.
 * @throws Refusal, AppError
 */
async function holdSeats(hold: Hold, seen: Seen): Promise<TicketOrder> {
  const { services, network, browser, at } = hold;
  const { database } = services;
  const eventId = hold.facts.id;
  if (seen.offer !== undefined) return changeOffer(hold);
  let decided = decide(hold, seen);
  try {
    if (decided.effort === 1 && (await holdAtOnce(database, decided))) return decided.presented;
    await transact(database, async (transaction) => {
      const [, again] = await together(
        lockHolder(transaction, { eventId, network, browser }),
        readSeen(transaction, hold, eventId),
      );
      decided = decide(hold, again);
      if (decided.effort > 1) await spendEffort(transaction, hold.solved, { effort: decided.effort, now: at });
      return { result: undefined, last: decided.statement };
    });
    return decided.presented;
  } catch (error) {
    throw explain(error, decided);
  }
}

/** A Refusal for what `hold_seats` raises about the tickets; any other error as it is. */
function explain(error: unknown, decided: Decided): unknown {
  if (isRaised(error, raised.tooFewUses))
    return new Refusal(refuseCode(describeUsesLeft(Number(error.detail), decided.lines)));
  if (isRaised(error, raised.salesStopped)) return new Refusal(refused(ticketProblems.sales_stopped));
  const left = readUnavailable(error);
  return left === undefined ? error : new Refusal(refuseUnavailable(decided, left));
}

/**
 * Takes fewer of the seats that somebody on the waiting list was offered, or a code, in a new order that is held for as
 * long. The seats stay locked while it is decided, so that the offer cannot end in the meantime. They were the buyer's
 * before, so they don't count for the address.
 */
async function changeOffer(asked: Hold): Promise<TicketOrder> {
  const hold = { ...asked, network: null };
  const eventId = hold.facts.id;
  return transact(hold.services.database, async (transaction) => {
    const [, , seen] = await together(
      lockHolder(transaction, { ...hold, eventId }),
      lockSeats(transaction, eventId),
      readSeen(transaction, hold, eventId),
    );
    if (seen.offer === undefined) throw new Refusal(refused(ticketProblems.hold_lapsed));
    const decided = decide(hold, seen);
    await decided.statement.execute(transaction).catch((error: unknown) => {
      throw explain(error, decided);
    });
    return { result: decided.presented, last: moveOffer(seen.offer, decided.presented.id) };
  });
}

/** False if the address or browser has made another hold since this one was decided. */
async function holdAtOnce(database: Database, { statement }: Decided): Promise<boolean> {
  try {
    await statement.execute(database);
    return true;
  } catch (error) {
    if (isRaised(error, raised.heldMeanwhile)) return false;
    throw error;
  }
}

type Decided = {
  readonly wanted: readonly Wanted[];
  readonly lines: readonly PricedLine[];
  readonly earlier: readonly EarlierLine[];
  readonly effort: number;
  /** Writes the order, and takes its seats last, because others wait for them. */
  readonly statement: RawBuilder<unknown>;
  /** The order as its buyer sees it. */
  readonly presented: TicketOrder;
};

/** @throws Refusal if not on sale. @throws AppError `invalid_input`, `not_found`, `too_many_holds`. */
function decide(hold: Hold, seen: Seen): Decided {
  const { services, facts: event, at } = hold;
  const { earlier, known } = seen;
  const wanted = matchTypes(hold, seen);
  refuseUnsold(wanted, at);
  const { lines, totalCents } = price(hold, seen, wanted);
  const { effort, until } = admit(hold, seen, wanted);
  const id = randomUUID();
  const order = {
    id,
    reference: newReference("T"),
    hold_until: until,
    total_cents: totalCents,
    discount_id: seen.code?.id ?? null,
    discount_code: seen.code?.code ?? "",
  };
  const statement = describeHold(hold, { order, lines, earlier, known });
  const key = documentKey(services.config, { kind: "ticket_order", id }, at);
  const presented = presentHeld(services, { order, lines, event, isOffer: seen.offer !== undefined }, { at, key });
  return { wanted, lines, earlier, effort, statement, presented };
}

type Written = {
  readonly order: HeldOrder;
  readonly lines: readonly object[];
  readonly earlier: readonly EarlierLine[];
  readonly known: number;
};

function describeHold(
  { facts: event, idempotencyKey, browser, network, requestHash, at }: Hold,
  { order, lines, earlier, known }: Written,
) {
  const held = {
    ...order,
    event_id: event.id,
    client_key: idempotencyKey ?? null,
    request_hash: bytea(requestHash),
    browser_id: browser ?? null,
    network_hash: network,
    created_at: at,
  };
  const instead = [...new Set(earlier.map(({ orderId }) => orderId))];
  return sql`select hold_seats(${JSON.stringify(held)}, ${JSON.stringify(lines)}, ${instead}::uuid[],
    ${undecidedStates}::text[], ${known}, ${hourBefore(at)})`;
}

/** @throws Refusal if the code that was typed cannot be used now, or not for these tickets. */
function price({ discount, access, at }: Hold, { code, types }: Seen, wanted: readonly Wanted[]) {
  if (discount === "") return priceLines(wanted, null);
  const offered = types.filter((type) => isOffered(type, access));
  const priced = priceWithCode(code, { wanted, offered, now: at });
  if (typeof priced === "string") throw new Refusal(refuseCode(priced));
  return priced;
}

const refuseCode = (message: string) => refused(ticketProblems.code_refused, { message });

type Admitted = Pick<HoldTerms, "effort"> & { readonly until: Date };

/** The terms of a hold. An offer keeps its own. @throws Refusal, AppError `too_many_holds`. */
function admit({ services, at }: Hold, { types, earlier, offer, ...seen }: Seen, wanted: readonly Wanted[]): Admitted {
  if (offer !== undefined) {
    refuseBeyond(earlier, { wanted, types });
    return { effort: 1, until: offer.until };
  }
  const sum = <Row>(rows: readonly Row[], of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0);
  const facts = {
    ...seen,
    wanted: sum(wanted, ({ quantity }) => quantity),
    capacity: sum(types, ({ capacity }) => capacity),
    sold: sum(types, ({ sold }) => sold),
    held: sum(types, ({ held }) => held) - sum(earlier, ({ quantity }) => quantity),
  };
  const { holdMs } = services.config.tickets;
  const terms = judgeHold(facts, { holdMs, freeSeats: services.config.limits.freeSeats });
  if (terms.isRefused)
    throw new AppError(ticketProblems.too_many_holds, { retryAfterSeconds: Math.ceil(terms.holdMs / 1000) });
  return { effort: terms.effort, until: new Date(at.getTime() + terms.holdMs) };
}

/** The answer opens the order, so only its browser gets it: the Idempotency-Key proves nothing (API-13). */
async function answerCopy(
  services: HoldServices,
  { id, request_hash, browser_id, created_at }: OrderRow,
  { requestHash, browser }: Pick<Hold, "requestHash" | "browser">,
): Promise<Reply<TicketOrder>> {
  if (!request_hash.equals(requestHash) || browser_id !== (browser ?? null)) return refused(paymentProblems.key_reused);
  // The key is the same for every copy.
  return accepted(
    await presentOrder(services, id, documentKey(services.config, { kind: "ticket_order", id }, created_at)),
  );
}

/**
 * The ticket types of the lines, in the order of their ids.
 * @throws AppError `invalid_input` for a type that the event does not have, `not_found` if it has no types.
 */
function matchTypes({ lines, access }: Hold, { types, offer, earlier }: Seen): Wanted[] {
  if (types.length === 0) throw new AppError("not_found");
  const wanted = lines.map(({ type: code, quantity }) => {
    const type = types.find((row) => row.code === code);
    const isOwn = offer !== undefined && earlier.some(({ typeId }) => typeId === type?.id);
    // What is off sale has a sentence of its own.
    if (type === undefined || !(isOwn || isOffered({ ...type, retired_at: null }, access)))
      throw new AppError("invalid_input", { fields: { lines: ["Choose from the tickets of this event"] } });
    return { type, quantity };
  });
  return wanted.sort((one, other) => one.type.id - other.type.id);
}

/** @throws Refusal if not on sale. @throws AppError `invalid_input` for more than the limit of an order. */
function refuseUnsold(wanted: readonly Wanted[], now: Date): void {
  for (const { type, quantity } of wanted) {
    const { title, limit_per_order: limit } = type;
    const state = type.retired_at === null ? typeState(type, 1, now) : "closed";
    if (state !== "on_sale") {
      const message = state === "not_yet" ? `${title} is not on sale yet.` : `${title} is no longer on sale.`;
      throw new Refusal(refused(ticketProblems.not_on_sale, { message }));
    }
    if (quantity > limit) {
      throw new AppError("invalid_input", { fields: { lines: [`${title}: choose at most ${limit}`] } });
    }
  }
}

/** @throws Refusal for other or more tickets than those of the offer. */
function refuseBeyond(
  offered: readonly EarlierLine[],
  { wanted, types }: Pick<Seen, "types"> & Pick<Decided, "wanted">,
) {
  const offeredOf = (typeId: number) => offered.find((line) => line.typeId === typeId)?.quantity ?? 0;
  if (wanted.every(({ type, quantity }) => quantity <= offeredOf(type.id))) return;
  const [line] = offered;
  const tickets = `${types.find(({ id }) => id === line!.typeId)!.title} × ${line!.quantity}`;
  const message = `The waiting list has brought you ${tickets}. You can take fewer, but no more and no others in this order.`;
  throw new Refusal(refused(ticketProblems.seats_gone, { message }));
}

/** Says which seats are unavailable. Seats that the buyer would have given up count as available. */
function refuseUnavailable({ wanted, earlier }: Decided, leftOf: ReadonlyMap<number, number>): Reply<TicketOrder> {
  for (const { type, quantity } of wanted) {
    const own = earlier.reduce((sum, line) => sum + (line.typeId === type.id ? line.quantity : 0), 0);
    const left = leftOf.get(type.id)! + own;
    if (quantity > left) return refused(ticketProblems.seats_gone, { message: describeSeatsLeft(type.title, left) });
  }
  return refused(ticketProblems.seats_gone);
}
