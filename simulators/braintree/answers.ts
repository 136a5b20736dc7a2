import type { SimulatedAnswer } from "../exchange.ts";
import type { Books, Dispute, Transaction } from "./books.ts";
import { element, group, moment, xml } from "./xml.ts";

/** One field that Braintree refuses, by the code of its documentation; nothing is booked. */
export type Refusal = { readonly code: string; readonly attribute: string; readonly message: string };

/** The payer of every simulated PayPal payment. */
const PAYER = { email: "payer@example.com", id: "SIMULATEDPAYER" };

/** Sales in these states have moved money, or will; no others do. */
const REFUSED = ["processor_declined", "gateway_rejected", "failed"];

/** An HTTP error as Braintree sends it, without a body. A page of another origin may read the status. */
export function failure(status: number): SimulatedAnswer {
  const headers: Record<string, string> = { "access-control-allow-origin": "*" };
  if (status === 401) headers["www-authenticate"] = 'Basic realm="Braintree"';
  return { status, headers, body: "" };
}

/** 422: a field is wrong, and no transaction was made. */
export function refusal(refused: Refusal): SimulatedAnswer {
  const error = group("error", [
    element("code", refused.code),
    `<attribute type="symbol">${refused.attribute}</attribute>`,
    element("message", refused.message),
  ]);
  return xml(
    422,
    group("api-error-response", [
      group("errors", [group("errors", [], "array"), group("transaction", [group("errors", [error], "array")])]),
      element("message", refused.message),
    ]),
  );
}

/** 201 with the transaction, or 422 with it when it was declined or rejected. */
export function answerMade(transaction: Transaction, described: string): SimulatedAnswer {
  if (!REFUSED.includes(transaction.status)) return xml(201, described);
  const { detail } = transaction;
  const message = detail.rejectionReason === null ? detail.responseText : `Gateway Rejected: ${detail.rejectionReason}`;
  return xml(
    422,
    group("api-error-response", [
      group("errors", [group("errors", [], "array")]),
      element("message", message),
      described,
    ]),
  );
}

/** A transaction in full. `withoutId` is the fault `missing_id`. */
export function describeTransaction(
  transaction: Transaction,
  books: Books,
  merchantAccountId: string,
  withoutId = false,
): string {
  const { detail } = transaction;
  const amount = (transaction.amountCents / 100).toFixed(2);
  const isPayPal = detail.instrument === "paypal_account";
  return group("transaction", [
    ...(withoutId ? [] : [element("id", transaction.transactionId)]),
    element("status", transaction.status),
    element("type", transaction.type === "payment" ? "sale" : "credit"),
    element("currency-iso-code", transaction.currency),
    element("amount", amount),
    element("merchant-account-id", merchantAccountId),
    element("order-id", transaction.orderReference === "" ? null : transaction.orderReference),
    moment("created-at", transaction.at),
    moment("updated-at", detail.history.at(-1)?.at ?? transaction.at),
    element("processor-response-code", detail.responseCode === "" ? null : detail.responseCode),
    element("processor-response-text", detail.responseText),
    element("processor-response-type", detail.responseType),
    element("gateway-rejection-reason", detail.rejectionReason),
    element("payment-instrument-type", detail.instrument),
    element("refunded-transaction-id", transaction.parentId),
    group(
      "refund-ids",
      books.listRefunds(transaction.transactionId).map((refund) => element("item", refund.transactionId)),
      "array",
    ),
    group("credit-card", [element("token", null), element("last-4", isPayPal ? null : "1111")]),
    ...(isPayPal ? [describePayer(transaction)] : []),
    group("disbursement-details", [element("disbursement-date", null)]),
    group(
      "disputes",
      detail.disputes.map((dispute) => describeDispute(dispute, transaction)),
      "array",
    ),
    group(
      "status-history",
      detail.history.map(({ status, at }) =>
        group("status-event", [moment("timestamp", at), element("status", status), element("amount", amount)]),
      ),
      "array",
    ),
  ]);
}

export function describeDispute({ id, status, at }: Dispute, transaction: Transaction): string {
  const amount = (transaction.amountCents / 100).toFixed(2);
  return group("dispute", [
    element("id", id),
    element("amount", amount),
    element("amount-disputed", amount),
    element("currency-iso-code", transaction.currency),
    element("kind", "chargeback"),
    element("reason", "fraud"),
    element("status", status),
    `<received-date type="date">${at.slice(0, 10)}</received-date>`,
    group("transaction", [element("id", transaction.transactionId), element("amount", amount)]),
  ]);
}

/** The cents of a sale that are not refunded yet. */
export function refundableCents(sale: Transaction, books: Books): number {
  return books
    .listRefunds(sale.transactionId)
    .filter(({ status }) => ["settling", "settled"].includes(status))
    .reduce((left, refund) => left - refund.amountCents, sale.amountCents);
}

function describePayer({ type, transactionId }: Transaction): string {
  return group("paypal", [
    element("payer-email", PAYER.email),
    element("payer-id", PAYER.id),
    element("payment-id", `PAYID-${transactionId}`),
    element(type === "payment" ? "capture-id" : "refund-id", `PAYPAL-${transactionId}`),
  ]);
}

/** The answer of `GET payment_method_nonces/{nonce}`. */
export function describeNonce(id: string, isCard: boolean, isUsed: boolean): string {
  const details = isCard
    ? [element("card-type", "Visa"), element("last-two", "11")]
    : [group("payer-info", [element("email", PAYER.email), element("payer-id", PAYER.id)])];
  return group("payment-method-nonce", [
    element("nonce", id),
    element("type", isCard ? "CreditCard" : "PayPalAccount"),
    element("consumed", isUsed),
    element("default", false),
    group("details", details),
  ]);
}
