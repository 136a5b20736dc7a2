import type { Payment } from "#shared/checkout/contract.ts";
import { accepted, type Reply, refused, stillProcessing } from "#shared/contract/envelope.ts";
import type { Database } from "#shared/database/connect.ts";
import { problems } from "#shared/errors.ts";
import { signPath } from "#shared/http/signed-link.ts";
import { formatDollars } from "#shared/money.ts";
import { type Attempt, NOT_CHARGED } from "#shared/payments/attempts.ts";
import { shownAs } from "#shared/payments/states.ts";
import { donationIdOf, findPaidDonation } from "./store.ts";

type Needs = { readonly database: Database; readonly config: { readonly secretKey: string } };

const says = {
  succeeded: "Thank you. Your donation has been received.",
  processing: "We are confirming your payment. Please do not pay again.",
  action_required: "Your bank asks you to confirm this payment.",
  refunded: "This payment has been refunded.",
} as const;

/** What took the money, in the words of its payer. */
const service = { payway: "card payment", braintree: "PayPal" } as const;

/** Why a failed payment failed, in words that tell a card tester nothing. Each says that no money has moved. */
function failure(attempt: Attempt): string {
  const { provider, state, authentication } = attempt;
  if (attempt.provider_status === NOT_CHARGED) {
    return `The ${service[provider]} service could not take this payment. Nothing was charged. Please try again in a few minutes.`;
  }
  if (state === "failed" && provider === "braintree") {
    return "PayPal did not take this payment, and nothing was charged. Please try again, or give by card or bank deposit.";
  }
  if (state === "failed" || (state === "cancelled" && isRefusalOfBank(attempt))) return problems.payment_declined.says;
  if (state === "cancelled" && authentication === "C") {
    return "This payment was not confirmed with your bank, and nothing was charged. You may try again.";
  }
  if (state === "cancelled" && authentication === "U") {
    return "Your bank could not be asked to confirm this payment, and nothing was charged. Please try again later, or give another way.";
  }
  return "This payment did not go through, and nothing was charged. You may try again.";
}

/** N and R of 3-D Secure. */
const isRefusalOfBank = ({ authentication }: Attempt) => authentication === "N" || authentication === "R";

/** What its payer may know of a payment; the same words whenever it is asked. */
export async function describePayment({ database, config }: Needs, attempt: Attempt): Promise<Payment> {
  const state = shownAs[attempt.state];
  const message = state === "failed" ? failure(attempt) : says[state];
  const payment = { id: attempt.id, state, message };
  const isPartlyKept = attempt.state === "partially_refunded";
  if (state !== "succeeded" && !isPartlyKept) return payment;
  const { reference, hasReceipt, refundedCents } = await findPaidDonation(database, donationIdOf(attempt));
  const receiptUrl = signPath(config.secretKey, receiptPath(donationIdOf(attempt)));
  return {
    ...payment,
    ...(isPartlyKept ? { message: `${formatDollars(refundedCents)} of this payment has been refunded.` } : {}),
    reference,
    ...(hasReceipt ? { receiptUrl } : {}),
  };
}

/** The answer to a submission: 200 charged, 402 not charged, 202 not known yet (DON-16). */
export async function presentPayment(needs: Needs, attempt: Attempt): Promise<Reply<Payment>> {
  const payment = await describePayment(needs, attempt);
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

/** Where a donation's receipt lies; open only to who holds the signed link. */
export function receiptPath(donationId: string): string {
  return `/receipts/${donationId}`;
}
