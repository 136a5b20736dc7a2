import { z } from "zod";
import type { ChargeOutcome, ProviderTransaction } from "../provider.ts";

/** Dollars as PayWay writes them, as a number or text; `centsOf` reads them. */
export const PaywayDollars = z
  .union([z.number(), z.string().regex(/^-?\d+(\.\d+)?$/)])
  .refine((dollars) => Math.abs(Number(dollars) * 100 - centsOf(dollars)) < 1e-6, "not whole cents");

export const TransactionId = z.union([z.int().positive(), z.string().regex(/^\d{1,20}$/)]).transform(String);

/** Keeps only these fields, so that card details or names in other fields never reach `raw`. */
export const PaywayTransaction = z.object({
  transactionId: TransactionId.nullish(),
  receiptNumber: z.string().nullish(),
  status: z.string(),
  responseCode: z.string().nullish(),
  responseText: z.string().transform(withoutSecrets).nullish(),
  transactionType: z.string(),
  customerNumber: z.string().max(20).nullish().catch(null),
  orderNumber: z.string(),
  currency: z.string(),
  principalAmount: PaywayDollars,
  surchargeAmount: PaywayDollars.nullish(),
  paymentAmount: PaywayDollars.nullish(),
  transactionDateTime: z.string().nullish(),
  settlementDate: z.string().nullish(),
  declinedDate: z.string().nullish(),
  fraudResult: z.string().transform(withoutSecrets).nullish(),
  cardCountry: z.string().nullish(),
  customerIpCountry: z.string().nullish(),
  creditCard: z
    .object({
      cardNumber: z
        .string()
        .regex(/^\d{6}\.{3}\d{3}$/)
        .nullish()
        .catch(null),
      cardScheme: z.string().nullish(),
      cardType: z.string().nullish(),
    })
    .nullish(),
  /** A refund's payment. */
  parentTransaction: z.object({ transactionId: TransactionId }).nullish(),
  isVoidable: z.boolean().nullish(),
  isRefundable: z.boolean().nullish(),
});
export type PaywayTransaction = z.infer<typeof PaywayTransaction>;

/** A transaction that was read by its id, and so has one. */
export type BookedTransaction = PaywayTransaction & { readonly transactionId: string };

/** `approved*` may still be dishonoured, but counts as money that moved. */
const STATUSES: Readonly<Record<string, ProviderTransaction["status"]>> = {
  approved: "approved",
  "approved*": "approved",
  pending: "pending",
  suspended: "pending",
  declined: "declined",
  voided: "voided",
};

/** Our status for PayWay's; `unknown` if PayWay doesn't document it. */
export function paywayStatus({ status }: { status: string }): ProviderTransaction["status"] {
  return STATUSES[status] ?? "unknown";
}

/** The outcome of a well-formed payment, by PayWay's `status`, because response codes differ between banks. */
export function classifyPaywayPayment(transaction: PaywayTransaction): ChargeOutcome {
  const { status } = transaction;
  const transactionId = transaction.transactionId ?? null;
  const responseCode = transaction.responseCode ?? null;
  const knownStatus = paywayStatus(transaction);
  if (knownStatus === "declined" || knownStatus === "voided") {
    return { kind: "declined", transactionId, status, responseCode, raw: transaction };
  }
  if (knownStatus === "unknown") {
    return { kind: "unknown", reason: "PayWay answered with a status that we don't know", mayResend: false };
  }
  if (transactionId === null) {
    return { kind: "unknown", reason: "PayWay answered without a transaction id", mayResend: false };
  }
  return {
    kind: knownStatus === "approved" ? "succeeded" : "processing",
    transactionId,
    status,
    responseCode,
    amountCents: centsOf(transaction.principalAmount),
    paidCents: centsOf(transaction.paymentAmount ?? transaction.principalAmount),
    currency: transaction.currency.toUpperCase(),
    orderReference: transaction.orderNumber,
    raw: transaction,
  };
}

/** A payment or refund in the form that is compared with our books. */
export function describePaywayTransaction(transaction: BookedTransaction): ProviderTransaction {
  return {
    transactionId: transaction.transactionId,
    type: transaction.transactionType === "refund" ? "refund" : "payment",
    status: paywayStatus(transaction),
    providerStatus: transaction.status,
    amountCents: centsOf(transaction.principalAmount),
    currency: transaction.currency.toUpperCase(),
    orderReference: transaction.orderNumber === "" ? null : transaction.orderNumber,
    parentId: transaction.parentTransaction?.transactionId ?? null,
    at: readTime(transaction.transactionDateTime),
    dispute: null,
  };
}

/** `12 Jun 2015 18:22 AEST`, or AEDT in summer; null for anything else. */
export function readTime(text: string | null | undefined): Date | null {
  const [, moment, zone] = /^(\d{1,2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}) (AEST|AEDT)$/.exec(text ?? "") ?? [];
  if (moment === undefined) return null;
  const at = new Date(`${moment} GMT+${zone === "AEDT" ? "1100" : "1000"}`);
  return Number.isNaN(at.getTime()) ? null : at;
}

/** Integer cents from PayWay's dollars: 5250 from 52.5 or '52.50'. */
export function centsOf(dollars: number | string): number {
  return Math.round(Number(dollars) * 100);
}

/** '52.50' from 5250. */
export function dollarsOf(cents: number): string {
  return (cents / 100).toFixed(2);
}

/** Undefined if `text` is not JSON. */
export function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
}

/** Removes what looks like a card number or token from PayWay's free texts, which go into logs and records. */
export function withoutSecrets(text: string): string {
  return text
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, "[token]")
    .replace(/\d(?:[ -]?\d){12,18}/g, "[number]")
    .slice(0, 200);
}
