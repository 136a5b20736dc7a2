import { z } from "zod";
import type { Charge, Outcome } from "../provider.ts";
import { exchange, isSuccessful, type PaywayOptions, type Reply } from "./payway-http.ts";
import { centsOf, classify, dollarsOf, parseJson, Transaction, withoutSecrets } from "./payway-transactions.ts";

export const TOKEN = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Declines that PayWay itself is not sure of; the books are to be asked before anybody is told. */
export const SOFT_CODES: ReadonlySet<string> = new Set(["Q2", "Q3", "Q4", "Q6", "QE", "QI", "QX", "91"]);
/**
 * The call was refused before it was processed: a wrong key, path or form, which only an operator can mend. A proxy's 407
 * never gets here: fetch makes it a network error without a code, which counts as unknown.
 */
export const CONFIGURATION_STATUSES: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 406, 409, 410, 415, 501]);

const Refusal = z.object({
  data: z.array(z.object({ fieldName: z.string().nullish(), message: z.string().nullish() })),
});

/**
 * Makes exactly one HTTP call and speaks of that call alone: after an earlier call under the same key whose outcome is
 * unknown, a `not_charged` (token already used, key in use) settles nothing.
 */
export async function sendCharge(options: PaywayOptions, charge: Charge): Promise<Outcome> {
  if (!TOKEN.test(charge.instrument)) return { kind: "not_charged", reason: "bad token", mayRetry: false };
  const form = new URLSearchParams({
    singleUseTokenId: charge.instrument,
    customerNumber: charge.customerReference,
    transactionType: "payment",
    principalAmount: dollarsOf(charge.amountCents),
    currency: charge.currency.toLowerCase(),
    orderNumber: charge.orderReference,
    merchantId: options.merchantId,
    customerIpAddress: charge.customerAddress,
    // Has PayWay look for what the payer's bank said of this token.
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

/** A 2xx: success only when status, id, type, order, currency and amount all say so. */
function readCharge(body: string | null, charge: Charge): Outcome {
  const unknown = (reason: string): Outcome => ({ kind: "unknown", reason, mayResend: false });
  const parsed = Transaction.safeParse(parseJson(body));
  if (!parsed.success) return unknown("PayWay accepted the call, but its answer cannot be read");
  const transaction = parsed.data;
  if (transaction.transactionType !== "payment") return unknown("PayWay answered about another type of transaction");
  if (transaction.orderNumber !== charge.orderReference) return unknown("PayWay answered about another order");
  if (centsOf(transaction.principalAmount) !== charge.amountCents)
    return unknown("PayWay answered with another amount");
  if (transaction.currency.toUpperCase() !== charge.currency) return unknown("PayWay answered in another currency");
  const outcome = classify(transaction);
  if (outcome.kind === "declined" && SOFT_CODES.has(outcome.responseCode ?? "")) {
    return unknown(`PayWay declined with code ${outcome.responseCode}, which is not its last word`);
  }
  return outcome;
}

function readError(reply: Extract<Reply, { kind: "answered" }>): Outcome {
  const { status } = reply;
  const later = reply.retryAfterMs === undefined ? {} : { retryAfterMs: reply.retryAfterMs };
  if (status === 422) return { kind: "not_charged", reason: readRefusal(reply.body), mayRetry: false };
  if (status === 429) {
    return { kind: "not_charged", reason: "PayWay takes no more calls now (HTTP 429)", mayRetry: true, ...later };
  }
  if (status === 503) {
    return { kind: "unknown", reason: "PayWay is not available (HTTP 503)", mayResend: true, ...later };
  }
  if (CONFIGURATION_STATUSES.has(status)) {
    return { kind: "not_charged", reason: explainConfiguration(status), mayRetry: false };
  }
  return { kind: "unknown", reason: `PayWay answered HTTP ${status}`, mayResend: false };
}

export function explainConfiguration(status: number): string {
  return `PayWay refused the call (HTTP ${status}): check PAYWAY_URL, PAYWAY_SECRET_KEY and PAYWAY_MERCHANT_ID`;
}

/** The name of the field that PayWay refuses; null where it names none. */
export function refusedField(body: string | null): string | null {
  return Refusal.safeParse(parseJson(body)).data?.data[0]?.fieldName ?? null;
}

/** What PayWay says is wrong, in a sentence for the log. */
export function readRefusal(body: string | null): string {
  const field = Refusal.safeParse(parseJson(body)).data?.data[0];
  return `PayWay refused ${field?.fieldName ?? "a field"} (HTTP 422): ${withoutSecrets(field?.message ?? "it does not say why")}`;
}
