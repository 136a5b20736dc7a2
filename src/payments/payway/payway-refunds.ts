import type { RefundInstruction, RefundOutcome } from "../provider.ts";
import { findPaywayTransaction, listOfOrder, listPaywayRefunds } from "./payway-books.ts";
import { CONFIGURATION_STATUSES, explainConfiguration, readRefusal, SOFT_CODES } from "./payway-charge.ts";
import { exchange, isSuccessful, type PaywayOptions, type PaywayReply } from "./payway-http.ts";
import {
  type BookedTransaction,
  centsOf,
  dollarsOf,
  PaywayTransaction,
  parseJson,
  paywayStatus,
} from "./payway-transactions.ts";

/**
 * Voids the payment before settlement and refunds it afterwards, as PayWay's record of the payment says. If the books
 * already have this request's refund, that is the answer. Like `sendPaywayCharge`, the outcome is about this call only.
 */
export async function sendPaywayRefund(options: PaywayOptions, request: RefundInstruction): Promise<RefundOutcome> {
  try {
    const payment = await findPaywayTransaction(options, request.transactionId);
    if (payment === null) return { kind: "refused", reason: "PayWay has no such transaction", raw: null };
    const settled = (await findEarlier(options, payment, request)) ?? (await judgePayment(options, payment, request));
    if (settled !== null) return settled;
    return payment.isVoidable === true ? await voidPayment(options, request) : await refundPayment(options, request);
  } catch (error) {
    // Only the reads before the call throw.
    return { kind: "not_sent", reason: (error as Error).message };
  }
}

/** Looks a requested refund up by its order number, or by the payment being voided. */
export async function findPaywayRefund(
  options: PaywayOptions,
  request: RefundInstruction,
): Promise<{ outcome: RefundOutcome | null; isAuthoritative: boolean }> {
  const payment = await findPaywayTransaction(options, request.transactionId);
  const outcome = payment === null ? null : await findEarlier(options, payment, request);
  return { outcome, isAuthoritative: options.searchIsAuthoritative };
}

async function findEarlier(
  options: PaywayOptions,
  payment: BookedTransaction,
  request: RefundInstruction,
): Promise<RefundOutcome | null> {
  if (payment.status === "voided" && request.isWhole) return readVoid(payment, request);
  const outcomes = (await listOfOrder(options, request.orderReference, "refund")).map((refund) =>
    readRefund(refund, request),
  );
  return (
    outcomes.find(({ kind }) => kind === "succeeded") ??
    outcomes.find(({ kind }) => kind === "unknown") ??
    outcomes[0] ??
    null
  );
}

/** Null if a void or refund may be requested now. */
async function judgePayment(
  options: PaywayOptions,
  payment: BookedTransaction,
  request: RefundInstruction,
): Promise<RefundOutcome | null> {
  const refused = (reason: string): RefundOutcome => ({ kind: "refused", reason, raw: payment });
  const status = paywayStatus(payment);
  if (payment.transactionType === "refund") return refused("the transaction is not a payment");
  if (payment.currency.toUpperCase() !== request.currency) return refused("the payment is in another currency");
  if (status === "declined" || status === "voided")
    return refused(`the payment is ${payment.status}: there is nothing to refund`);
  const principalCents = centsOf(payment.principalAmount);
  const isFitting = request.isWhole ? request.amountCents === principalCents : request.amountCents <= principalCents;
  if (!isFitting) return refused("the payment has another amount");
  if (payment.isRefundable === true || (payment.isVoidable === true && request.isWhole)) return null;
  if (payment.isVoidable !== true && payment.customerNumber) {
    const refunds = await listPaywayRefunds(options, payment, payment.customerNumber);
    const given = refunds.filter((refund) => paywayStatus(refund) === "approved");
    const givenCents = given.reduce((sum, refund) => sum + centsOf(refund.principalAmount), 0);
    if (givenCents >= principalCents) return refused("the payment has already been fully refunded");
  }
  return { kind: "too_early", reason: "the payment has not settled yet, so only a full refund is possible" };
}

async function voidPayment(options: PaywayOptions, request: RefundInstruction): Promise<RefundOutcome> {
  const path = `/transactions/${encodeURIComponent(request.transactionId)}/void`;
  const reply = await exchange(options, path, { method: "POST" });
  if (reply.kind === "answered" && isSuccessful(reply.status)) return readVoid(parse(reply.body), request);
  // It settled between the check and the call; the next check sees that and refunds it.
  if (reply.kind === "answered" && reply.status === 422) return { kind: "too_early", reason: readRefusal(reply.body) };
  const outcome = explainFailure(reply);
  // A second void changes nothing, so it may be resent if the answer is lost.
  return outcome.kind === "unknown" ? { ...outcome, mayResend: true } : outcome;
}

async function refundPayment(options: PaywayOptions, request: RefundInstruction): Promise<RefundOutcome> {
  const reply = await exchange(options, "/transactions", {
    method: "POST",
    body: new URLSearchParams({
      transactionType: "refund",
      parentTransactionId: request.transactionId,
      principalAmount: dollarsOf(request.amountCents),
      orderNumber: request.orderReference,
    }),
    headers: { "idempotency-key": request.idempotencyKey },
  });
  if (reply.kind === "answered" && isSuccessful(reply.status)) {
    const refund = parse(reply.body);
    return refund === null
      ? unknown("PayWay accepted the call, but its answer cannot be read")
      : readRefund(refund, request);
  }
  if (reply.kind === "answered" && reply.status === 422) {
    return { kind: "refused", reason: readRefusal(reply.body), raw: null };
  }
  return explainFailure(reply);
}

/** A call refused for wrong keys refunded nothing: it is made again once they are corrected. */
function explainFailure(reply: PaywayReply): RefundOutcome {
  switch (reply.kind) {
    case "never_sent":
      return { kind: "not_sent", reason: reply.reason };
    case "lost":
      return { kind: "unknown", reason: reply.reason, mayResend: true };
    case "broken":
      return unknown(reply.reason);
    case "answered": {
      const { status } = reply;
      if (status === 429) return { kind: "not_sent", reason: "PayWay is limiting our calls (HTTP 429)" };
      if (CONFIGURATION_STATUSES.has(status)) return { kind: "not_sent", reason: explainConfiguration(status) };
      return { kind: "unknown", reason: `PayWay answered HTTP ${status}`, mayResend: status === 503 };
    }
  }
}

function readVoid(payment: PaywayTransaction | null, request: RefundInstruction): RefundOutcome {
  if (payment?.transactionId !== request.transactionId || payment.status !== "voided") {
    return { kind: "unknown", reason: "PayWay accepted the void, but does not report it as done", mayResend: true };
  }
  return {
    kind: "succeeded",
    how: "void",
    transactionId: request.transactionId,
    status: payment.status,
    raw: payment,
  };
}

/** Success only if status, id, type, payment, order, currency and amount all match. */
function readRefund(refund: PaywayTransaction, request: RefundInstruction): RefundOutcome {
  const isFitting =
    refund.transactionType === "refund" &&
    refund.orderNumber === request.orderReference &&
    refund.parentTransaction?.transactionId === request.transactionId &&
    refund.currency.toUpperCase() === request.currency &&
    centsOf(refund.principalAmount) === request.amountCents;
  if (!isFitting) return unknown("PayWay answered about another refund");
  const { status, transactionId, responseCode } = refund;
  switch (paywayStatus(refund)) {
    case "approved":
      if (!transactionId) return unknown("PayWay answered without a transaction id");
      return { kind: "succeeded", how: "refund", transactionId, status, raw: refund };
    case "declined":
    case "voided":
      if (SOFT_CODES.has(responseCode ?? "")) return unknown(`PayWay declined with code ${responseCode}`);
      return { kind: "refused", reason: `PayWay's refund is ${status} (${responseCode ?? "no code"})`, raw: refund };
    default:
      return unknown(`PayWay's refund is ${status}`);
  }
}

function parse(body: string | null): PaywayTransaction | null {
  return PaywayTransaction.safeParse(parseJson(body)).data ?? null;
}

function unknown(reason: string): Extract<RefundOutcome, { kind: "unknown" }> {
  return { kind: "unknown", reason, mayResend: false };
}
