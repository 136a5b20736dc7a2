import type { Answer } from "#shared/contract/envelope.ts";
import type { FieldErrors } from "#shared/errors.ts";
import type { Payment } from "../contract.ts";
import type { PayWords } from "./words.ts";

/** A refusal before anything was sent to the bank: nothing was charged, and the step is kept. */
export type Refusal = {
  readonly kind: "refused";
  readonly message: string;
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

/** What is known of a payment that was sent (DON-16). */
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
  return { kind: "failed", message: `Your ${noun} did not reach us, so no payment was made. Please try again.` };
}

/** Whether the words for a failure say already that nothing was charged. */
export const saysNothingMoved = (message: string) => /nothing (more )?was charged|no payment was made/i.test(message);

/** What the answer to a payment means for money. Whatever is not a definite answer is being confirmed, never failed. */
export function readPaymentAnswer(answer: Answer<Payment>): Verdict {
  const { status, message, data } = answer;
  if (answer.ok) return readPayment(answer.data, message);
  if (status === 402) return { kind: "failed", message };
  if (status >= 400 && status < 500) {
    const { error, fields = {}, effort } = answer;
    return { kind: "refused", message, error, fields, earlier: data, ...(effort === undefined ? {} : { effort }) };
  }
  if (status === 202 && data?.state === "action_required") return { kind: "challenge", id: data.id };
  return { kind: "confirming", id: data?.id };
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
