import type { RefundInstruction, RefundOutcome } from "../provider.ts";
import {
  type BraintreeProblem,
  EARLIER_CALL,
  explainProblems,
  KEY_IN_FLIGHT,
  KEYS_NOT_ALLOWED,
  readAnswer,
} from "./braintree-answers.ts";
import { findBraintreeTransaction, listBraintreeRefunds } from "./braintree-books.ts";
import { type BraintreeOptions, type BraintreeReply, callBraintree, requestKey } from "./braintree-sdk.ts";
import { type BraintreeTransaction, braintreeStatus, centsOf, dollarsOf } from "./braintree-transactions.ts";

/** Before settlement a sale can only be voided; Braintree would refuse a refund. */
const VOIDABLE = ["authorized", "submitted_for_settlement", "settlement_pending"];
const CANNOT_BE_VOIDED = "91504";
const NOT_SETTLED = "91506";

/**
 * Voids the sale before settlement, refunds it afterwards. Reads the sale first: if it already has this request's
 * refund, that is the answer. Like `sendBraintreeCharge`, the outcome is about this call only.
 */
export async function sendBraintreeRefund(
  options: BraintreeOptions,
  request: RefundInstruction,
): Promise<RefundOutcome> {
  let sale: BraintreeTransaction | null;
  let earlier: RefundOutcome | null;
  try {
    sale = await findBraintreeTransaction(options, request.transactionId);
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
    return { kind: "too_early", reason: "the payment has not settled yet, so only a full refund is possible" };
  }
  return refundSale(options, request);
}

/** Looks a requested refund up through its sale, which lists its refunds without delay. */
export async function findBraintreeRefund(
  options: BraintreeOptions,
  request: RefundInstruction,
): Promise<{ outcome: RefundOutcome | null; isAuthoritative: boolean }> {
  const sale = await findBraintreeTransaction(options, request.transactionId);
  const outcome = sale === null ? null : await findEarlier(options, sale, request);
  return { outcome, isAuthoritative: options.searchIsAuthoritative };
}

async function findEarlier(
  options: BraintreeOptions,
  sale: BraintreeTransaction,
  request: RefundInstruction,
): Promise<RefundOutcome | null> {
  const own = (await listBraintreeRefunds(options, sale)).filter(({ orderId }) => orderId === request.orderReference);
  const outcomes = own.map((refund) => readRefund(refund, request));
  const made = outcomes.find(({ kind }) => kind === "succeeded") ?? outcomes.find(({ kind }) => kind === "unknown");
  if (made !== undefined) return made;
  if (sale.status === "voided" && request.isWhole) return readVoid(sale, request);
  return outcomes[0] ?? null;
}

function judgeSale(sale: BraintreeTransaction, request: RefundInstruction): string | null {
  const status = braintreeStatus(sale);
  if (sale.type !== "sale") return "the transaction is not a payment";
  if (sale.currencyIsoCode !== request.currency) return "the payment is in another currency";
  if (status === "declined" || status === "voided") return `the payment is ${sale.status}: there is nothing to refund`;
  const paidCents = centsOf(sale.amount);
  const isFitting = request.isWhole ? request.amountCents === paidCents : request.amountCents <= paidCents;
  return isFitting ? null : "the payment has another amount";
}

async function voidSale(options: BraintreeOptions, request: RefundInstruction): Promise<RefundOutcome> {
  const reply = await callBraintree(options, (gateway) =>
    gateway.transaction.void(request.transactionId, requestKey(options, request.idempotencyKey)),
  );
  // A second void changes nothing, so it may be resent if the answer is lost.
  if (reply.kind !== "answered") return explainSilence(reply, true);
  return readAnswer(reply.value, (transaction) => readVoid(transaction, request), readProblems);
}

async function refundSale(options: BraintreeOptions, request: RefundInstruction): Promise<RefundOutcome> {
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

/** A call refused for wrong keys refunded nothing: it is made again once they are corrected. */
function explainSilence(reply: Exclude<BraintreeReply, { kind: "answered" }>, mayResend: boolean): RefundOutcome {
  return reply.kind === "lost"
    ? { kind: "unknown", reason: reply.reason, mayResend }
    : { kind: "not_sent", reason: reply.reason };
}

function readProblems(problems: readonly BraintreeProblem[]): RefundOutcome {
  const has = (...codes: readonly string[]) => problems.some(({ code }) => codes.includes(code));
  const reason = explainProblems(problems);
  if (has(...EARLIER_CALL)) return { kind: "unknown", reason, mayResend: has(KEY_IN_FLIGHT) };
  if (has(KEYS_NOT_ALLOWED)) return { kind: "not_sent", reason };
  // Its settlement status changed between the check and the call; the next check reads it again.
  if (has(CANNOT_BE_VOIDED, NOT_SETTLED)) return { kind: "too_early", reason };
  return { kind: "refused", reason, raw: { problems } };
}

function readVoid(sale: BraintreeTransaction, request: RefundInstruction): RefundOutcome {
  if (sale.id !== request.transactionId || sale.status !== "voided") {
    return { kind: "unknown", reason: "Braintree accepted the void, but does not report it as done", mayResend: true };
  }
  return { kind: "succeeded", how: "void", transactionId: sale.id, status: sale.status, raw: sale };
}

function readRefund(refund: BraintreeTransaction, request: RefundInstruction): RefundOutcome {
  const isFitting =
    refund.type === "credit" &&
    refund.refundedTransactionId === request.transactionId &&
    refund.orderId === request.orderReference &&
    refund.currencyIsoCode === request.currency &&
    centsOf(refund.amount) === request.amountCents;
  if (!isFitting) return { kind: "unknown", reason: "Braintree answered about another refund", mayResend: false };
  switch (braintreeStatus(refund)) {
    case "approved":
      return { kind: "succeeded", how: "refund", transactionId: refund.id, status: refund.status, raw: refund };
    case "declined":
    case "voided":
      return { kind: "refused", reason: `Braintree's refund is ${refund.status}`, raw: refund };
    default:
      return { kind: "unknown", reason: `Braintree's refund is ${refund.status}`, mayResend: false };
  }
}
