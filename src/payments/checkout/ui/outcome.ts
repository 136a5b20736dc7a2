import type { Answer } from "#shared/contract/envelope.ts";
import type { FieldErrors, MoneyOutcome } from "#shared/errors.ts";
import type { Payment } from "../contract.ts";
import type { PayWords } from "./words.ts";

/** A refusal before anything was sent to the bank; the step is kept. */
export type Refusal = {
  readonly kind: "refused";
  readonly message: string;
  /** Untouched where it is not said. */
  readonly money?: Exclude<MoneyOutcome, "unknown"> | undefined;
  readonly error: string;
  readonly fields: FieldErrors;
  /** The earlier payment that stands against this one (DON-30). */
  readonly earlier?: Payment | undefined;
  /** Of `captcha_dearer`: what the next captcha must be worth. */
  readonly effort?: number | undefined;
};

/** Whether another way of paying, or this one later, would do. */
export function isAboutMethod(refusal: Refusal | undefined): boolean {
  return refusal?.error === "provider_away" || refusal?.error === "cards_paused";
}

/** What is known of a payment that was sent (DON-16). One that failed has charged nothing. */
export type Verdict =
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
  /** The card's bank asks the payer to confirm: nothing is charged yet (3-D Secure). */
  | { readonly kind: "challenge"; readonly id: string }
  | Refusal;

/** The words for a payment that never reached the server. */
export function neverArrived(noun: PayWords["noun"]): Verdict {
  return { kind: "failed", message: `Your ${noun} did not reach us. Please try again.` };
}

/** The sentence about the payer's money that goes with what they are told of a refusal or a failure (DON-16). */
export function sayMoney(money: Refusal["money"] = "untouched"): string {
  return money === "untouched" ? "Nothing was charged." : "Nothing more was charged.";
}

/** A message with that sentence behind it; the specification's own messages may end without a full stop. */
export function withMoney(message: string, money?: Refusal["money"]): string {
  return `${message}${/[.!?]$/.test(message) ? "" : "."} ${sayMoney(money)}`;
}

/**
 * What the answer to a payment means for money. Whatever is not a definite answer is being confirmed, never failed: an answer
 * of 5xx is definite only where it says that the money was not touched.
 */
export function readPaymentAnswer(answer: Answer<Payment>): Verdict {
  const { status, message, data } = answer;
  if (answer.ok) return readPayment(answer.data, message);
  if (status === 402) return { kind: "failed", message };
  if (status === 202 && data?.state === "action_required") return { kind: "challenge", id: data.id };
  const { error, fields = {}, effort, money = status >= 400 && status < 500 ? "untouched" : "unknown" } = answer;
  if (money === "unknown") return { kind: "confirming", id: data?.id };
  return { kind: "refused", message, money, error, fields, earlier: data, ...(effort === undefined ? {} : { effort }) };
}

/** What a look-up said, or nothing when it did not come through: a look-up that fails says nothing about the money. */
export function readLookUp(answer: Answer<Payment>): Verdict | "unknown" | undefined {
  if (answer.ok) return readPayment(answer.data, answer.data.message);
  return answer.status === 404 ? "unknown" : undefined;
}

function readPayment({ id, state, reference, receiptUrl, ...payment }: Payment, said: string): Verdict {
  const message = said || payment.message;
  if (state === "succeeded") return { kind: "succeeded", id, message, reference, receiptUrl };
  if (state === "failed") return { kind: "failed", message };
  if (state === "refunded") return { kind: "refunded", message };
  if (state === "action_required") return { kind: "challenge", id };
  return { kind: "confirming", id };
}
