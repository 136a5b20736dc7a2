import { z } from "zod";
import type { ChargeOutcome, ProviderTransaction } from "../provider.ts";

/** Braintree's ids become part of paths; the SDK accepts the same characters. */
const Id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);
/** The SDK reads an empty element as an empty string. */
const Text = z
  .string()
  .nullish()
  .transform((text) => text?.slice(0, 200) || null);
const listOf = <Item extends z.ZodType>(item: Item) =>
  z
    .union([z.array(item), z.literal("")])
    .nullish()
    .transform((items) => items || []);

/** Keeps only these fields, so that the payer's name and address never reach `raw`. */
export const BraintreeTransaction = z.object({
  id: Id,
  type: z.enum(["sale", "credit"]),
  status: z.string().min(1).max(60),
  amount: z.string().regex(/^\d{1,9}\.\d{2}$/),
  currencyIsoCode: z.string(),
  orderId: Text,
  merchantAccountId: Text,
  paymentInstrumentType: Text,
  processorResponseCode: Text,
  processorResponseText: Text,
  processorResponseType: Text,
  gatewayRejectionReason: Text,
  createdAt: Text,
  updatedAt: Text,
  refundedTransactionId: Text,
  refundIds: listOf(Id),
  disputes: listOf(z.object({ status: z.string(), kind: Text })),
  paypalAccount: z.object({ paymentId: Text, captureId: Text, refundId: Text }).nullish(),
});
export type BraintreeTransaction = z.output<typeof BraintreeTransaction>;

const STATUSES: Readonly<Record<string, ProviderTransaction["status"]>> = {
  submitted_for_settlement: "approved",
  settling: "approved",
  settled: "approved",
  settlement_confirmed: "approved",
  authorizing: "pending",
  authorized: "pending",
  settlement_pending: "pending",
  processor_declined: "declined",
  gateway_rejected: "declined",
  failed: "declined",
  settlement_declined: "declined",
  authorization_expired: "declined",
  voided: "voided",
};
/** A dispute that expired unanswered, or that we accepted, is lost. */
const DISPUTES: Readonly<Record<string, "open" | "won" | "lost">> = {
  open: "open",
  disputed: "open",
  under_review: "open",
  won: "won",
  lost: "lost",
  accepted: "lost",
  auto_accepted: "lost",
  expired: "lost",
};

/** 5250 from '52.50'. */
export function centsOf(amount: string): number {
  return Number(amount.replace(".", ""));
}

/** '52.50' from 5250. */
export function dollarsOf(cents: number): string {
  return (cents / 100).toFixed(2);
}

/** Our word for Braintree's status; `unknown` for one that we do not know. */
export function braintreeStatus({ status }: BraintreeTransaction): ProviderTransaction["status"] {
  return STATUSES[status] ?? "unknown";
}

/** The outcome of a sale in Braintree's books, by its status. */
export function classifyBraintreeSale(sale: BraintreeTransaction): ChargeOutcome {
  const unknown = (reason: string): ChargeOutcome => ({ kind: "unknown", reason, mayResend: false });
  const { id: transactionId, status } = sale;
  const responseCode = sale.processorResponseCode ?? sale.gatewayRejectionReason;
  // Rejected as a duplicate of a sale that was probably charged: only the books can tell.
  if (sale.gatewayRejectionReason === "duplicate") return unknown("Braintree rejected the sale as a duplicate");
  const knownStatus = braintreeStatus(sale);
  if (knownStatus === "unknown") return unknown("Braintree answered with a status that we don't know");
  if (knownStatus === "declined" || knownStatus === "voided") {
    return { kind: "declined", transactionId, status, responseCode, raw: sale };
  }
  if (sale.paymentInstrumentType !== "paypal_account")
    return unknown("Braintree has a sale that is not a PayPal payment");
  const amountCents = centsOf(sale.amount);
  return {
    kind: knownStatus === "approved" ? "succeeded" : "processing",
    transactionId,
    status,
    responseCode,
    amountCents,
    paidCents: amountCents,
    currency: sale.currencyIsoCode,
    orderReference: sale.orderId ?? "",
    raw: sale,
  };
}

/** A transaction of Braintree as any provider has it: cents, and a time that is invalid if Braintree gave none. */
export function describeBraintreeTransaction(transaction: BraintreeTransaction): ProviderTransaction {
  const at = new Date(transaction.createdAt ?? Number.NaN);
  return {
    transactionId: transaction.id,
    type: transaction.type === "sale" ? "payment" : "refund",
    status: braintreeStatus(transaction),
    providerStatus: transaction.status,
    amountCents: centsOf(transaction.amount),
    currency: transaction.currencyIsoCode,
    orderReference: transaction.orderId,
    parentId: transaction.refundedTransactionId,
    at: Number.isNaN(at.getTime()) ? null : at,
    dispute: disputeOf(transaction),
  };
}

/** The worst of its disputes. Retrievals are left out: they only request documents and move no money. */
function disputeOf({ disputes }: BraintreeTransaction): ProviderTransaction["dispute"] {
  const statuses = disputes.filter(({ kind }) => kind !== "retrieval").map(({ status }) => DISPUTES[status] ?? "open");
  return (["lost", "open", "won"] as const).find((status) => statuses.includes(status)) ?? null;
}
