import { z } from "zod";
import type { Charge, Outcome } from "../provider.ts";
import { type BraintreeOptions, callBraintree, type Reply } from "./braintree-sdk.ts";
import { centsOf, classify, dollarsOf, Result, Transaction } from "./braintree-transactions.ts";

const NONCE = /^[A-Za-z0-9_-]{8,200}$/;
/** Reading a nonce charges nothing and is quick: the time is kept for the sale. */
const LONGEST_NONCE_MS = 15_000;
const CHECK = "check BRAINTREE_URL, BRAINTREE_MERCHANT_ID, BRAINTREE_PUBLIC_KEY and BRAINTREE_PRIVATE_KEY";
/** The nonce is used, or the request key is: an earlier sale may stand in the books. */
const NONCE_CONSUMED = "91564";
const KEY_IN_FLIGHT = "915233";
const EARLIER_SALE = [NONCE_CONSUMED, "915232", KEY_IN_FLIGHT, "915234", "915235"];
const KEYS_NOT_ALLOWED = "915231";

const Nonce = z.object({ type: z.string().min(1).max(60), consumed: z.boolean() });
const Problem = z.object({ code: z.string().max(20), attribute: z.string().max(60).nullish() });
export type Problem = z.output<typeof Problem>;

/**
 * Looks at the nonce and, when it is a PayPal account's, makes one sale. Speaks of that sale alone: after an earlier one
 * whose outcome is unknown, a `not_charged` settles nothing.
 */
export async function sendCharge(options: BraintreeOptions, charge: Charge): Promise<Outcome> {
  if (!NONCE.test(charge.instrument)) return { kind: "not_charged", reason: "bad nonce", mayRetry: false };
  const objection = await judgeNonce(options, charge.instrument);
  if (objection !== null) return objection;
  const reply = await callBraintree(options, (gateway) =>
    gateway.transaction.sale({
      amount: dollarsOf(charge.amountCents),
      paymentMethodNonce: charge.instrument,
      orderId: charge.orderReference,
      merchantAccountId: options.merchantAccountId,
      options: { submitForSettlement: true },
      ...requestKey(options, charge.idempotencyKey),
    }),
  );
  switch (reply.kind) {
    case "never_sent":
    case "busy":
      return { kind: "not_charged", reason: reply.reason, mayRetry: true };
    case "refused":
      return { kind: "not_charged", reason: `${reply.reason}: ${CHECK}`, mayRetry: false };
    case "lost":
      return { kind: "unknown", reason: reply.reason, mayResend: options.hasRequestKeys };
    case "answered":
      return readSale(reply.value, charge, options);
  }
}

/** Braintree allows the key to few; without it nothing may be sent twice. */
export function requestKey({ hasRequestKeys }: BraintreeOptions, key: string): { apiRequestKey?: string } {
  return hasRequestKeys ? { apiRequestKey: key } : {};
}

/** Null when the nonce may be charged. A card's must not: this way of paying would otherwise try out stolen cards. */
async function judgeNonce(options: BraintreeOptions, nonce: string): Promise<Outcome | null> {
  const timeoutMs = Math.min(options.timeoutMs, LONGEST_NONCE_MS);
  const reply = await callBraintree(options, (gateway) => gateway.paymentMethodNonce.find(nonce), timeoutMs);
  if (reply.kind === "refused") return explainRefusedNonce(reply);
  if (reply.kind !== "answered") return { kind: "not_charged", reason: reply.reason, mayRetry: true };
  const read = Nonce.safeParse(reply.value);
  if (!read.success) return { kind: "not_charged", reason: "Braintree's answer cannot be read", mayRetry: true };
  const { type, consumed } = read.data;
  if (type !== "PayPalAccount") {
    return { kind: "declined", transactionId: null, status: "not_paypal", responseCode: null, raw: { type } };
  }
  // With a request key the sale itself says what became of the earlier one.
  if (!consumed || options.hasRequestKeys) return null;
  return { kind: "unknown", reason: "the nonce has been charged before", mayResend: false };
}

function explainRefusedNonce({ status, reason }: Extract<Reply, { kind: "refused" }>): Outcome {
  const why = status === 404 ? "Braintree knows no such nonce, or not this merchant" : reason;
  return { kind: "not_charged", reason: `${why}: ${CHECK}`, mayRetry: false };
}

/** Success only when status, id, type, order, amount, currency, account and instrument all say so. */
function readSale(value: unknown, charge: Charge, options: BraintreeOptions): Outcome {
  const unknown = (reason: string, mayResend = false): Outcome => ({ kind: "unknown", reason, mayResend });
  const result = Result.safeParse(value);
  if (!result.success) return unknown("Braintree answered, but not in the form it should");
  if (result.data.transaction === undefined) return readProblems(value, options);
  const parsed = Transaction.safeParse(result.data.transaction);
  if (!parsed.success) return unknown("Braintree answered, but its transaction cannot be read");
  const sale = parsed.data;
  if (sale.type !== "sale") return unknown("Braintree answered about another type of transaction");
  if (sale.orderId !== charge.orderReference) return unknown("Braintree answered about another order");
  if (centsOf(sale.amount) !== charge.amountCents) return unknown("Braintree answered with another amount");
  if (sale.currencyIsoCode !== charge.currency) {
    return unknown("Braintree answered in another currency: check BRAINTREE_MERCHANT_ACCOUNT_ID");
  }
  if (sale.merchantAccountId !== options.merchantAccountId) return unknown("Braintree answered for another account");
  const outcome = classify(sale);
  const isHeld = outcome.kind === "succeeded" || outcome.kind === "processing";
  return isHeld && !result.data.success ? unknown("Braintree said both yes and no") : outcome;
}

/** An answer without a transaction: nothing was charged by this call, where it says which field was wrong. */
function readProblems(value: unknown, { hasRequestKeys }: BraintreeOptions): Outcome {
  const problems = listProblems(value);
  const codes = problems.map(({ code }) => code);
  if (problems.length === 0) {
    return { kind: "unknown", reason: "Braintree answered without a transaction", mayResend: false };
  }
  if (codes.some((code) => EARLIER_SALE.includes(code))) {
    const mayResend = hasRequestKeys && codes.includes(KEY_IN_FLIGHT);
    return { kind: "unknown", reason: `an earlier sale may stand: ${explainProblems(problems)}`, mayResend };
  }
  return { kind: "not_charged", reason: explainProblems(problems), mayRetry: false };
}

/** The fields that Braintree refused, by the codes of its documentation; empty where the answer names none. */
export function listProblems(value: unknown): Problem[] {
  try {
    const { errors } = value as { errors: { deepErrors(): unknown } };
    return z.array(Problem).parse(errors.deepErrors());
  } catch {
    return [];
  }
}

/** A sentence for the operator. Braintree's own words may repeat what was sent, so only its codes are named. */
export function explainProblems(problems: readonly Problem[]): string {
  if (problems.some(({ code }) => code === KEYS_NOT_ALLOWED)) {
    return `Braintree does not allow request keys to this merchant (${KEYS_NOT_ALLOWED}): set BRAINTREE_REQUEST_KEYS=off`;
  }
  return `Braintree refused ${problems.map(({ code, attribute }) => `${attribute || "a field"} (${code})`).join(", ")}`;
}
