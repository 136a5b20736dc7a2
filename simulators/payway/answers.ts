import { DAY_MS } from "#shared/day-length.ts";
import { json, type SimulatedAnswer } from "../exchange.ts";
import type { Books, Transaction } from "./books.ts";
import { responseText } from "./cards.ts";

/** One field that PayWay refuses. Status 422, or 404 for something that does not exist. */
export function refusal(status: 404 | 422, fieldName: string, message: string, fieldValue = ""): SimulatedAnswer {
  return json(status, { data: [{ fieldName, message, fieldValue }] });
}

/** An HTTP error in PayWay's format that belongs to no field. */
export function failure(status: number): SimulatedAnswer {
  if (status === 500) return json(500, { errorNumber: 100_023, traceCode: "SIM-5c2e01" });
  const headers: Record<string, string> = status === 401 ? { "www-authenticate": 'Basic realm="PayWay"' } : {};
  return json(status, {}, headers);
}

/** A transaction in full, as POST and GET by id answer it. */
export function describeTransaction(transaction: Transaction, books: Books): Record<string, unknown> {
  const { detail } = transaction;
  const settlement = new Date(Date.parse(transaction.at) + DAY_MS);
  return {
    ...summariseTransaction(transaction),
    orderNumber: transaction.orderReference,
    ...(detail.card === null ? {} : { creditCard: { ...detail.card, cardType: "credit" } }),
    merchant: {
      merchantId: "TEST",
      merchantName: "Test merchant",
      settlementBsb: "133-605",
      settlementAccountNumber: "172174",
    },
    transactionDateTime: sydneyTime(new Date(transaction.at)),
    settlementDate: sydneyDate(settlement),
    declinedDate: transaction.status === "declined" ? sydneyDate(new Date(transaction.at)) : null,
    parentTransaction: transaction.parentId === null ? null : { transactionId: Number(transaction.parentId) },
    customerIpAddress: detail.customerIpAddress,
    isVoidable: isVoidable(transaction, books.now()),
    isRefundable: isRefundable(transaction, books),
  };
}

/** A row of a search, without order number and card, as with PayWay. */
export function summariseTransaction(transaction: Transaction): Record<string, unknown> {
  const { detail } = transaction;
  return {
    transactionId: Number(transaction.transactionId),
    receiptNumber: transaction.transactionId,
    status: transaction.status,
    responseCode: detail.responseCode,
    responseText: responseText(detail.responseCode),
    transactionType: transaction.type,
    customerNumber: detail.customerNumber,
    currency: transaction.currency.toLowerCase(),
    principalAmount: transaction.amountCents / 100,
    surchargeAmount: detail.surchargeCents / 100,
    paymentAmount: (transaction.amountCents + detail.surchargeCents) / 100,
    paymentMethod: "creditCard",
  };
}

/** Until settlement, 24 hours later in the simulator, a transaction is voided; afterwards it is refunded. */
export function isVoidable(transaction: Transaction, now: number): boolean {
  return ["approved", "pending", "suspended"].includes(transaction.status) && !isSettled(transaction, now);
}

/** Whether any part of the payment can be refunded now: it is approved, has settled, and money is left. */
export function isRefundable(transaction: Transaction, books: Books): boolean {
  const isPaid = transaction.type === "payment" && transaction.status === "approved";
  return isPaid && isSettled(transaction, books.now()) && refundableCents(transaction, books) > 0;
}

/** The cents of a payment that are not refunded yet. */
export function refundableCents(payment: Transaction, books: Books): number {
  const refunds = books
    .list()
    .filter(({ parentId, status }) => parentId === payment.transactionId && status === "approved");
  return refunds.reduce((left, refund) => left - refund.amountCents, payment.amountCents);
}

function isSettled(transaction: Transaction, now: number): boolean {
  return now - Date.parse(transaction.at) >= DAY_MS;
}

// Made once: making both takes as long as the rest of a charge, 0.5 ms.
const timeInSydney = new Intl.DateTimeFormat("en-AU", {
  timeZone: "Australia/Sydney",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
  timeZoneName: "short",
});
const dateInSydney = new Intl.DateTimeFormat("en-GB", {
  timeZone: "Australia/Sydney",
  day: "2-digit",
  month: "short",
  year: "numeric",
});

/** `12 Jun 2015 18:22 AEST` */
function sydneyTime(date: Date): string {
  const parts = timeInSydney.formatToParts(date);
  const part = (type: string) => parts.find((candidate) => candidate.type === type)?.value ?? "";
  return `${sydneyDate(date)} ${part("hour")}:${part("minute")} ${part("timeZoneName")}`;
}

/** `12 Jun 2015` */
const sydneyDate = (date: Date): string => dateInSydney.format(date);
