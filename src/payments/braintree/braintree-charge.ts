import { z } from "zod";
import type { Charge, Outcome } from "../provider.ts";
import { EARLIER_CALL, explainProblems, KEY_IN_FLIGHT, type Problem, readAnswer } from "./braintree-answers.ts";
import { type BraintreeOptions, callBraintree, type Reply, requestKey } from "./braintree-sdk.ts";
import { centsOf, classify, dollarsOf, type Transaction } from "./braintree-transactions.ts";

const NONCE = /^[A-Za-z0-9_-]{8,200}$/;
/** Reading a nonce charges nothing and is quick: the time is kept for the sale. */
const LONGEST_NONCE_MS = 15_000;
const CHECK = "check BRAINTREE_URL, BRAINTREE_MERCHANT_ID, BRAINTREE_PUBLIC_KEY and BRAINTREE_PRIVATE_KEY";
const NONCE_CONSUMED = "91564";
/** The nonce was used, or the request key: an earlier sale may stand in the books. */
const EARLIER_SALE = [NONCE_CONSUMED, ...EARLIER_CALL];

const Nonce = z.object({ type: z.string().min(1).max(60), consumed: z.boolean() });

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
      return readAnswer<Outcome>(
        reply.value,
        (sale) => readSale(sale, charge, options),
        (problems) => readProblems(problems, options),
      );
  }
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
function readSale(sale: Transaction, charge: Charge, options: BraintreeOptions): Outcome {
  const unknown = (reason: string): Outcome => ({ kind: "unknown", reason, mayResend: false });
  if (sale.type !== "sale") return unknown("Braintree answered about another type of transaction");
  if (sale.orderId !== charge.orderReference) return unknown("Braintree answered about another order");
  if (centsOf(sale.amount) !== charge.amountCents) return unknown("Braintree answered with another amount");
  if (sale.currencyIsoCode !== charge.currency) {
    return unknown("Braintree answered in another currency: check BRAINTREE_MERCHANT_ACCOUNT_ID");
  }
  if (sale.merchantAccountId !== options.merchantAccountId) return unknown("Braintree answered for another account");
  return classify(sale);
}

/** Nothing was charged by this call, unless what it used up was used by an earlier one. */
function readProblems(problems: readonly Problem[], { hasRequestKeys }: BraintreeOptions): Outcome {
  const codes = problems.map(({ code }) => code);
  const reason = explainProblems(problems);
  if (codes.some((code) => EARLIER_SALE.includes(code))) {
    const mayResend = hasRequestKeys && codes.includes(KEY_IN_FLIGHT);
    return { kind: "unknown", reason: `an earlier sale may stand: ${reason}`, mayResend };
  }
  return { kind: "not_charged", reason, mayRetry: false };
}
