import { z } from "zod";
import type { Outcome, ProviderTransaction } from "../provider.ts";

/** Braintree's ids go into paths: the SDK itself takes no others. */
const Id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);
/** The SDK reads an empty element as an empty text. */
const Text = z
  .string()
  .nullish()
  .transform((text) => text?.slice(0, 200) || null);
const listOf = <Item extends z.ZodType>(item: Item) =>
  z
    .union([z.array(item), z.literal("")])
    .nullish()
    .transform((items) => items || []);

/** Only what is named here is kept: neither the payer's name nor their address reaches `raw`. */
export const Transaction = z.object({
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
export type Transaction = z.output<typeof Transaction>;

const STANDINGS: Readonly<Record<string, ProviderTransaction["status"]>> = {
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
/** How a dispute stands. One that ran out unanswered, or that we accepted, is lost. */
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

/** Cents from Braintree's text of dollars. */
export function centsOf(amount: string): number {
  return Number(amount.replace(".", ""));
}

/** Dollars as Braintree reads them: 52.50 from 5250. */
export function dollarsOf(cents: number): string {
  return (cents / 100).toFixed(2);
}

export function standingOf({ status }: Transaction): ProviderTransaction["status"] {
  return STANDINGS[status] ?? "unknown";
}

/** What a sale in Braintree's books means; its status decides. */
export function classify(sale: Transaction): Outcome {
  const unknown = (reason: string): Outcome => ({ kind: "unknown", reason, mayResend: false });
  const { id: transactionId, status } = sale;
  const responseCode = sale.processorResponseCode ?? sale.gatewayRejectionReason;
  // Rejected because an equal one came before it, which probably was charged: only the books can tell.
  if (sale.gatewayRejectionReason === "duplicate")
    return unknown("Braintree took the sale for a copy of an earlier one");
  const standing = standingOf(sale);
  if (standing === "unknown") return unknown("Braintree answered with a status that nobody here knows");
  if (standing === "declined" || standing === "voided") {
    return { kind: "declined", transactionId, status, responseCode, raw: sale };
  }
  if (sale.paymentInstrumentType !== "paypal_account")
    return unknown("Braintree holds a sale that is no PayPal payment");
  const amountCents = centsOf(sale.amount);
  return {
    kind: standing === "approved" ? "succeeded" : "processing",
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

export function describeTransaction(transaction: Transaction): ProviderTransaction {
  const at = new Date(transaction.createdAt ?? Number.NaN);
  return {
    transactionId: transaction.id,
    type: transaction.type === "sale" ? "payment" : "refund",
    status: standingOf(transaction),
    providerStatus: transaction.status,
    amountCents: centsOf(transaction.amount),
    currency: transaction.currencyIsoCode,
    orderReference: transaction.orderId,
    parentId: transaction.refundedTransactionId,
    at: Number.isNaN(at.getTime()) ? null : at,
    dispute: disputeOf(transaction),
  };
}

/** The worst of its disputes. A retrieval only asks for papers: no money goes by it. */
function disputeOf({ disputes }: Transaction): ProviderTransaction["dispute"] {
  const standings = disputes.filter(({ kind }) => kind !== "retrieval").map(({ status }) => DISPUTES[status] ?? "open");
  return (["lost", "open", "won"] as const).find((standing) => standings.includes(standing)) ?? null;
}
