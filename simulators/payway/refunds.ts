import { json, type SimulatedAnswer } from "../exchange.ts";
import type { ExternalAct } from "../provider-part.ts";
import { describeTransaction, isRefundable, isVoidable, refundableCents, refusal } from "./answers.ts";
import type { Books, Trace, Transaction } from "./books.ts";
import { readCents } from "./payments.ts";

/** `POST /transactions` with type refund: a new transaction beside the payment, once that has settled. */
export function refund(form: URLSearchParams, books: Books, trace: Trace): Transaction | SimulatedAnswer {
  const parentId = form.get("parentTransactionId") ?? "";
  const payment = books.find(parentId);
  if (payment === undefined) return refusal(422, "parentTransactionId", "Transaction not found", parentId);
  if (!isRefundable(payment, books))
    return refusal(422, "parentTransactionId", "Transaction is not refundable", parentId);
  const amountCents = readCents(form.get("principalAmount"));
  if (amountCents === null) return refusal(422, "principalAmount", "Invalid amount");
  if (amountCents > refundableCents(payment, books)) {
    return refusal(422, "principalAmount", "More than what is left to refund", form.get("principalAmount") ?? "");
  }
  return recordRefund(payment, amountCents, form.get("orderNumber") ?? payment.orderReference, books, trace);
}

/** `POST /transactions/{id}/void`: cancels what has not settled. */
export function voidTransaction(transactionId: string, books: Books): SimulatedAnswer {
  const transaction = books.find(transactionId);
  if (transaction === undefined) return refusal(404, "transactionId", "Transaction not found", transactionId);
  if (!isVoidable(transaction, books.now())) {
    return refusal(422, "transactionId", "Transaction is not voidable", transactionId);
  }
  books.changeStatus(transaction, "voided");
  return json(200, describeTransaction(books.find(transactionId) ?? transaction, books));
}

/** What Westpac's or the charity's staff do on PayWay's pages. Null when done, otherwise the reason why not. */
export function actExternally(act: ExternalAct, books: Books): string | null {
  const transaction = books.find(act.transactionId);
  if (transaction === undefined) return "No transaction has this id.";
  const { status } = transaction;
  switch (act.do) {
    case "accept":
      // A decline may be accepted too: the bank's final answer sometimes differs from its first.
      if (!["pending", "suspended", "declined"].includes(status))
        return `A transaction that is ${status} cannot be accepted.`;
      books.changeStatus(transaction, "approved", "00");
      return null;
    case "cancel":
      if (!["pending", "suspended"].includes(status)) return `A transaction that is ${status} cannot be cancelled.`;
      books.changeStatus(transaction, "voided");
      return null;
    case "void":
      if (status !== "approved") return `A transaction that is ${status} cannot be voided.`;
      books.changeStatus(transaction, "voided");
      return null;
    case "refund": {
      const left = transaction.type === "payment" && status === "approved" ? refundableCents(transaction, books) : 0;
      const amountCents = act.amountCents ?? left;
      if (amountCents === 0 || amountCents > left) return `${left} cents are left to refund.`;
      recordRefund(transaction, amountCents, transaction.orderReference, books, {
        idempotencyKey: null,
        requestHash: "",
      });
      return null;
    }
    default:
      return `PayWay has no '${act.do}'.`;
  }
}

function recordRefund(
  payment: Transaction,
  amountCents: number,
  orderReference: string,
  books: Books,
  trace: Trace,
): Transaction {
  const made: Transaction = {
    ...payment,
    transactionId: books.takeId(),
    orderReference,
    type: "refund",
    status: "approved",
    amountCents,
    parentId: payment.transactionId,
    at: new Date(books.now()).toISOString(),
    detail: { ...payment.detail, responseCode: "00", surchargeCents: 0, tokenId: null, resolvesTo: null, ...trace },
  };
  books.record(made);
  return made;
}
