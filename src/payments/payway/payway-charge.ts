import { z } from "zod";
import type { Charge, ChargeOutcome } from "../provider.ts";
import { exchange, isSuccessful, type PaywayOptions, type PaywayReply } from "./payway-http.ts";
import {
  centsOf,
  classifyPaywayPayment,
  dollarsOf,
  PaywayTransaction,
  parseJson,
  withoutSecrets,
} from "./payway-transactions.ts";

export const TOKEN = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Declines that PayWay may still change: ask its books before telling anyone. */
export const SOFT_CODES: ReadonlySet<string> = new Set(["Q2", "Q3", "Q4", "Q6", "QE", "QI", "QX", "91"]);
/**
 * The call was refused before processing, because of a key, path or form that only an operator can fix. A 407 is not
 * one of these: it comes from a proxy, and nobody knows what that did with the call.
 */
export const CONFIGURATION_STATUSES: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 406, 409, 410, 415, 501]);

const Refusal = z.object({
  data: z.array(z.object({ fieldName: z.string().nullish(), message: z.string().nullish() })),
});

/**
 * Makes exactly one HTTP call. The outcome is that of this call alone: if an earlier call with the same key has an
 * unknown outcome, `not_charged` (token already used, key in use) settles nothing.
 */
export async function sendPaywayCharge(options: PaywayOptions, charge: Charge): Promise<ChargeOutcome> {
  if (!TOKEN.test(charge.instrument)) return { kind: "not_charged", reason: "bad token", mayRetry: false };
  const form = new URLSearchParams({
    singleUseTokenId: charge.instrument,
    customerNumber: charge.customerReference,
    transactionType: "payment",
    principalAmount: dollarsOf(charge.amountCents),
    currency: charge.currency.toLowerCase(),
    orderNumber: charge.orderReference,
    merchantId: options.merchantId,
    customerIpAddress: charge.customerIpAddress,
    // Makes PayWay look up the bank's answer about this token.
    ...(charge.isAuthenticated ? { threeDS2: "true" } : {}),
  });
  const reply = await exchange(options, "/transactions", {
    method: "POST",
    body: form,
    headers: { "idempotency-key": charge.idempotencyKey },
  });
  switch (reply.kind) {
    case "never_sent":
      return { kind: "not_charged", reason: reply.reason, mayRetry: true };
    case "lost":
      return { kind: "unknown", reason: reply.reason, mayResend: true };
    case "broken":
      return { kind: "unknown", reason: reply.reason, mayResend: false };
    case "answered":
      return isSuccessful(reply.status) ? readCharge(reply.body, charge) : readError(reply);
  }
}

/** Reads a 2xx: success only if status, id, type, order, currency and amount all match. */
function readCharge(body: string | null, charge: Charge): ChargeOutcome {
  const unknown = (reason: string): ChargeOutcome => ({ kind: "unknown", reason, mayResend: false });
  const parsed = PaywayTransaction.safeParse(parseJson(body));
  if (!parsed.success) return unknown("PayWay accepted the call, but its answer cannot be read");
  const transaction = parsed.data;
  if (transaction.transactionType !== "payment") return unknown("PayWay answered about another type of transaction");
  if (transaction.orderNumber !== charge.orderReference) return unknown("PayWay answered about another order");
  if (centsOf(transaction.principalAmount) !== charge.amountCents)
    return unknown("PayWay answered with another amount");
  if (transaction.currency.toUpperCase() !== charge.currency) return unknown("PayWay answered in another currency");
  const outcome = classifyPaywayPayment(transaction);
  if (outcome.kind === "declined" && SOFT_CODES.has(outcome.responseCode ?? "")) {
    return unknown(`PayWay declined with code ${outcome.responseCode}, which it may still change`);
  }
  return outcome;
}

function readError(reply: Extract<PaywayReply, { kind: "answered" }>): ChargeOutcome {
  const { status } = reply;
  const later = reply.retryAfterMs === undefined ? {} : { retryAfterMs: reply.retryAfterMs };
  if (status === 422) return { kind: "not_charged", reason: readRefusal(reply.body), mayRetry: false };
  if (status === 429) {
    return { kind: "not_charged", reason: "PayWay is limiting our calls (HTTP 429)", mayRetry: true, ...later };
  }
  if (status === 503) {
    return { kind: "unknown", reason: "PayWay is not available (HTTP 503)", mayResend: true, ...later };
  }
  if (CONFIGURATION_STATUSES.has(status)) {
    return { kind: "not_charged", reason: explainConfiguration(status), mayRetry: false };
  }
  return { kind: "unknown", reason: `PayWay answered HTTP ${status}`, mayResend: false };
}

/** For the operator, when PayWay refuses the site itself; `status` is PayWay's HTTP status. */
export function explainConfiguration(status: number): string {
  return `PayWay refused the call (HTTP ${status}): check PAYWAY_URL, PAYWAY_SECRET_KEY and PAYWAY_MERCHANT_ID`;
}

/** The field that PayWay refuses; null if it names none. */
export function refusedField(body: string | null): string | null {
  return Refusal.safeParse(parseJson(body)).data?.data[0]?.fieldName ?? null;
}

/** PayWay's reason for a 422, as a sentence for the log. */
export function readRefusal(body: string | null): string {
  const field = Refusal.safeParse(parseJson(body)).data?.data[0];
  return `PayWay refused ${field?.fieldName ?? "a field"} (HTTP 422): ${withoutSecrets(field?.message ?? "it does not say why")}`;
}
