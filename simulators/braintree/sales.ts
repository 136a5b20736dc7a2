import type { Fault } from "../faults.ts";
import type { Refusal } from "./answers.ts";
import type { Books, Nonce, Trace, Transaction } from "./books.ts";
import { findNonce, isUsed } from "./nonces.ts";
import { judgeSale } from "./verdict.ts";

/** The fields of `{"transaction": …}` that the simulator reads; it ignores others. */
export type TransactionFields = {
  readonly type?: unknown;
  readonly amount?: unknown;
  readonly order_id?: unknown;
  readonly merchant_account_id?: unknown;
  readonly payment_method_nonce?: unknown;
  readonly api_request_key?: unknown;
  readonly options?: { readonly submit_for_settlement?: unknown };
};

/** Charges a nonce; a refused field books nothing. */
export function sell(
  fields: TransactionFields,
  fault: Fault | null,
  books: Books,
  merchantAccountId: string,
  trace: Trace | null,
): Transaction | Refusal {
  const refused = refuseFields(fields, merchantAccountId);
  if (refused !== null) return refused;
  const nonce = usableNonce(fields.payment_method_nonce, books);
  if ("code" in nonce) return nonce;

  const now = books.now();
  const at = new Date(now).toISOString();
  const amountCents = readCents(fields.amount) ?? 0;
  const isSubmitted = fields.options?.submit_for_settlement === true;
  const { status, ...verdict } = judgeSale(nonce.kind, amountCents, isSubmitted, fault, now);
  const transaction: Transaction = {
    provider: "braintree",
    transactionId: books.takeId(),
    orderReference: text(fields.order_id),
    type: "payment",
    status,
    amountCents,
    currency: "AUD",
    parentId: null,
    at,
    detail: {
      ...verdict,
      instrument: nonce.kind === "card" ? "credit_card" : "paypal_account",
      nonceId: nonce.id,
      disputes: [],
      history: [{ status, at }],
    },
  };
  books.record(transaction, trace);
  return transaction;
}

/** Dollars with at most two decimals, as cents; null for anything else and for nothing. */
export function readCents(dollars: unknown): number | null {
  if (!/^\d{1,9}(\.\d{1,2})?$/.test(text(dollars))) return null;
  const cents = Math.round(Number(dollars) * 100);
  return cents > 0 ? cents : null;
}

/** A field's text or number as text; "" for anything else. */
export function text(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

function refuseFields(fields: TransactionFields, merchantAccountId: string): Refusal | null {
  const refuse = (code: string, attribute: string, message: string) => ({ code, attribute, message });
  const amount = text(fields.amount);
  if (fields.type !== "sale") return refuse("91523", "type", "Transaction type is invalid.");
  if (amount === "") return refuse("81502", "amount", "Amount is required.");
  if (readCents(amount) === null) {
    return Number(amount) === 0
      ? refuse("81531", "amount", "Amount must be greater than zero.")
      : refuse("81503", "amount", "Amount is an invalid format.");
  }
  if (text(fields.order_id).length > 255) return refuse("91501", "order_id", "Order ID is too long.");
  // Braintree would use its default account, which may be in another currency, so a missing one must fail here.
  if (text(fields.merchant_account_id) !== merchantAccountId) {
    return refuse("91513", "merchant_account_id", "Merchant account ID is invalid.");
  }
  return null;
}

/** The nonce that a sale names, or why it cannot be charged. */
function usableNonce(given: unknown, books: Books): Nonce | Refusal {
  const attribute = "payment_method_nonce";
  const id = text(given);
  if (id === "") return { code: "91508", attribute: "base", message: "A payment method is required." };
  const nonce = findNonce(id, books);
  if (nonce === undefined) return { code: "91565", attribute, message: "Unknown or expired payment_method_nonce." };
  if (isUsed(nonce, books)) {
    return { code: "91564", attribute, message: "Cannot use a payment_method_nonce more than once." };
  }
  return nonce;
}
