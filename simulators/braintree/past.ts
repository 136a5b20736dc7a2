import type { BookedPast, PastPayment } from "../past.ts";
import type { Books, Detail, Transaction } from "./books.ts";

/** Books a PayPal payment of the past with its refunds, all settled. */
export function recordPast(payment: PastPayment, books: Books): BookedPast {
  const { orderReference, amountCents, at, isDeclined, isDisputed } = payment;
  const status = isDeclined ? "processor_declined" : "settled";
  const detail: Detail = {
    instrument: "paypal_account",
    responseCode: isDeclined ? "2000" : "1000",
    responseText: isDeclined ? "Do Not Honor" : "Approved",
    responseType: isDeclined ? "soft_declined" : "approved",
    rejectionReason: null,
    nonceId: null,
    prospect: null,
    disputes: [],
    history: [{ status, at }],
  };
  const book = (row: Pick<Transaction, "orderReference" | "type" | "amountCents" | "parentId" | "at">) => {
    const transaction: Transaction = {
      ...row,
      provider: "braintree",
      transactionId: books.takeId(),
      status,
      currency: "AUD",
      detail,
    };
    books.record(transaction);
    return transaction;
  };
  const sale = book({ orderReference, type: "payment", amountCents, parentId: null, at });
  const refunds = payment.refunds.map((refund) => book({ ...refund, type: "refund", parentId: sale.transactionId }));
  if (isDisputed) books.addDispute(sale, "open");
  return { transactionId: sale.transactionId, refundIds: refunds.map(({ transactionId }) => transactionId) };
}
