import { randomUUID } from "node:crypto";
import { type RawBuilder, sql } from "kysely";
import { bytea } from "#payments/attempts.ts";
import { newReference } from "#payments/reference.ts";
import { undecidedStates } from "#payments/states.ts";
import type { Captcha, SolvedCaptcha } from "#shared/captcha/captcha.ts";
import { type Reply, refused } from "#shared/contract/envelope.ts";
import type { Connection } from "#shared/database/connect.ts";
import { isRaised, raised } from "#shared/database/raised.ts";
import { together } from "#shared/database/transact.ts";
import { AppError } from "#shared/errors.ts";
import type { EventFacts } from "#shared/events/event.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { documentKey } from "#shared/links/document-links.ts";
import type { TicketOrder } from "../../contract.ts";
import { type HoldFacts, type HoldTerms, judgeHold } from "../../hold-rules.ts";
import type { OrderLine } from "../../order.ts";
import { ticketProblems } from "../../problems.ts";
import { type HeldOrder, presentHeld } from "../present-order.ts";
import {
  type DiscountCodeRow,
  describeUsesLeft,
  findDiscountCode,
  type PricedLine,
  priceLines,
  priceWithCode,
} from "../price-order.ts";
import { typeState } from "../sale.ts";
import { isOffered, readTypes, readUnavailable, type TicketTypeRow } from "../seats.ts";
import { type HeldOffer, listHeldOffers } from "../waiting/held-offers.ts";
import { describeSeatsLeft } from "./describe-seats.ts";
import { countEventHolds, type EarlierLine, hourBefore, type SeenHolds, seeHolds } from "./recent-holds.ts";

// Whether seats may be held, for how long and at what price. Nothing here is written: `holdTickets` does that.

export type HoldServices = CoreServices<"database" | "now", "secretKey" | "linkDays" | "tickets" | "limits"> & {
  /** The captcha that is asked for only on suspicion. */
  readonly work: Captcha;
};

export type Holder = {
  readonly address: string;
  readonly browser: string | undefined;
  readonly idempotencyKey: string | undefined;
};
type Wanted = { readonly type: TicketTypeRow; readonly quantity: number };

export type Asked = Holder & {
  readonly services: HoldServices;
  /** The slug of the event. */
  readonly event: string;
  readonly lines: readonly OrderLine[];
  readonly requestHash: Buffer;
  readonly instead: { readonly id: string; readonly key: string } | undefined;
  readonly access: string | undefined;
  /** Empty for none. */
  readonly discount: string;
  /** Null for a hold that does not count for its address. */
  readonly network: string | null;
  readonly at: Date;
};
export type Hold = Asked & { readonly facts: EventFacts; readonly solved: SolvedCaptcha | null };

/** What decides about a hold. */
export type Seen = Omit<HoldFacts, "wanted" | "capacity" | "sold" | "held"> &
  SeenHolds & {
    readonly types: readonly TicketTypeRow[];
    readonly code: DiscountCodeRow | undefined;
    /** The offer from the waiting list that is changed. */
    readonly offer: HeldOffer | undefined;
  };

/** Reads what decides about a hold, in one message to the database. */
export async function readSeen(
  connection: Connection,
  asked: Asked,
  eventId: number | RawBuilder<number>,
): Promise<Seen> {
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

/** Rolls the transaction back and carries the reply. */
export class Refusal extends Error {
  readonly reply: Reply<TicketOrder>;
  constructor(reply: Reply<TicketOrder>) {
    super("seats were refused");
    this.reply = reply;
  }
}

/** A Refusal for what `hold_seats` raises about the tickets; any other error as it is. */
export function explain(error: unknown, decided: Decided): unknown {
  if (isRaised(error, raised.tooFewUses))
    return new Refusal(refuseCode(describeUsesLeft(Number(error.detail), decided.lines)));
  if (isRaised(error, raised.salesStopped)) return new Refusal(refused(ticketProblems.sales_stopped));
  const left = readUnavailable(error);
  return left === undefined ? error : new Refusal(refuseUnavailable(decided, left));
}

export type Decided = {
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
export function decide(hold: Hold, seen: Seen): Decided {
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

export const refuseCode = (message: string) => refused(ticketProblems.code_refused, { message });

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
