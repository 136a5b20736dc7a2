import { isPaid } from "../states.ts";
import { checkPayment } from "./compare-payment.ts";
import { noteUnasked } from "./compare-refunds.ts";
import {
  type BookedPayment,
  type Charge,
  type Comparison,
  inWords,
  isMade,
  type ListedTransaction,
  type Movement,
  type Notes,
  noteForeign,
  type Terms,
} from "./compare-terms.ts";

/**
 * Holds our payments against a provider's list, to the cent, and names each difference. Knows nothing of why: what a list
 * lacks is to be looked up, and added to it, before anybody is told that it is missing.
 */
export function compareBooks(
  booked: readonly BookedPayment[],
  listed: readonly ListedTransaction[],
  terms: Terms,
): Comparison {
  const notes: Notes = { findings: [], theirs: [], openPayments: 0 };
  const rows = [...new Map(listed.map((row) => [row.transactionId, row])).values()];
  const refunds = Map.groupBy(
    rows.filter(({ type }) => type === "refund"),
    ({ parentId }) => parentId,
  );
  const charges = rows
    .filter(({ type }) => type === "payment")
    .map((row): Charge => ({ ...row, refunds: refunds.get(row.transactionId) ?? [] }));
  const matched = matchCharges(booked, charges);
  for (const payment of booked) {
    checkLedger(payment, notes);
    checkPayment(payment, matched.get(payment.attemptId) ?? [], notes, terms);
  }
  for (const charge of matched.get(null) ?? []) noteForeign(charge, null, "charge_without_payment", notes);
  // A refund whose charge is nowhere in sight, neither in the list nor among what we call paid.
  const known = new Set([...booked.filter(({ state }) => isPaid(state)), ...charges].map((one) => one.transactionId));
  for (const row of [...refunds.values()].flat()) {
    if (isMade(row) && !(row.parentId !== null && known.has(row.parentId))) noteUnasked(row, null, notes);
  }
  return sum(booked, notes, terms);
}

/** Each charge under the attempt that it belongs to, by its own id before our reference; under null where there is none. */
function matchCharges(booked: readonly BookedPayment[], charges: readonly Charge[]) {
  const byTransaction = new Map(booked.map((payment) => [payment.transactionId, payment]));
  const byReference = new Map(booked.map((payment) => [payment.orderReference, payment]));
  return Map.groupBy(charges, ({ transactionId, orderReference }) => {
    const payment = byTransaction.get(transactionId) ?? byReference.get(orderReference ?? "");
    return payment?.attemptId ?? null;
  });
}

/** The ledger against the attempt and its refunds, one by one; here the other side of a finding is our own attempt. */
function checkLedger(payment: BookedPayment, { findings }: Notes) {
  const { attemptId } = payment;
  const parts = [
    { of: payment, what: "payment", refundId: null, expected: isPaid(payment.state) ? payment.amountCents : 0 },
    ...payment.refunds.map((refund) => ({
      of: refund,
      what: "refund",
      refundId: refund.refundId,
      expected: refund.state === "succeeded" ? -refund.amountCents : 0,
    })),
  ];
  for (const { of, what, refundId, expected } of parts) {
    if (of.ledgerCents === expected) continue;
    findings.push({
      kind: "ledger_differs",
      reference: of.orderReference,
      day: of.day,
      attemptId,
      refundId,
      oursCents: of.ledgerCents,
      theirsCents: expected,
      detail: `the ${what} stands as '${inWords(of.state)}'`,
    });
  }
}

function sum(booked: readonly BookedPayment[], notes: Notes, { day }: Terms): Comparison {
  const ours = booked.flatMap((payment): Movement[] => [
    { day: payment.day, cents: payment.ledgerCents },
    ...payment.refunds.map((refund) => ({ day: refund.day, cents: refund.ledgerCents })),
  ]);
  const total = (movements: readonly Movement[]) =>
    movements.reduce((cents, movement) => cents + (movement.day === day ? movement.cents : 0), 0);
  return {
    findings: notes.findings,
    oursCents: total(ours),
    theirsCents: total(notes.theirs),
    transactions: notes.theirs.filter((movement) => movement.day === day).length,
    openPayments: notes.openPayments,
  };
}

export type {
  BookedPayment,
  BookedRefund,
  Comparison,
  Finding,
  FindingKind,
  ListedTransaction,
} from "./compare-terms.ts";
