import type { Attempt } from "../attempts.ts";
import type { ProviderTransaction } from "../provider.ts";
import type { RefundKind } from "../tables.ts";
import { keptOf, paidStateAfter, roomOf } from "./refund-rules.ts";
import type { RefundState } from "./refund-states.ts";

/** One step to bring a payment's books in line with the provider's. Steps are taken in order. */
export type ReviewStep =
  /** A refund of ours that the provider made. */
  | { readonly do: "confirm"; readonly refundId: string; readonly how: "refund" | "void"; readonly proof: Proof }
  /** A refund that the provider made without our request. */
  | { readonly do: "add"; readonly kind: RefundKind; readonly cents: number; readonly proof: Proof }
  /** An unsent refund that the rest of the payment no longer covers. */
  | { readonly do: "drop"; readonly refundId: string }
  | { readonly do: "dispute" }
  | { readonly do: "win" }
  | { readonly do: "alert"; readonly reason: string }
  /** A refund of ours is undecided: repeat the review soon. */
  | { readonly do: "wait" };

type Proof = { readonly transactionId: string; readonly status: string };

type PlannedRefund = {
  readonly id: string;
  readonly state: RefundState;
  readonly kind: RefundKind;
  readonly amount_cents: number;
  readonly order_reference: string;
  readonly provider_transaction_id: string | null;
};

type PlannedAttempt = Pick<Attempt, "state" | "amount_cents" | "currency" | "provider_transaction_id">;

/** The books in memory. Each planned step is applied to them, so that the next step starts from it. */
type Plan = { readonly attempt: PlannedAttempt; readonly books: PlannedRefund[]; readonly steps: ReviewStep[] };

/**
 * The steps that bring a payment's books in line with the provider's transactions; empty if they agree. The
 * transactions may contain duplicates and those of other payments.
 */
export function planReview(
  attempt: PlannedAttempt,
  refunds: readonly PlannedRefund[],
  transactions: readonly ProviderTransaction[],
): ReviewStep[] {
  const chargeId = attempt.provider_transaction_id;
  const plan: Plan = { attempt, books: refunds.map((refund) => ({ ...refund })), steps: [] };
  const made = transactions.filter(({ type, parentId }) => type === "refund" && parentId === chargeId);
  const byId = new Map(made.map((transaction) => [transaction.transactionId, transaction]));
  for (const refund of byId.values()) planRefund(plan, refund, [...byId.values()]);
  const charge = transactions.find(({ type, transactionId }) => type === "payment" && transactionId === chargeId);
  if (charge !== undefined) {
    planTakenBack(plan, charge);
    planDispute(plan, charge);
  }
  return plan.steps;
}

function planRefund(plan: Plan, refund: ProviderTransaction, all: readonly ProviderTransaction[]) {
  const { books, steps, attempt } = plan;
  const known = books.find(({ provider_transaction_id }) => provider_transaction_id === refund.transactionId);
  if (known?.state === "succeeded") {
    if (refund.status === "declined" || refund.status === "voided") {
      steps.push({ do: "alert", reason: `a refund that was made is now '${refund.providerStatus}' at the provider` });
    }
    return;
  }
  if (refund.status !== "approved") return;
  if (refund.currency !== attempt.currency) {
    steps.push({ do: "alert", reason: "the provider refunded money in another currency" });
    return;
  }
  const ours = findOurs(books, refund, all);
  if (ours === undefined) {
    if (makeRoom(plan, refund.amountCents)) add(plan, "refund", refund.amountCents, refund);
  } else if (ours.amount_cents !== refund.amountCents) {
    steps.push({ do: "alert", reason: "the provider refunded a different amount than requested" });
  } else if (ours.state === "failed" && roomOf(attempt.amount_cents, books) < refund.amountCents) {
    steps.push({
      do: "alert",
      reason: "a refund that had been given up was made after all, as well as another one",
    });
  } else {
    confirm(plan, ours, "refund", refund);
  }
}

/** Our refund for a transaction: by our reference, or else one of the same amount whose answer is missing. */
function findOurs(
  books: readonly PlannedRefund[],
  refund: ProviderTransaction,
  all: readonly ProviderTransaction[],
): PlannedRefund | undefined {
  const open = books.filter(
    ({ state, provider_transaction_id }) => state !== "succeeded" && provider_transaction_id === null,
  );
  const named = open.find(({ order_reference }) => order_reference === refund.orderReference);
  if (named !== undefined) return named;
  const listed = new Set(all.map(({ orderReference }) => orderReference));
  return open.find(
    (ours) => isUncertain(ours) && ours.amount_cents === refund.amountCents && !listed.has(ours.order_reference),
  );
}

/** Plans for a charge that the provider no longer has: voided by us, or reversed by the provider. */
function planTakenBack(plan: Plan, charge: ProviderTransaction) {
  if (charge.status !== "voided" && charge.status !== "declined") return;
  const { attempt, books } = plan;
  if (books.some(({ provider_transaction_id }) => provider_transaction_id === charge.transactionId)) return;
  const isVoid = charge.status === "voided" && charge.providerStatus !== "settlement_declined";
  const ours = books.find((refund) => isUncertain(refund) && refund.amount_cents === attempt.amount_cents);
  if (isVoid && ours !== undefined) confirm(plan, ours, "void", charge);
  else takeAll(plan, isVoid ? "void" : "reversal", charge);
}

function planDispute(plan: Plan, charge: ProviderTransaction) {
  const { attempt, books, steps } = plan;
  const state = paidStateAfter(attempt, books);
  const isLost = books.some(({ kind, state }) => kind === "chargeback" && state === "succeeded");
  if (charge.dispute === "open") {
    if (state === "refunded") {
      if (!isLost) steps.push({ do: "alert", reason: "the payer disputes a payment that was refunded" });
    } else if (state !== "disputed") steps.push({ do: "dispute" });
  }
  if (charge.dispute === "won") {
    if (state === "disputed") steps.push({ do: "win" });
    if (isLost) steps.push({ do: "alert", reason: "a lost dispute is now won: the money is ours again" });
  }
  if (charge.dispute === "lost" && !isLost) {
    if (keptOf(attempt.amount_cents, books) > 0) takeAll(plan, "chargeback", charge);
    else steps.push({ do: "alert", reason: "a dispute was lost over a payment that had already been refunded" });
  }
}

function takeAll(plan: Plan, kind: RefundKind, charge: ProviderTransaction) {
  const cents = keptOf(plan.attempt.amount_cents, plan.books);
  if (cents > 0 && makeRoom(plan, cents)) add(plan, kind, cents, charge);
}

/** Whether the payment covers a refund; drops refunds that were requested but not sent, if necessary. */
function makeRoom({ attempt, books, steps }: Plan, cents: number): boolean {
  while (roomOf(attempt.amount_cents, books) < cents) {
    const index = books.findLastIndex(({ state }) => state === "requested");
    const refund = books[index];
    if (refund === undefined) {
      const reason = "the provider refunded more than it had charged";
      steps.push(books.some(isUncertain) ? { do: "wait" } : { do: "alert", reason });
      return false;
    }
    books[index] = { ...refund, state: "failed" };
    steps.push({ do: "drop", refundId: refund.id });
  }
  return true;
}

function confirm({ books, steps }: Plan, ours: PlannedRefund, how: "refund" | "void", found: ProviderTransaction) {
  const { transactionId, providerStatus: status } = found;
  const index = books.indexOf(ours);
  books[index] = { ...ours, state: "succeeded", provider_transaction_id: transactionId };
  steps.push({ do: "confirm", refundId: ours.id, how, proof: { transactionId, status } });
}

function add({ books, steps }: Plan, kind: RefundKind, cents: number, found: ProviderTransaction) {
  const { transactionId, providerStatus: status } = found;
  const refund = { id: "", state: "succeeded", kind, amount_cents: cents, order_reference: "" } as const;
  books.push({ ...refund, provider_transaction_id: transactionId });
  steps.push({ do: "add", kind, cents, proof: { transactionId, status } });
}

function isUncertain({ state }: { readonly state: RefundState }): boolean {
  return state === "submitting" || state === "unknown";
}
