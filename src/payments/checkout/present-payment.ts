import { accepted, type Reply, refused, stillProcessing } from "#shared/contract/envelope.ts";
import { problems } from "#shared/errors.ts";
import { type Attempt, NOT_CHARGED } from "../attempts.ts";
import { shownAs } from "../states.ts";
import type { Subject } from "../subject.ts";
import type { Payment } from "./contract.ts";

const says = {
  processing: "We are confirming your payment. Please do not pay again.",
  action_required: "Your bank asks you to confirm this payment.",
} as const;

/** What took the money, in the words of its payer. */
const service = { payway: "card payment", braintree: "PayPal" } as const;

/** Why a failed payment failed, in words that tell a card tester nothing. */
function failure(attempt: Attempt): string {
  const { provider, state, authentication } = attempt;
  if (attempt.provider_status === NOT_CHARGED) {
    return `The ${service[provider]} service could not take this payment. Please try again in a few minutes.`;
  }
  if (state === "failed" && provider === "braintree") {
    return "PayPal did not take this payment. Please try again, or pay another way.";
  }
  if (state === "failed" || (state === "cancelled" && isRefusalOfBank(attempt))) return problems.payment_declined.says;
  if (state === "cancelled" && authentication === "C") {
    return "This payment was not confirmed with your bank. You may try again.";
  }
  if (state === "cancelled" && authentication === "U") {
    return "Your bank could not be asked to confirm this payment. Please try again later, or pay another way.";
  }
  return "This payment did not go through. You may try again.";
}

/** N and R of 3-D Secure. */
const isRefusalOfBank = ({ authentication }: Attempt) => authentication === "N" || authentication === "R";

/** Who asks: the browser by its cookie, and who is logged in. */
export type Viewer = { readonly browser: string | undefined; readonly userId?: number | null };

/** Whether the viewer made the payment. Its id and its Idempotency-Key show nothing of that (API-13). */
export async function isPayer(
  subject: Subject,
  attempt: Attempt,
  { browser, userId = null }: Viewer,
): Promise<boolean> {
  if (browser !== undefined && attempt.browser === browser) return true;
  return userId !== null && (await subject.findUserId(attempt)) === userId;
}

/** How a payment stands; its payer also has the reference and the link to the receipt. The same whenever it is asked. */
export async function describePayment(subject: Subject, attempt: Attempt, isTheirs: boolean): Promise<Payment> {
  const { id } = attempt;
  const state = shownAs[attempt.state];
  if (state === "succeeded" || state === "refunded") {
    const paid = await subject.describePaid(attempt);
    return isTheirs ? { id, state, ...paid } : { id, state: paid.state ?? state, message: paid.message };
  }
  return { id, state, message: state === "failed" ? failure(attempt) : says[state] };
}

/** The answer to a submission: 200 charged, 402 not charged, 202 not known yet (DON-16). */
export async function presentPayment(subject: Subject, attempt: Attempt, isTheirs: boolean): Promise<Reply<Payment>> {
  const payment = await describePayment(subject, attempt, isTheirs);
  if (payment.state === "failed") return refused("payment_declined", { message: payment.message, data: payment });
  if (payment.state === "processing" || payment.state === "action_required") {
    return stillProcessing(payment, payment.message);
  }
  return accepted(payment, payment.message);
}

/** True for a refusal by the bank, which counts towards the limits; false where the bank was never asked. */
export function wasDeclined(attempt: Attempt): boolean {
  if (attempt.state === "cancelled") return isRefusalOfBank(attempt);
  return attempt.state === "failed" && attempt.provider_status !== NOT_CHARGED;
}
