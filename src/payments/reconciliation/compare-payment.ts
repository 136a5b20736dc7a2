import { isPaid, isUndecided } from "../states.ts";
import { checkRefunds, checkTakenBack } from "./compare-refunds.ts";
import {
  type BookedPayment,
  type Charge,
  type Finding,
  inWords,
  keptCents,
  type Notes,
  noteForeign,
  noteMovements,
  type Terms,
} from "./compare-terms.ts";

/** One payment of ours against the charges that the provider has for it. */
export function checkPayment(payment: BookedPayment, charges: readonly Charge[], notes: Notes, terms: Terms) {
  const isWaiting = isUndecided(payment.state);
  if (isWaiting && terms.now.getTime() - payment.sentAt.getTime() <= terms.giveUpMs) {
    notes.openPayments += 1;
    return;
  }
  const main =
    (isPaid(payment.state) ? charges.find((charge) => charge.transactionId === payment.transactionId) : undefined) ??
    charges.find((charge) => keptCents(charge) > 0) ??
    charges[0];
  for (const charge of charges) {
    if (charge !== main) noteForeign(charge, payment.attemptId, "charged_twice", notes);
  }
  if (isPaid(payment.state)) checkPaid(payment, main, notes, terms);
  else checkUnpaid(payment, main, isWaiting, notes);
}

/** Nothing may be held for a payment that failed; one that is open for too long must at least look the same there. */
function checkUnpaid(payment: BookedPayment, main: Charge | undefined, isWaiting: boolean, notes: Notes) {
  const theirsCents = main === undefined ? 0 : keptCents(main);
  if (main !== undefined) noteMovements(main, notes);
  const isAgreed = isWaiting ? main?.status === "pending" : theirsCents === 0;
  if (isAgreed) return;
  const kind = (isWaiting && main !== undefined && theirsCents > 0 && amountFinding(payment, main)) || "status_differs";
  note(notes, payment, main, { kind, oursCents: 0, theirsCents, detail: bothStates(payment, main) });
}

function checkPaid(payment: BookedPayment, main: Charge | undefined, notes: Notes, terms: Terms) {
  const { amountCents: oursCents } = payment;
  if (main === undefined) {
    const detail = bothStates(payment, main);
    note(notes, payment, main, { kind: "payment_without_charge", oursCents, theirsCents: 0, detail });
    return;
  }
  const isKnown = checkTakenBack(payment, main, notes);
  if (main.status === "approved" || isKnown) notes.theirs.push({ day: payment.day, cents: main.amountCents });
  const trouble = isKnown ? null : statusTrouble(payment, main);
  const amount = amountFinding(payment, main);
  if (trouble !== null) {
    const theirsCents = main.status === "approved" ? main.amountCents : 0;
    note(notes, payment, main, { kind: "status_differs", oursCents, theirsCents, detail: trouble });
  } else if (amount !== null) {
    const detail = `here in ${payment.currency}, there in ${main.currency}`;
    note(notes, payment, main, { kind: amount, oursCents, theirsCents: main.amountCents, detail });
  }
  checkRefunds(payment, main, notes, terms);
}

/** What is wrong with the state of a charge that our books call paid; null where nothing is. */
function statusTrouble(payment: BookedPayment, main: Charge): string | null {
  if (main.status !== "approved") return bothStates(payment, main);
  if (main.dispute === "lost") return "the provider took it back after a dispute";
  if (main.dispute === "open" && payment.state !== "disputed") return "a dispute is open there";
  if (main.dispute !== "open" && payment.state === "disputed") return "here it is disputed, there the dispute is over";
  return null;
}

function amountFinding(payment: BookedPayment, main: Charge): "amount_differs" | "currency_differs" | null {
  if (main.currency !== payment.currency) return "currency_differs";
  return main.amountCents === payment.amountCents ? null : "amount_differs";
}

function bothStates({ state }: BookedPayment, main: Charge | undefined): string {
  const there = main === undefined ? "the provider has no such charge" : `there '${main.providerStatus}'`;
  return `here '${inWords(state)}', ${there}`;
}

function note(
  { findings }: Notes,
  { attemptId, orderReference, transactionId, day }: BookedPayment,
  main: Charge | undefined,
  finding: Pick<Finding, "kind" | "oursCents" | "theirsCents" | "detail">,
) {
  const reference = main?.transactionId ?? transactionId ?? orderReference;
  findings.push({ ...finding, reference, day, attemptId, refundId: null });
}
