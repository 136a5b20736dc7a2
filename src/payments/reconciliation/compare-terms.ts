import type { ProviderTransaction } from "../provider.ts";
import type { RefundState } from "../refunds/refund-states.ts";
import type { PaymentState } from "../states.ts";
import type { RefundKind } from "../tables.ts";

/** One payment as our books have it; `ledgerCents` is what the ledger says the provider owes us for the charge itself. */
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

/** `at` is when it was settled or, until then, when it was last sent or asked for. `ledgerCents` is negative. */
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

/** A transaction of the provider with the day in Sydney that it belongs to. */
export type ListedTransaction = ProviderTransaction & { readonly day: string };

/** A charge of the provider with the refunds that name it. */
export type Charge = ListedTransaction & { readonly refunds: readonly ListedTransaction[] };

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
  /** The provider's transaction or, where it has none, our order reference. */
  readonly reference: string;
  readonly day: string;
  readonly attemptId: string | null;
  readonly refundId: string | null;
  readonly oursCents: number;
  readonly theirsCents: number;
  /** In words, without a full stop: what each side says beyond the amounts. */
  readonly detail: string;
};

/** `oursCents` and `theirsCents` are what moved on the day, charges less refunds; what is still open is in neither. */
export type Comparison = {
  readonly findings: readonly Finding[];
  readonly oursCents: number;
  readonly theirsCents: number;
  readonly transactions: number;
  readonly openPayments: number;
};

/** The day whose sums are wanted, and the age from which on what is open is no longer left alone. */
export type Terms = { readonly day: string; readonly now: Date; readonly giveUpMs: number };

export type Movement = { readonly day: string; readonly cents: number };

/** What a comparison has noticed so far; `theirs` is the provider's side of the day's sums. */
export type Notes = { readonly findings: Finding[]; readonly theirs: Movement[]; openPayments: number };

export const isMade = ({ status }: ListedTransaction) => status === "approved" || status === "pending";
export const inWords = (state: PaymentState | RefundState) => state.replaceAll("_", " ");

/** What of a charge the provider still holds. */
export function keptCents({ status, amountCents, refunds }: Charge): number {
  if (status !== "approved") return 0;
  return amountCents - refunds.filter(isMade).reduce((total, refund) => total + refund.amountCents, 0);
}

/** Counts a charge and its refunds on the days on which the provider has them. */
export function noteMovements(charge: Charge, { theirs }: Notes) {
  if (charge.status === "approved") theirs.push({ day: charge.day, cents: charge.amountCents });
  for (const { day, amountCents } of charge.refunds.filter(isMade)) theirs.push({ day, cents: -amountCents });
}

/** Money that the provider holds and that no payment of ours stands for: whatever of it has not gone back. */
export function noteForeign(
  charge: Charge,
  attemptId: string | null,
  kind: "charge_without_payment" | "charged_twice",
  notes: Notes,
) {
  noteMovements(charge, notes);
  const theirsCents = keptCents(charge);
  if (theirsCents === 0) return;
  const { transactionId: reference, day, orderReference } = charge;
  const detail = `its order reference there is ${orderReference ?? "empty"}`;
  notes.findings.push({ kind, reference, day, attemptId, refundId: null, oursCents: 0, theirsCents, detail });
}
