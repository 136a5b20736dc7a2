import {
  type BookedPayment,
  type BookedRefund,
  type ComparisonTerms,
  type Finding,
  inWords,
  isMade,
  type ListedCharge,
  type ListedTransaction,
  type Notes,
} from "./compare-terms.ts";

/** Compares our voids, reversals and chargebacks with the charge. Returns whether our books have them all. */
export function checkTakenBack(payment: BookedPayment, main: ListedCharge, notes: Notes): boolean {
  const isVoid = main.status === "voided" || main.status === "declined";
  let isKnown = false;
  for (const refund of payment.refunds) {
    if (refund.kind === "refund" || refund.state !== "succeeded") continue;
    const isChargeback = refund.kind === "chargeback";
    if (isChargeback ? main.dispute !== "lost" : !isVoid) {
      noteMissing(payment, refund, `there the charge is '${main.providerStatus}'`, notes);
      continue;
    }
    isKnown = true;
    // A void takes back the whole charge, a chargeback what is left of it.
    const theirsCents = isChargeback ? refund.amountCents : main.amountCents;
    notes.theirs.push({ day: refund.day, cents: -theirsCents });
    if (theirsCents === refund.amountCents) continue;
    notePair(payment, refund, { kind: "refund_amount_differs", reference: refund.orderReference, theirsCents }, notes);
  }
  return isKnown;
}

/** Compares our refunds with the provider's refunds of the same charge. */
export function checkRefunds(
  payment: BookedPayment,
  main: ListedCharge,
  notes: Notes,
  { now, giveUpMs }: ComparisonTerms,
) {
  const left = new Set(main.refunds.filter(isMade));
  for (const refund of payment.refunds.filter(({ kind }) => kind === "refund")) {
    const theirs =
      [...left].find(({ transactionId }) => transactionId === refund.transactionId) ??
      [...left].find(({ orderReference }) => orderReference === refund.orderReference);
    if (theirs !== undefined) left.delete(theirs);
    const isDone = refund.state === "succeeded";
    const isOpen = !isDone && refund.state !== "failed";
    if (isOpen && now.getTime() - refund.at.getTime() <= giveUpMs) continue;
    if (theirs === undefined) {
      if (isDone) noteMissing(payment, refund, "the provider has no such refund", notes);
      continue;
    }
    const { transactionId: reference, amountCents: theirsCents } = theirs;
    notes.theirs.push({ day: isDone ? refund.day : theirs.day, cents: -theirsCents });
    if (!isDone) notePair(payment, refund, { kind: "status_differs", reference, theirsCents }, notes);
    else if (theirsCents !== refund.amountCents) {
      notePair(payment, refund, { kind: "refund_amount_differs", reference, theirsCents }, notes);
    }
  }
  for (const theirs of left) noteUnrequested(theirs, payment.attemptId, notes);
}

/** Notes a refund at the provider that we never requested. */
export function noteUnrequested(theirs: ListedTransaction, attemptId: string | null, notes: Notes) {
  const { transactionId: reference, day, parentId } = theirs;
  const theirsCents = -theirs.amountCents;
  const detail = `a refund of charge ${parentId ?? "unknown"}`;
  notes.theirs.push({ day, cents: theirsCents });
  notes.findings.push({
    kind: "refund_without_request",
    reference,
    day,
    attemptId,
    refundId: null,
    oursCents: 0,
    theirsCents,
    detail,
  });
}

function noteMissing(payment: BookedPayment, refund: BookedRefund, detail: string, { findings }: Notes) {
  findings.push({
    kind: "refund_missing",
    // A void has the charge's transaction id, so our reference identifies it better.
    reference: (refund.kind === "refund" ? refund.transactionId : null) ?? refund.orderReference,
    day: refund.day,
    attemptId: payment.attemptId,
    refundId: refund.refundId,
    oursCents: -refund.amountCents,
    theirsCents: 0,
    detail,
  });
}

/** `theirsCents` is positive, as the provider counts refunds. */
function notePair(
  { attemptId }: BookedPayment,
  { refundId, day, state, amountCents }: BookedRefund,
  { kind, reference, theirsCents }: Pick<Finding, "kind" | "reference" | "theirsCents">,
  { findings }: Notes,
) {
  const isDone = state === "succeeded";
  findings.push({
    kind,
    reference,
    day,
    attemptId,
    refundId,
    oursCents: isDone ? -amountCents : 0,
    theirsCents: -theirsCents,
    detail: `our refund is '${inWords(state)}'`,
  });
}
