import type { BookedPast, PastPayment } from "../past.ts";
import type { Books, Detail, Transaction } from "./books.ts";

const card = { cardNumber: "456471...004", expiryDateMonth: "02", expiryDateYear: "29", cardScheme: "VISA" };

/** Books a card payment of the past with its refunds. */
export function recordPast(payment: PastPayment, books: Books): BookedPast {
  const detail: Detail = {
    responseCode: payment.isDeclined ? "05" : "08",
    surchargeCents: 0,
    customerNumber: payment.customerNumber,
    customerIpAddress: "203.0.113.7",
    card,
    tokenId: null,
    idempotencyKey: null,
    requestHash: "",
    resolvesTo: null,
  };
  const book = (row: Pick<Transaction, "orderReference" | "type" | "amountCents" | "parentId" | "at">) => {
    const status = payment.isDeclined ? "declined" : "approved";
    const transactionId = books.takeId();
    books.record({ ...row, provider: "payway", transactionId, status, currency: "AUD", detail });
    return transactionId;
  };
  const { orderReference, amountCents, at } = payment;
  const transactionId = book({ orderReference, type: "payment", amountCents, parentId: null, at });
  return {
    transactionId,
    refundIds: payment.refunds.map((refund) => book({ ...refund, type: "refund", parentId: transactionId })),
  };
}
