import { randomUUID } from "node:crypto";
import type { Payment, PaymentMethod } from "#payments/checkout/contract.ts";
import { paypalIsNotOffered } from "#payments/checkout/describe-checkout.ts";
import {
  makeSubmission,
  type PayingServices,
  presentCounted,
  refuseForNow,
  type Sender,
  solvePaymentCaptcha,
  submitOnce,
} from "#payments/checkout/paying.ts";
import { isPayer, presentPayment } from "#payments/checkout/present-payment.ts";
import type { Submission } from "#payments/context.ts";
import type { ProviderName } from "#payments/tables.ts";
import type { Config } from "#shared/config.ts";
import { type Reply, refused } from "#shared/contract/envelope.ts";
import type { Connection, Database } from "#shared/database/connect.ts";
import { AppError } from "#shared/errors.ts";
import type { CardPayment, PayPalPayment } from "../contract.ts";
import { checkPayment } from "./check-payment.ts";
import { JustGiven, presentJustGiven, refuseRepeat, repeatDigest } from "./just-given.ts";
import { insertDonation, listCategories } from "./store.ts";

export type DonationServices = PayingServices & {
  readonly config: Pick<Config, "fees" | "limits" | "payway" | "braintree" | "circuit" | "secretKey">;
  readonly database: Database;
};

/** `userId` is who is logged in; null for a guest. */
export type Donor = Sender & { readonly userId: number | null };

/** Who takes the money for each way to pay, and whose fee goes with it. */
const ways = {
  PAYWAY: { provider: "payway", method: "cc" },
  braintree: { provider: "braintree", method: "pp" },
} as const satisfies Record<string, { provider: ProviderName; method: PaymentMethod }>;

/**
 * Gives by card or by PayPal. A copy of an earlier submission is answered from the books before anything else is looked
 * at; else the payment is checked, priced again, recorded, committed and charged, in this order, each at most once.
 */
export async function donate(
  services: DonationServices,
  payment: CardPayment | PayPalPayment,
  sender: Donor,
): Promise<Reply<Payment>> {
  const { database, payments, subject, config } = services;
  const { provider, method } = ways[payment.method];
  const submission = submissionOf(services, payment, sender);
  const earlier = await payments.findEarlier(submission);
  if (earlier === null) return refused("key_reused");
  if (earlier !== "none") {
    return presentPayment(subject, earlier.attempt, await isPayer(subject, earlier.attempt, sender));
  }

  // 0 is a guest, also in a browser where somebody is logged in: another tab may give as one.
  if (payment.userId !== 0 && payment.userId !== sender.userId) {
    return refused("not_allowed", {
      message: "You are no longer logged in. Please log in again.",
    });
  }
  if (provider === "braintree" && !config.braintree.isOffered) {
    return refused("provider_away", { message: paypalIsNotOffered });
  }
  const payer = { ...sender, email: payment.email };
  const { effort, card } = await refuseForNow(services, provider, payer);
  const checked = checkPayment(payment, method, { catalogue: await listCategories(database), money: config });
  if (!checked.ok) throw new AppError("invalid_input", { fields: checked.fields });
  const nonce = await solvePaymentCaptcha(services, payment.captcha, { action: "donate", payer, effort });

  const { lines, priced } = checked;
  const digest = repeatDigest(config.secretKey, sender, { lines, totalCents: priced.totalCents });

  const open = async (transaction: Connection, at: Date) => {
    await refuseRepeat(transaction, { digest, isRepeat: payment.repeat === true }, at);
    const { id } = submission.subject;
    const userId = payment.userId === 0 ? null : payment.userId;
    const donor = { ...payment, postcode: payment.postcode ?? null };
    await insertDonation(transaction, { id, userId, donor, lines, priced, method, repeatDigest: digest }, at);
  };
  try {
    const submitted = await submitOnce(services, submission, { nonce, payer, card, open });
    return submitted === null ? refused("key_reused") : await presentCounted(services, submitted, payer);
  } catch (error) {
    if (error instanceof JustGiven) return presentJustGiven(subject, error.earlier, payment.email);
    throw error;
  }
}

/** What makes two requests the same submission: everything in them but the captcha, PayPal's wrapping and `repeat`. */
function submissionOf(
  { config }: DonationServices,
  { captcha: _, repeat: __, ...payment }: CardPayment | PayPalPayment,
  sender: Sender,
): Submission {
  const [instrument, request] =
    payment.method === "PAYWAY"
      ? ([payment.token.toLowerCase(), payment] as const)
      : ([payment.nonce, { ...payment, payload: undefined }] as const);
  return makeSubmission(config, sender, {
    subject: { kind: "donation", id: randomUUID() },
    provider: ways[payment.method].provider,
    instrument,
    request,
    amountCents: payment.totalCents,
    email: payment.email,
  });
}
