import type { ProviderTransaction } from "../provider.ts";
import type { RefundState } from "../refunds/refund-states.ts";
import type { PaymentState } from "../states.ts";
import type { RefundKind } from "../tables.ts";

/** One payment in our books; `ledgerCents` is what the provider owes us for the charge alone, by the ledger. */
export type BookedPayment = {
  readonly attemptId: string;
  readonly orderReference: string;
  readonly transactionId: string | null;
  readonly state: PaymentState;
  readonly amountCents: number;
  readonly currency: string;
  readonly sentAt: Date;
  /** In Sydney, YYYY-MM-DD. */
  readonly day: string;
  readonly ledgerCents: number;
  readonly refunds: readonly BookedRefund[];
};

/** `at` is when it was settled or, until then, last sent or requested. `ledgerCents` is negative. */
export type BookedRefund = {
  readonly refundId: string;
  readonly orderReference: string;
  readonly transactionId: string | null;
  readonly kind: RefundKind;
  readonly state: RefundState;
  readonly amountCents: number;
  readonly at: Date;
  readonly day: string;
  readonly ledgerCents: number;
};

export type ListedTransaction = ProviderTransaction & { readonly day: string };

export type ListedCharge = ListedTransaction & { readonly refunds: readonly ListedTransaction[] };

export const findingKinds = [
  "charge_without_payment",
  "payment_without_charge",
  "amount_differs",
  "currency_differs",
  "status_differs",
  "charged_twice",
  "refund_without_request",
  "refund_missing",
  "refund_amount_differs",
  "ledger_differs",
] as const;
export type FindingKind = (typeof findingKinds)[number];

export type Finding = {
  readonly kind: FindingKind;
  /** The provider's transaction id or, without one, our order reference. */
  readonly reference: string;
  readonly day: string;
  readonly attemptId: string | null;
  readonly refundId: string | null;
  readonly oursCents: number;
  readonly theirsCents: number;
  /** What differs besides the amounts, without a full stop. */
  readonly detail: string;
};

/** `oursCents` and `theirsCents` are the day's charges minus refunds, without open ones. */
export type ProviderComparison = {
  readonly findings: readonly Finding[];
  readonly oursCents: number;
  readonly theirsCents: number;
  readonly transactions: number;
  readonly openPayments: number;
};

/** The day to sum up, and the age after which open payments and refunds are compared too. */
export type ComparisonTerms = { readonly day: string; readonly now: Date; readonly giveUpMs: number };

export type Movement = { readonly day: string; readonly cents: number };

/** The comparison so far; `theirs` is the provider's side of the day's sums. */
export type Notes = { readonly findings: Finding[]; readonly theirs: Movement[]; openPayments: number };

/** Pending transactions count as made. */
export const isMade = ({ status }: ListedTransaction) => status === "approved" || status === "pending";
/** 'partially refunded' */
export const inWords = (state: PaymentState | RefundState) => state.replaceAll("_", " ");

/** The cents of a charge that the provider still holds. */
export function bookedCents({ status, amountCents, refunds }: ListedCharge): number {
  if (status !== "approved") return 0;
  return amountCents - refunds.filter(isMade).reduce((total, refund) => total + refund.amountCents, 0);
}

/** Counts a charge and its refunds on the provider's days. */
export function noteMovements(charge: ListedCharge, { theirs }: Notes) {
  if (charge.status === "approved") theirs.push({ day: charge.day, cents: charge.amountCents });
  for (const { day, amountCents } of charge.refunds.filter(isMade)) theirs.push({ day, cents: -amountCents });
}

/** Notes money at the provider, less refunds, that belongs to no payment of ours. */
export function noteForeign(
  charge: ListedCharge,
  attemptId: string | null,
  kind: "charge_without_payment" | "charged_twice",
  notes: Notes,
) {
  noteMovements(charge, notes);
  const theirsCents = bookedCents(charge);
  if (theirsCents === 0) return;
  const { transactionId: reference, day, orderReference } = charge;
  const detail = `its order reference there is ${orderReference ?? "empty"}`;
  notes.findings.push({ kind, reference, day, attemptId, refundId: null, oursCents: 0, theirsCents, detail });
}
