import { type RefundState, refundEventOf } from "#payments/refunds/refund-states.ts";
import { eventOf, isPaid, type PaymentState, shownAs } from "#payments/states.ts";
import { type HeldCharge, heldCents, type ModelBank } from "./bank.ts";
import { compareAll } from "./daily.ts";
import { settings } from "./rules.ts";
import type { AttemptRow, ModelRefund, StateEvent } from "./store.ts";
import type { World } from "./world.ts";

/**
 * The invariants of the money; each throws with its number. I8 (a captcha is spent once) and I9 (a nonce is PayPal's) are
 * decided before this machine starts, and have their own tests.
 */

/** Checks a world after each step; remembers how far it has read the events. */
export function watch(world: World) {
  const { store, banks } = world;
  const states = new Map<string, PaymentState>();
  const refundStates = new Map<string, RefundState>();
  let readPayments = 0;
  let readRefunds = 0;

  return {
    check() {
      readPayments = replay("payment", store.paymentEvents, states, eventOf, readPayments);
      readRefunds = replay("refund", store.refundEvents, refundStates, refundEventOf, readRefunds);
      const refundsOf = groupRefunds(store.refunds.values());
      const accounts = new Map<string, number>();
      for (const { attemptId, account, cents } of store.ledger) {
        const key = attemptId + account;
        accounts.set(key, (accounts.get(key) ?? 0) + cents);
      }
      const valid = new Map<string, number>();
      for (const { attemptId, isVoid } of store.receipts) {
        valid.set(attemptId, (valid.get(attemptId) ?? 0) + (isVoid ? 0 : 1));
      }
      checkBanks(banks);
      const keys = new Set<string>();
      for (const attempt of store.attempts.values()) {
        if (states.get(attempt.id) !== attempt.state) fail("I5", attempt, "its events do not lead to its state");
        if (keys.has(attempt.client_key) || keys.has(attempt.token))
          fail("I7", attempt, "one submission has two payments");
        keys.add(attempt.client_key).add(attempt.token);
        const refunds = refundsOf.get(attempt.id) ?? [];
        const ledgerCents = accounts.get(`${attempt.id}receivable:${attempt.provider}`) ?? 0;
        checkPayment(attempt, refunds, banks[attempt.provider], ledgerCents);
        const wanted = isPaid(attempt.state) && ledgerCents > 0 ? 1 : 0;
        if ((valid.get(attempt.id) ?? 0) !== wanted) fail("I4", attempt, "valid receipts are not one for what is kept");
        if (valid.has(attempt.id) !== isPaid(attempt.state))
          fail("I4", attempt, "a receipt without a payment, or the other way");
      }
      for (const refund of store.refunds.values()) {
        if (refundStates.get(refund.id) !== refund.state) fail("I5", refund, "its events do not lead to its state");
      }
      for (const [account, cents] of accounts) {
        const isReceivable = account.includes("receivable:");
        if (isReceivable ? cents < 0 : cents > 0) throw new Error(`I2: ${account} is overdrawn by ${Math.abs(cents)}`);
      }
    },
  };
}

/** I5: only allowed moves, each from the state that the previous one led to. */
function replay<State extends string>(
  what: string,
  events: readonly StateEvent<State>[],
  states: Map<string, State>,
  legalEvent: (from: State, to: State) => string | undefined,
  from: number,
): number {
  for (let index = from; index < events.length; index += 1) {
    const event = events[index]!;
    const isFirst = event.from === null && !states.has(event.of);
    const isNext = event.from !== null && states.get(event.of) === event.from;
    if (!isFirst && !(isNext && legalEvent(event.from!, event.to) === event.event)) {
      throw new Error(`I5: the ${what} ${event.of} went from ${states.get(event.of)} by ${event.event} to ${event.to}`);
    }
    states.set(event.of, event.to);
  }
  return events.length;
}

function groupRefunds(refunds: Iterable<ModelRefund>): Map<string, ModelRefund[]> {
  const groups = new Map<string, ModelRefund[]>();
  for (const refund of refunds) {
    const group = groups.get(refund.attempt_id);
    if (group === undefined) groups.set(refund.attempt_id, [refund]);
    else group.push(refund);
  }
  return groups;
}

/** I1: at most one charge for an order. I11: refunds never exceed the charge, and no request is granted twice. */
function checkBanks(banks: World["banks"]) {
  for (const bank of [banks.payway, banks.braintree]) {
    const orders = new Set<string>();
    const granted = new Set<string>();
    for (const charge of bank.held) {
      if (charge.status !== "approved" && charge.status !== "pending") continue;
      if (orders.has(charge.orderReference)) throw new Error(`I1: ${charge.orderReference} was charged twice`);
      orders.add(charge.orderReference);
      for (const { orderReference } of charge.refunds) {
        if (orderReference === null) continue;
        if (granted.has(orderReference)) throw new Error(`I11: ${orderReference} was given back twice`);
        granted.add(orderReference);
      }
    }
  }
}

function checkPayment(attempt: AttemptRow, refunds: readonly ModelRefund[], bank: ModelBank, ledgerCents: number) {
  const isTaken = isPaid(attempt.state);
  let promised = 0;
  let given = 0;
  for (const { state, amount_cents } of refunds) {
    if (state !== "failed") promised += amount_cents;
    if (state === "succeeded") given += amount_cents;
  }
  if (promised > attempt.amount_cents) fail("I11", attempt, "refunds exceed the charge");
  if (ledgerCents !== (isTaken ? attempt.amount_cents - given : 0)) fail("I2", attempt, "the ledger differs");
  if (attempt.state === "refunded" && given !== attempt.amount_cents)
    fail("I2", attempt, "refunded, and something is kept");
  const isOver = isTaken || shownAs[attempt.state] === "failed";
  if (isOver && attempt.instrument !== null) fail("I10", attempt, "its card token is still there");
  if (isTaken) checkCharge(attempt, refunds, bank.find(attempt.provider_transaction_id));
  else checkUntaken(attempt, bank);
}

/** I6 and I12: a success has a charge of this order and amount. I2: refunds on our books were made at the provider. */
function checkCharge(attempt: AttemptRow, refunds: readonly ModelRefund[], charge: HeldCharge | undefined) {
  if (charge === undefined) fail("I12", attempt, "it is paid without a charge");
  if (charge.orderReference !== attempt.order_reference) fail("I12", attempt, "it is paid by another's charge");
  if (charge.amountCents !== attempt.amount_cents) fail("I6", attempt, "another amount was charged");
  const wasTakenBack = charge.status !== "approved" || charge.dispute === "lost";
  const stood = new Set<string>();
  for (const refund of refunds) {
    if (refund.state !== "succeeded") continue;
    const id = refund.provider_transaction_id!;
    if (stood.has(id)) fail("I2", attempt, "two refunds stand for one of the provider's");
    stood.add(id);
    const made = charge.refunds.find((one) => one.id === id);
    const isMade = refund.kind === "refund" ? made?.amountCents === refund.amount_cents : wasTakenBack;
    if (!isMade) fail("I2", attempt, `its ${refund.kind} was never made`);
  }
  checkAuthentication(attempt, charge);
}

/** I3: a payer who was told that a payment failed had nothing charged at that moment. */
function checkUntaken(attempt: AttemptRow, bank: ModelBank) {
  for (const charge of bank.held) {
    if (charge.orderReference !== attempt.order_reference) continue;
    const isTold = shownAs[attempt.state] === "failed";
    if (isTold && charge.status === "approved" && charge.decidedAt <= attempt.settled_at!.getTime()) {
      fail("I3", attempt, "its payer was told that it failed while the provider held the money");
    }
    checkAuthentication(attempt, charge);
  }
}

/** DON-18: nothing is charged against the answer of the payer's bank, or without one above the limit. */
function checkAuthentication({ authentication, amount_cents, ...attempt }: AttemptRow, charge: HeldCharge) {
  if (authentication === "C" || authentication === "N" || authentication === "R") {
    fail("DON-18", attempt, `it was charged after ${authentication}, as ${charge.id}`);
  }
  const isLarge = amount_cents > settings.unavailableMaximumCents;
  if (authentication === "U" && isLarge) fail("DON-18", attempt, "too much was charged without the bank's word");
}

/**
 * At rest every payment and refund is decided (I3), and the providers' books match ours to the cent without orphans
 * (I1, I2), except where staff were alerted.
 */
export function checkQuiet(world: World) {
  const { store, banks, rules } = world;
  for (const attempt of store.attempts.values()) {
    if (store.alerted.has(attempt.id)) continue;
    const isDecided = isPaid(attempt.state) || shownAs[attempt.state] === "failed";
    if (!isDecided) fail("I3", attempt, "it is never decided");
    const held = banks[attempt.provider].held.filter(
      ({ orderReference }) => orderReference === attempt.order_reference,
    );
    const theirs = held.reduce((sum, charge) => sum + heldCents(charge), 0);
    const ours = store.ledger
      .filter(({ attemptId, account }) => attemptId === attempt.id && account.startsWith("receivable:"))
      .reduce((sum, { cents }) => sum + cents, 0);
    if (theirs !== ours) fail("I2", attempt, `the provider holds ${theirs}, the ledger says ${ours}`);
  }
  for (const refund of store.refunds.values()) {
    const isDecided = refund.state === "succeeded" || refund.state === "failed";
    if (!isDecided && !store.alerted.has(refund.attempt_id)) fail("I3", refund, "it is never decided");
  }
  for (const { kind, attemptId, detail } of compareAll({ ...world, rules }).flatMap(({ findings }) => findings)) {
    if (attemptId === null || !store.alerted.has(attemptId)) throw new Error(`I2: ${kind} of ${attemptId}: ${detail}`);
  }
}

function fail(invariant: string, { id, state }: { readonly id: string; readonly state: string }, why: string): never {
  throw new Error(`${invariant}: ${id} (${state}): ${why}`);
}
