import { accepted, type Reply, refused, stillProcessing } from "#shared/contract/envelope.ts";
import { type Attempt, NOT_CHARGED } from "../attempts.ts";
import { paymentProblems } from "../problems.ts";
import { shownAs } from "../states.ts";
import type { Subject } from "../subject.ts";
import type { Payment } from "./contract.ts";

const sentences = {
  processing: "We are confirming your payment. Please do not pay again.",
  action_required: "Your bank asks you to confirm this payment.",
} as const;

/** The provider's name for the payer. */
const service = { payway: "card payment", braintree: "PayPal" } as const;

/** Why a payment failed, without details that would help a card tester. */
function failure(attempt: Attempt): string {
  const { provider, state, authentication } = attempt;
  if (attempt.provider_status === NOT_CHARGED) {
    return `The ${service[provider]} service couldn’t take this payment. Please try again in a few minutes.`;
  }
  if (state === "failed" && provider === "braintree") {
    return "PayPal didn’t accept this payment. Please try again, or pay another way.";
  }
  if (state === "failed" || (state === "cancelled" && isRefusalOfBank(attempt)))
    return paymentProblems.payment_declined.text;
  if (state === "cancelled" && authentication === "C") {
    return "This payment wasn’t confirmed with your bank. You can try again.";
  }
  if (state === "cancelled" && authentication === "U") {
    return "We couldn’t ask your bank to confirm this payment. Please try again later, or pay another way.";
  }
  return "This payment didn’t go through. You can try again.";
}

/** N and R of 3-D Secure. */
const isRefusalOfBank = ({ authentication }: Attempt) => authentication === "N" || authentication === "R";

/** Who is asking: the browser by its cookie, and the logged-in account. */
export type Viewer = { readonly browser: string | undefined; readonly userId?: number | null };

/** Whether the viewer made the payment. Knowing its id or Idempotency-Key doesn't prove that (API-13). */
export async function isPayer(
  subject: Subject,
  attempt: Attempt,
  { browser, userId = null }: Viewer,
): Promise<boolean> {
  if (browser !== undefined && attempt.browser_id === browser) return true;
  return userId !== null && (await subject.findUserId(attempt)) === userId;
}

/** A payment's state; its payer also gets the reference and the receipt link. */
export async function describePayment(subject: Subject, attempt: Attempt, isTheirs: boolean): Promise<Payment> {
  const { id } = attempt;
  const state = shownAs[attempt.state];
  if (state === "succeeded" || state === "refunded") {
    const paid = await subject.describePaid(attempt);
    return isTheirs ? { id, state, ...paid } : { id, state: paid.state ?? state, message: paid.message };
  }
  return { id, state, message: state === "failed" ? failure(attempt) : sentences[state] };
}

/** The answer to a submission: 200 charged, 402 not charged, 202 not yet known (DON-16). */
export async function presentPayment(subject: Subject, attempt: Attempt, isTheirs: boolean): Promise<Reply<Payment>> {
  const payment = await describePayment(subject, attempt, isTheirs);
  if (payment.state === "failed")
    return refused(paymentProblems.payment_declined, { message: payment.message, data: payment });
  if (payment.state === "processing" || payment.state === "action_required") {
    return stillProcessing(payment, payment.message);
  }
  return accepted(payment, payment.message);
}

/** Whether the bank refused the payment, which counts towards the limits. */
export function wasDeclined(attempt: Attempt): boolean {
  if (attempt.state === "cancelled") return isRefusalOfBank(attempt);
  return attempt.state === "failed" && attempt.provider_status !== NOT_CHARGED;
}
