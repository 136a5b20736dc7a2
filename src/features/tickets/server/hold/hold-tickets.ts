import { createHash } from "node:crypto";
import { paymentProblems } from "#payments/problems.ts";
import { findSolved, spendEffort } from "#shared/captcha/captcha.ts";
import { accepted, type Reply, refused } from "#shared/contract/envelope.ts";
import type { Database } from "#shared/database/connect.ts";
import { isRaised, raised } from "#shared/database/raised.ts";
import { readOnOneConnection, together, transact } from "#shared/database/transact.ts";
import { AppError } from "#shared/errors.ts";
import { eventIdOf, findEventFacts } from "#shared/events/find-event.ts";
import { limitKey } from "#shared/limits/limit-key.ts";
import { documentKey } from "#shared/links/document-links.ts";
import type { TicketOrder } from "../../contract.ts";
import { tidyCode } from "../../discounts.ts";
import { type OrderLine, sumLines } from "../../order.ts";
import { ticketProblems } from "../../problems.ts";
import { presentOrder } from "../present-order.ts";
import { lockSeats } from "../seats.ts";
import { findOrderByKey, type OrderRow } from "../store.ts";
import { moveOffer } from "../waiting/held-offers.ts";
import { isGuessing, TOO_MANY_GUESSES } from "./code-guesses.ts";
import {
  type Asked,
  type Decided,
  decide,
  explain,
  type Hold,
  type Holder,
  type HoldServices,
  Refusal,
  readSeen,
  refuseCode,
  type Seen,
} from "./decide-hold.ts";
import { lockHolder } from "./recent-holds.ts";

type HoldRequest = {
  readonly event: string;
  readonly lines: readonly OrderLine[];
  readonly instead?: Asked["instead"];
  readonly captcha?: string | undefined;
  /** The key of a link that shows further types. */
  readonly access?: string | undefined;
  readonly discount?: string | undefined;
};

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
