import { z } from "zod";
import type { Charge, ChargeOutcome } from "../provider.ts";
import {
  type BraintreeProblem,
  EARLIER_CALL,
  explainProblems,
  KEY_IN_FLIGHT,
  readAnswer,
} from "./braintree-answers.ts";
import { type BraintreeOptions, type BraintreeReply, callBraintree, requestKey } from "./braintree-sdk.ts";
import { type BraintreeTransaction, centsOf, classifyBraintreeSale, dollarsOf } from "./braintree-transactions.ts";

const NONCE = /^[A-Za-z0-9_-]{8,200}$/;
/** Reading a nonce is quick and charges nothing; a short limit leaves more time for the sale. */
const MAX_NONCE_MS = 15_000;
const CHECK = "check BRAINTREE_URL, BRAINTREE_MERCHANT_ID, BRAINTREE_PUBLIC_KEY and BRAINTREE_PRIVATE_KEY";
const NONCE_CONSUMED = "91564";
/** The nonce or the request key was used before: an earlier sale may have succeeded. */
const EARLIER_SALE = [NONCE_CONSUMED, ...EARLIER_CALL];

const Nonce = z.object({ type: z.string().min(1).max(60), consumed: z.boolean() });

/**
 * Checks the nonce and, if it is a PayPal account's, makes one sale. The outcome is that of this sale alone: if an
 * earlier one has an unknown outcome, `not_charged` settles nothing.
 */
export async function sendBraintreeCharge(options: BraintreeOptions, charge: Charge): Promise<ChargeOutcome> {
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
      return readAnswer<ChargeOutcome>(
        reply.value,
        (sale) => readSale(sale, charge, options),
        (problems) => readProblems(problems, options),
      );
  }
}

/** Null if the nonce may be charged. A card's nonce may not, or this method could be used to test stolen cards. */
async function judgeNonce(options: BraintreeOptions, nonce: string): Promise<ChargeOutcome | null> {
  const timeoutMs = Math.min(options.timeoutMs, MAX_NONCE_MS);
  const reply = await callBraintree(options, (gateway) => gateway.paymentMethodNonce.find(nonce), timeoutMs);
  if (reply.kind === "refused") return explainRefusedNonce(reply);
  if (reply.kind !== "answered") return { kind: "not_charged", reason: reply.reason, mayRetry: true };
  const read = Nonce.safeParse(reply.value);
  if (!read.success) return { kind: "not_charged", reason: "Braintree's answer cannot be read", mayRetry: true };
  const { type, consumed } = read.data;
  if (type !== "PayPalAccount") {
    return { kind: "declined", transactionId: null, status: "not_paypal", responseCode: null, raw: { type } };
  }
  // With a request key, the sale's answer gives the earlier sale's outcome.
  if (!consumed || options.hasRequestKeys) return null;
  return { kind: "unknown", reason: "the nonce has been charged before", mayResend: false };
}

function explainRefusedNonce({ status, reason }: Extract<BraintreeReply, { kind: "refused" }>): ChargeOutcome {
  const why = status === 404 ? "Braintree doesn't know this nonce or this merchant" : reason;
  return { kind: "not_charged", reason: `${why}: ${CHECK}`, mayRetry: false };
}

/** Success only if status, id, type, order, amount, currency, account and instrument all match. */
function readSale(sale: BraintreeTransaction, charge: Charge, options: BraintreeOptions): ChargeOutcome {
  const unknown = (reason: string): ChargeOutcome => ({ kind: "unknown", reason, mayResend: false });
  if (sale.type !== "sale") return unknown("Braintree answered about another type of transaction");
  if (sale.orderId !== charge.orderReference) return unknown("Braintree answered about another order");
  if (centsOf(sale.amount) !== charge.amountCents) return unknown("Braintree answered with another amount");
  if (sale.currencyIsoCode !== charge.currency) {
    return unknown("Braintree answered in another currency: check BRAINTREE_MERCHANT_ACCOUNT_ID");
  }
  if (sale.merchantAccountId !== options.merchantAccountId) return unknown("Braintree answered for another account");
  return classifyBraintreeSale(sale);
}

/** This call charged nothing; but if its nonce or key was used before, an earlier call may have. */
function readProblems(problems: readonly BraintreeProblem[], { hasRequestKeys }: BraintreeOptions): ChargeOutcome {
  const codes = problems.map(({ code }) => code);
  const reason = explainProblems(problems);
  if (codes.some((code) => EARLIER_SALE.includes(code))) {
    const mayResend = hasRequestKeys && codes.includes(KEY_IN_FLIGHT);
    return { kind: "unknown", reason: `an earlier sale may have succeeded: ${reason}`, mayResend };
  }
  return { kind: "not_charged", reason, mayRetry: false };
}
