import { isPaid, isUndecided } from "../states.ts";
import { checkRefunds, checkTakenBack } from "./compare-refunds.ts";
import {
  type BookedPayment,
  bookedCents,
  type ComparisonTerms,
  type Finding,
  inWords,
  type ListedCharge,
  type Notes,
  noteForeign,
  noteMovements,
} from "./compare-terms.ts";

/** Compares one payment of ours with the provider's charges for it. */
export function comparePayment(
  payment: BookedPayment,
  charges: readonly ListedCharge[],
  notes: Notes,
  terms: ComparisonTerms,
) {
  const isWaiting = isUndecided(payment.state);
  if (isWaiting && terms.now.getTime() - payment.sentAt.getTime() <= terms.giveUpMs) {
    notes.openPayments += 1;
    return;
  }
  const main =
    (isPaid(payment.state) ? charges.find((charge) => charge.transactionId === payment.transactionId) : undefined) ??
    charges.find((charge) => bookedCents(charge) > 0) ??
    charges[0];
  for (const charge of charges) {
    if (charge !== main) noteForeign(charge, payment.attemptId, "charged_twice", notes);
  }
  if (isPaid(payment.state)) checkPaid(payment, main, notes, terms);
  else checkUnpaid(payment, main, isWaiting, notes);
}

/** A failed payment must have no money at the provider; one that is open for too long must be pending there. */
function checkUnpaid(payment: BookedPayment, main: ListedCharge | undefined, isWaiting: boolean, notes: Notes) {
  const theirsCents = main === undefined ? 0 : bookedCents(main);
  if (main !== undefined) noteMovements(main, notes);
  const isAgreed = isWaiting ? main?.status === "pending" : theirsCents === 0;
  if (isAgreed) return;
  const kind = (isWaiting && main !== undefined && theirsCents > 0 && amountFinding(payment, main)) || "status_differs";
  note(notes, payment, main, { kind, oursCents: 0, theirsCents, detail: bothStates(payment, main) });
}

function checkPaid(payment: BookedPayment, main: ListedCharge | undefined, notes: Notes, terms: ComparisonTerms) {
  const { amountCents: oursCents } = payment;
  if (main === undefined && noteReversal(payment, notes)) return;
  if (main === undefined) {
    const detail = bothStates(payment, main);
    note(notes, payment, main, { kind: "payment_without_charge", oursCents, theirsCents: 0, detail });
    return;
  }
  const isKnown = checkTakenBack(payment, main, notes);
  if (main.status === "approved" || isKnown) notes.theirs.push({ day: payment.day, cents: main.amountCents });
  const difference = isKnown ? null : statusDifference(payment, main);
  const amount = amountFinding(payment, main);
  if (difference !== null) {
    const theirsCents = main.status === "approved" ? main.amountCents : 0;
    note(notes, payment, main, { kind: "status_differs", oursCents, theirsCents, detail: difference });
  } else if (amount !== null) {
    const detail = `here in ${payment.currency}, there in ${main.currency}`;
    note(notes, payment, main, { kind: amount, oursCents, theirsCents: main.amountCents, detail });
  }
  checkRefunds(payment, main, notes, terms);
}

/**
 * Whether staff have reversed a payment that the provider doesn't have. It then counts on both sides' days as made and
 * taken back, like a void.
 */
function noteReversal(payment: BookedPayment, { theirs }: Notes): boolean {
  const made = payment.refunds.filter(({ state }) => state === "succeeded");
  const takenCents = made.reduce((sum, { amountCents }) => sum + amountCents, 0);
  if (takenCents !== payment.amountCents || !made.some(({ kind }) => kind === "reversal")) return false;
  theirs.push({ day: payment.day, cents: payment.amountCents });
  for (const { day, amountCents } of made) theirs.push({ day, cents: -amountCents });
  return true;
}

/** How the provider's state differs for a payment that our books call paid; null if it doesn't. */
function statusDifference(payment: BookedPayment, main: ListedCharge): string | null {
  if (main.status !== "approved") return bothStates(payment, main);
  if (main.dispute === "lost") return "the provider took it back after a dispute";
  if (main.dispute === "open" && payment.state !== "disputed") return "a dispute is open there";
  if (main.dispute !== "open" && payment.state === "disputed")
    return "here it is disputed, there the dispute has ended";
  return null;
}

function amountFinding(payment: BookedPayment, main: ListedCharge): "amount_differs" | "currency_differs" | null {
  if (main.currency !== payment.currency) return "currency_differs";
  return main.amountCents === payment.amountCents ? null : "amount_differs";
}

function bothStates({ state }: BookedPayment, main: ListedCharge | undefined): string {
  const there = main === undefined ? "the provider has no such charge" : `there '${main.providerStatus}'`;
  return `here '${inWords(state)}', ${there}`;
}

function note(
  { findings }: Notes,
  { attemptId, orderReference, transactionId, day }: BookedPayment,
  main: ListedCharge | undefined,
  finding: Pick<Finding, "kind" | "oursCents" | "theirsCents" | "detail">,
) {
  const reference = main?.transactionId ?? transactionId ?? orderReference;
  findings.push({ ...finding, reference, day, attemptId, refundId: null });
}
