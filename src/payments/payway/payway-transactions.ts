import { z } from "zod";
import type { Outcome, ProviderTransaction } from "../provider.ts";

/** Dollars as PayWay writes them, a number or a text; `centsOf` reads them. */
export const Dollars = z
  .union([z.number(), z.string().regex(/^-?\d+(\.\d+)?$/)])
  .refine((dollars) => Math.abs(Number(dollars) * 100 - centsOf(dollars)) < 1e-6, "not whole cents");

export const TransactionId = z.union([z.int().positive(), z.string().regex(/^\d{1,20}$/)]).transform(String);

/** Only what is named here is kept: a field that PayWay adds, or a card or name in one, never reaches `raw`. */
export const Transaction = z.object({
  transactionId: TransactionId.nullish(),
  receiptNumber: z.string().nullish(),
  status: z.string(),
  responseCode: z.string().nullish(),
  responseText: z.string().transform(withoutSecrets).nullish(),
  transactionType: z.string(),
  customerNumber: z.string().max(20).nullish().catch(null),
  orderNumber: z.string(),
  currency: z.string(),
  principalAmount: Dollars,
  surchargeAmount: Dollars.nullish(),
  paymentAmount: Dollars.nullish(),
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
  /** Of a refund: the payment. */
  parentTransaction: z.object({ transactionId: TransactionId }).nullish(),
  isVoidable: z.boolean().nullish(),
  isRefundable: z.boolean().nullish(),
});
export type Transaction = z.infer<typeof Transaction>;

/** A transaction that PayWay was asked for by its id, which it therefore has. */
export type Booked = Transaction & { readonly transactionId: string };

/** How PayWay's statuses count; `approved*` may still be dishonoured, but is money that moves. */
const STANDINGS: Readonly<Record<string, ProviderTransaction["status"]>> = {
  approved: "approved",
  "approved*": "approved",
  pending: "pending",
  suspended: "pending",
  declined: "declined",
  voided: "voided",
};

export function standingOf({ status }: { status: string }): ProviderTransaction["status"] {
  return STANDINGS[status] ?? "unknown";
}

/** What a well-formed payment means. PayWay's `status` decides; its codes differ from bank to bank. */
export function classify(transaction: Transaction): Outcome {
  const { status } = transaction;
  const transactionId = transaction.transactionId ?? null;
  const responseCode = transaction.responseCode ?? null;
  const standing = standingOf(transaction);
  if (standing === "declined" || standing === "voided") {
    return { kind: "declined", transactionId, status, responseCode, raw: transaction };
  }
  if (standing === "unknown") {
    return { kind: "unknown", reason: "PayWay answered with a status that nobody here knows", mayResend: false };
  }
  if (transactionId === null) {
    return { kind: "unknown", reason: "PayWay answered without a transaction id", mayResend: false };
  }
  return {
    kind: standing === "approved" ? "succeeded" : "processing",
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

/** A payment or refund that was read by its id, as the books are compared with ours. */
export function describeTransaction(transaction: Booked): ProviderTransaction {
  return {
    transactionId: transaction.transactionId,
    type: transaction.transactionType === "refund" ? "refund" : "payment",
    status: standingOf(transaction),
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

export function centsOf(dollars: number | string): number {
  return Math.round(Number(dollars) * 100);
}

/** Dollars as PayWay reads them: 52.50 from 5250. */
export function dollarsOf(cents: number): string {
  return (cents / 100).toFixed(2);
}

export function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
}

/** PayWay's free texts go into logs and records: what looks like a card number or a token in them does not. */
export function withoutSecrets(text: string): string {
  return text
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, "[token]")
    .replace(/\d(?:[ -]?\d){12,18}/g, "[number]")
    .slice(0, 200);
}
