import { isPaid } from "../states.ts";
import { comparePayment } from "./compare-payment.ts";
import { noteUnrequested } from "./compare-refunds.ts";
import {
  type BookedPayment,
  type ComparisonTerms,
  inWords,
  isMade,
  type ListedCharge,
  type ListedTransaction,
  type Movement,
  type Notes,
  noteForeign,
  type ProviderComparison,
} from "./compare-terms.ts";

/**
 * Compares our payments with a provider's list, to the cent, and returns each difference. Look up what a list lacks,
 * and add it to the list, before reporting it as missing.
 */
export function compareWithProvider(
  booked: readonly BookedPayment[],
  listed: readonly ListedTransaction[],
  terms: ComparisonTerms,
): ProviderComparison {
  const notes: Notes = { findings: [], theirs: [], openPayments: 0 };
  const rows = [...new Map(listed.map((row) => [row.transactionId, row])).values()];
  const refunds = Map.groupBy(
    rows.filter(({ type }) => type === "refund"),
    ({ parentId }) => parentId,
  );
  const charges = rows
    .filter(({ type }) => type === "payment")
    .map((row): ListedCharge => ({ ...row, refunds: refunds.get(row.transactionId) ?? [] }));
  const matched = matchCharges(booked, charges);
  for (const payment of booked) {
    checkLedger(payment, notes);
    comparePayment(payment, matched.get(payment.attemptId) ?? [], notes, terms);
  }
  for (const charge of matched.get(null) ?? []) noteForeign(charge, null, "charge_without_payment", notes);
  // Refunds whose charge is neither in the list nor among our paid payments.
  const known = new Set([...booked.filter(({ state }) => isPaid(state)), ...charges].map((one) => one.transactionId));
  for (const row of [...refunds.values()].flat()) {
    if (isMade(row) && !(row.parentId !== null && known.has(row.parentId))) noteUnrequested(row, null, notes);
  }
  return sum(booked, notes, terms);
}

/** Groups charges by attempt, matched by transaction id or else by our reference; under null if none matches. */
function matchCharges(booked: readonly BookedPayment[], charges: readonly ListedCharge[]) {
  const byTransaction = new Map(booked.map((payment) => [payment.transactionId, payment]));
  const byReference = new Map(booked.map((payment) => [payment.orderReference, payment]));
  return Map.groupBy(charges, ({ transactionId, orderReference }) => {
    const payment = byTransaction.get(transactionId) ?? byReference.get(orderReference ?? "");
    return payment?.attemptId ?? null;
  });
}

/** Compares the ledger with the attempt and each refund; here `theirsCents` is our own attempt's amount. */
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
      detail: `the ${what} is '${inWords(of.state)}'`,
    });
  }
}

function sum(booked: readonly BookedPayment[], notes: Notes, { day }: ComparisonTerms): ProviderComparison {
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
  Finding,
  FindingKind,
  ListedTransaction,
  ProviderComparison,
} from "./compare-terms.ts";
