import type { RefundOutcome, RefundRequest } from "../provider.ts";
import {
  EARLIER_CALL,
  explainProblems,
  KEY_IN_FLIGHT,
  KEYS_NOT_ALLOWED,
  type Problem,
  readAnswer,
} from "./braintree-answers.ts";
import { findTransaction, listRefundsOf } from "./braintree-books.ts";
import { type BraintreeOptions, callBraintree, type Reply, requestKey } from "./braintree-sdk.ts";
import { centsOf, dollarsOf, standingOf, type Transaction } from "./braintree-transactions.ts";

/** What PayPal has not begun to settle is voided; a refund of it would be refused. */
const VOIDABLE = ["authorized", "submitted_for_settlement", "settlement_pending"];
const CANNOT_BE_VOIDED = "91504";
const NOT_SETTLED = "91506";

/**
 * Gives money back: a void before settlement, a refund after it. The charge is read first; a refund of this very request
 * that stands there already is the answer. Like `sendCharge`, it speaks of this call alone.
 */
export async function sendRefund(options: BraintreeOptions, request: RefundRequest): Promise<RefundOutcome> {
  let sale: Transaction | null;
  let earlier: RefundOutcome | null;
  try {
    sale = await findTransaction(options, request.transactionId);
    earlier = sale === null ? null : await findEarlier(options, sale, request);
  } catch (error) {
    return { kind: "not_sent", reason: (error as Error).message };
  }
  if (earlier !== null) return earlier;
  if (sale === null) return { kind: "refused", reason: "Braintree has no such transaction", raw: null };
  const objection = judgeSale(sale, request);
  if (objection !== null) return { kind: "refused", reason: objection, raw: sale };
  const isVoidable = VOIDABLE.includes(sale.status);
  if (isVoidable && request.isWhole) return voidSale(options, request);
  if (isVoidable || sale.status === "authorizing") {
    return { kind: "too_early", reason: "the payment has not settled yet, and only all of it could be given back" };
  }
  return refundSale(options, request);
}

/** What the books show of a refund that was asked for: found by the charge, which names its refunds without delay. */
export async function findRefund(
  options: BraintreeOptions,
  request: RefundRequest,
): Promise<{ outcome: RefundOutcome | null; isAuthoritative: boolean }> {
  const sale = await findTransaction(options, request.transactionId);
  const outcome = sale === null ? null : await findEarlier(options, sale, request);
  return { outcome, isAuthoritative: options.searchIsAuthoritative };
}

async function findEarlier(
  options: BraintreeOptions,
  sale: Transaction,
  request: RefundRequest,
): Promise<RefundOutcome | null> {
  const own = (await listRefundsOf(options, sale)).filter(({ orderId }) => orderId === request.orderReference);
  const outcomes = own.map((refund) => readRefund(refund, request));
  const made = outcomes.find(({ kind }) => kind === "succeeded") ?? outcomes.find(({ kind }) => kind === "unknown");
  if (made !== undefined) return made;
  if (sale.status === "voided" && request.isWhole) return readVoid(sale, request);
  return outcomes[0] ?? null;
}

function judgeSale(sale: Transaction, request: RefundRequest): string | null {
  const standing = standingOf(sale);
  if (sale.type !== "sale") return "the transaction is no payment";
  if (sale.currencyIsoCode !== request.currency) return "the payment is in another currency";
  if (standing === "declined" || standing === "voided") return `the payment is ${sale.status}: nothing is left of it`;
  const paidCents = centsOf(sale.amount);
  const isFitting = request.isWhole ? request.amountCents === paidCents : request.amountCents <= paidCents;
  return isFitting ? null : "the payment is of another amount";
}

async function voidSale(options: BraintreeOptions, request: RefundRequest): Promise<RefundOutcome> {
  const reply = await callBraintree(options, (gateway) =>
    gateway.transaction.void(request.transactionId, requestKey(options, request.idempotencyKey)),
  );
  // A second void changes nothing, so it may be sent again whenever its answer is lost.
  if (reply.kind !== "answered") return explainSilence(reply, true);
  return readAnswer(reply.value, (transaction) => readVoid(transaction, request), readProblems);
}

async function refundSale(options: BraintreeOptions, request: RefundRequest): Promise<RefundOutcome> {
  const reply = await callBraintree(options, (gateway) =>
    gateway.transaction.refund(request.transactionId, {
      amount: dollarsOf(request.amountCents),
      orderId: request.orderReference,
      ...requestKey(options, request.idempotencyKey),
    }),
  );
  if (reply.kind !== "answered") return explainSilence(reply, options.hasRequestKeys);
  return readAnswer(reply.value, (transaction) => readRefund(transaction, request), readProblems);
}

/** Wrong keys gave nothing back either: once they are mended, the call is made again. */
function explainSilence(reply: Exclude<Reply, { kind: "answered" }>, mayResend: boolean): RefundOutcome {
  return reply.kind === "lost"
    ? { kind: "unknown", reason: reply.reason, mayResend }
    : { kind: "not_sent", reason: reply.reason };
}

function readProblems(problems: readonly Problem[]): RefundOutcome {
  const has = (...codes: readonly string[]) => problems.some(({ code }) => codes.includes(code));
  const reason = explainProblems(problems);
  if (has(...EARLIER_CALL)) return { kind: "unknown", reason, mayResend: has(KEY_IN_FLIGHT) };
  if (has(KEYS_NOT_ALLOWED)) return { kind: "not_sent", reason };
  // It settled, or has yet to, between the look and the call: the next look says which.
  if (has(CANNOT_BE_VOIDED, NOT_SETTLED)) return { kind: "too_early", reason };
  return { kind: "refused", reason, raw: { problems } };
}

function readVoid(sale: Transaction, request: RefundRequest): RefundOutcome {
  if (sale.id !== request.transactionId || sale.status !== "voided") {
    return { kind: "unknown", reason: "Braintree took the void, but does not say that it is done", mayResend: true };
  }
  return { kind: "succeeded", how: "void", transactionId: sale.id, status: sale.status, raw: sale };
}

function readRefund(refund: Transaction, request: RefundRequest): RefundOutcome {
  const isFitting =
    refund.type === "credit" &&
    refund.refundedTransactionId === request.transactionId &&
    refund.orderId === request.orderReference &&
    refund.currencyIsoCode === request.currency &&
    centsOf(refund.amount) === request.amountCents;
  if (!isFitting) return { kind: "unknown", reason: "Braintree answered about another refund", mayResend: false };
  switch (standingOf(refund)) {
    case "approved":
      return { kind: "succeeded", how: "refund", transactionId: refund.id, status: refund.status, raw: refund };
    case "declined":
    case "voided":
      return { kind: "refused", reason: `Braintree's refund is ${refund.status}`, raw: refund };
    default:
      return { kind: "unknown", reason: `Braintree's refund is ${refund.status}`, mayResend: false };
  }
}
