import type { ExternalAct } from "../provider-part.ts";
import { type Refusal, refundableCents } from "./answers.ts";
import type { Books, Trace, Transaction } from "./books.ts";
import { readCents, type TransactionFields, text } from "./sales.ts";
import { settlesNextDay } from "./verdict.ts";

const REFUNDABLE = ["settling", "settled"];
const VOIDABLE = ["authorized", "submitted_for_settlement", "settlement_pending"];

/** `POST transactions/{id}/refund`: a credit beside the sale, once that settles. Without an amount, all that is left. */
export function refund(
  sale: Transaction,
  fields: TransactionFields,
  books: Books,
  trace: Trace | null,
): Transaction | Refusal {
  const refuse = (code: string, attribute: string, message: string) => ({ code, attribute, message });
  if (sale.type === "refund") return refuse("91505", "base", "Cannot refund a credit.");
  if (!REFUNDABLE.includes(sale.status)) {
    return refuse("91506", "base", "Cannot refund a transaction unless it is settled.");
  }
  const left = refundableCents(sale, books);
  if (left === 0) return refuse("91512", "base", "Transaction has already been fully refunded.");
  const amountCents = fields.amount === undefined || fields.amount === null ? left : readCents(fields.amount);
  if (amountCents === null) return refuse("81503", "amount", "Amount is an invalid format.");
  if (amountCents > left) return refuse("91521", "amount", "Refund amount is too large.");
  return recordRefund(sale, amountCents, text(fields.order_id) || sale.orderReference, books, trace);
}

/** `PUT transactions/{id}/void`: cancels what has not started to settle. */
export function voidTransaction(transaction: Transaction, books: Books, trace: Trace | null): Transaction | Refusal {
  if (transaction.type === "payment" && VOIDABLE.includes(transaction.status)) {
    return books.changeStatus(transaction, "voided", trace);
  }
  return {
    code: "91504",
    attribute: "base",
    message:
      "Transaction can only be voided if status is authorized, submitted_for_settlement, or - for PayPal - settlement_pending.",
  };
}

/** What PayPal, the payer or the charity's staff do outside the API. Null when done, otherwise a sentence that says why not. */
export function actExternally(act: ExternalAct, books: Books): string | null {
  const transaction = books.find(act.transactionId);
  if (transaction === undefined) return "No transaction has this id.";
  const { status } = transaction;
  switch (act.do) {
    case "refund": {
      const amount = act.amountCents === undefined ? undefined : (act.amountCents / 100).toFixed(2);
      return sentence(refund(transaction, { amount }, books, null));
    }
    case "void":
      return sentence(voidTransaction(transaction, books, null));
    case "settle":
    case "settlement_decline":
      if (!["submitted_for_settlement", "settlement_pending", "settling"].includes(status)) {
        return `A transaction that is ${status} does not settle.`;
      }
      books.changeStatus(transaction, act.do === "settle" ? "settled" : "settlement_declined");
      return null;
    case "dispute_open":
    case "dispute_won":
    case "dispute_lost":
      return dispute(transaction, act.do, books);
    default:
      return `Braintree has no '${act.do}'.`;
  }
}

function dispute(
  sale: Transaction,
  wanted: "dispute_open" | "dispute_won" | "dispute_lost",
  books: Books,
): string | null {
  if (sale.type !== "payment" || sale.status !== "settled") return "Only a payment that has settled can be disputed.";
  const isOpen = sale.detail.disputes.at(-1)?.status === "open";
  if (wanted === "dispute_open") {
    if (isOpen) return "A dispute is open already.";
    books.addDispute(sale, "open");
    return null;
  }
  if (!isOpen) return "No dispute is open.";
  books.addDispute(sale, wanted === "dispute_won" ? "won" : "lost");
  return null;
}

function sentence(done: Transaction | Refusal): string | null {
  return "code" in done ? done.message : null;
}

function recordRefund(
  sale: Transaction,
  amountCents: number,
  orderReference: string,
  books: Books,
  trace: Trace | null,
): Transaction {
  const at = new Date(books.now()).toISOString();
  const made: Transaction = {
    ...sale,
    transactionId: books.takeId(),
    orderReference,
    type: "refund",
    status: "settling",
    amountCents,
    parentId: sale.transactionId,
    at,
    detail: {
      ...sale.detail,
      responseCode: "1002",
      responseText: "Processed",
      nonceId: null,
      prospect: settlesNextDay(books.now()),
      disputes: [],
      history: [{ status: "settling", at }],
    },
  };
  books.record(made, trace);
  return made;
}
