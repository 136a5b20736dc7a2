import type { Answer } from "#shared/contract/envelope.ts";
import type { FieldErrors, MoneyOutcome } from "#shared/errors.ts";
import type { Payment } from "../contract.ts";

/** A refusal before anything was sent to the bank; the step is kept. */
export type PaymentRefusal = {
  readonly kind: "refused";
  readonly message: string;
  /** `untouched` if left out. */
  readonly money?: Exclude<MoneyOutcome, "unknown"> | undefined;
  readonly error: string;
  readonly fields: FieldErrors;
  /** The earlier payment that this one would repeat (DON-30). */
  readonly earlier?: Payment | undefined;
  /** With `captcha_dearer`: the work that the next captcha needs. */
  readonly effort?: number | undefined;
};

/** Whether another payment method, or this one later, could work. */
export function isAboutMethod(refusal: PaymentRefusal | undefined): boolean {
  return refusal?.error === "provider_away" || refusal?.error === "cards_paused";
}

/** What we know about a sent payment (DON-16). A failed one charged nothing. */
export type PaymentVerdict =
  | {
      readonly kind: "succeeded";
      readonly id: string;
      readonly message: string;
      readonly reference: string | undefined;
      readonly receiptUrl: string | undefined;
    }
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "refunded"; readonly message: string }
  | { readonly kind: "confirming"; readonly id: string | undefined }
  /** The bank asks the payer to confirm; nothing is charged yet (3-D Secure). */
  | { readonly kind: "challenge"; readonly id: string }
  | PaymentRefusal;

export const neverArrived: PaymentVerdict = {
  kind: "failed",
  message: "We didn’t receive your payment. Please try again.",
};

/** What happened to the payer's money, for the message of a refusal or failure (DON-16). */
export function describeMoney(money: PaymentRefusal["money"] = "untouched"): string {
  return money === "untouched" ? "Nothing was charged." : "Nothing more was charged.";
}

/** Appends that sentence; adds the full stop that some of the specification's messages lack. */
export function withMoney(message: string, money?: PaymentRefusal["money"]): string {
  return `${message}${/[.!?]$/.test(message) ? "" : "."} ${describeMoney(money)}`;
}

/**
 * Reads what an answer means for the money. Without a definite answer the payment is being confirmed, never failed. A
 * 5xx answer is definite only if it says that nothing was charged.
 */
export function readPaymentAnswer(answer: Answer<Payment>): PaymentVerdict {
  const { status, message, data } = answer;
  if (answer.ok) return readPayment(answer.data, message);
  if (status === 402) return { kind: "failed", message };
  if (status === 202 && data?.state === "action_required") return { kind: "challenge", id: data.id };
  const { error, fields = {}, effort, money = status >= 400 && status < 500 ? "untouched" : "unknown" } = answer;
  if (money === "unknown") return { kind: "confirming", id: data?.id };
  return { kind: "refused", message, money, error, fields, earlier: data, ...(effort === undefined ? {} : { effort }) };
}

/** The result of a lookup; undefined if it failed, because that says nothing about the money. */
export function readLookup(answer: Answer<Payment>): PaymentVerdict | "unknown" | undefined {
  if (answer.ok) return readPayment(answer.data, answer.data.message);
  return answer.status === 404 ? "unknown" : undefined;
}

function readPayment({ id, state, reference, receiptUrl, ...payment }: Payment, answerMessage: string): PaymentVerdict {
  const message = answerMessage || payment.message;
  if (state === "succeeded") return { kind: "succeeded", id, message, reference, receiptUrl };
  if (state === "failed") return { kind: "failed", message };
  if (state === "refunded") return { kind: "refunded", message };
  if (state === "action_required") return { kind: "challenge", id };
  return { kind: "confirming", id };
}
