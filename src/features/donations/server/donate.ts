import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { type Attempt, attemptRow } from "#payments/attempts.ts";
import type { Payment, PaymentMethod } from "#payments/checkout/contract.ts";
import { paypalIsNotOffered } from "#payments/checkout/describe-checkout.ts";
import {
  lookUp,
  makeSubmission,
  type PayingServices,
  type PaymentSender,
  presentCounted,
  refuseForNow,
  solvePaymentCaptcha,
  submitOnce,
} from "#payments/checkout/paying.ts";
import { isPayer, presentPayment } from "#payments/checkout/present-payment.ts";
import type { Submission } from "#payments/context.ts";
import type { Fees } from "#payments/fees.ts";
import { paymentProblems } from "#payments/problems.ts";
import type { ProviderName } from "#payments/tables.ts";
import { type Reply, refused } from "#shared/contract/envelope.ts";
import type { Connection } from "#shared/database/connect.ts";
import { AppError } from "#shared/errors.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import type { CardPayment, PayPalPayment } from "../contract.ts";
import { checkPayment } from "./check-payment.ts";
import { findGiven, presentRepeatedDonation, readRepeat, repeatDigest } from "./repeat-donation.ts";
import { type CatalogueCategory, describeDonation, isAccountGone } from "./store.ts";

export type DonationServices = PayingServices &
  CoreServices<"database", "limits" | "payway" | "braintree" | "circuit" | "secretKey"> & {
    readonly fees: { current(): Fees };
    /** The categories on offer; see catalogue.ts. */
    readonly findCatalogue: (connection: Connection) => Promise<readonly CatalogueCategory[]>;
  };

/** `userId` is the logged-in account; null for a guest. */
type DonationSender = PaymentSender & { readonly userId: number | null };

/** The provider and fee rate for each payment method of the wire. */
const providerMethods = {
  PAYWAY: { provider: "payway", method: "cc" },
  braintree: { provider: "braintree", method: "pp" },
} as const satisfies Record<string, { provider: ProviderName; method: PaymentMethod }>;

/**
 * Donates by card or PayPal. A repeat of an earlier submission is answered from our records before anything is checked.
 * Otherwise the payment is checked, priced again, recorded, committed and charged, in that order and at most once.
 * @throws AppError `invalid_input`, or whatever `refuseForNow`, `solvePaymentCaptcha` and `submitOnce` throw: nothing
 * was charged then.
 */
export async function donate(
  services: DonationServices,
  payment: CardPayment | PayPalPayment,
  sender: DonationSender,
): Promise<Reply<Payment>> {
  const { database, subject, config, fees, now } = services;
  const { provider, method } = providerMethods[payment.method];
  const submission = submissionOf(services, payment, sender);
  const payer = { ...sender, email: payment.email };
  const looked = await lookUp(services, submission, { payer, findPurchase: services.findCatalogue });
  const { earlier, limited, purchase: catalogue } = looked;
  if (earlier === null) return refused(paymentProblems.key_reused);
  if (earlier !== "none") {
    return presentPayment(subject, earlier.attempt, await isPayer(subject, earlier.attempt, sender));
  }

  // 0 is a guest even in a logged-in browser: another tab may donate as a guest.
  if (payment.userId !== 0 && payment.userId !== sender.userId) {
    return noLongerLoggedIn();
  }
  if (provider === "braintree" && !config.braintree.isOffered) {
    return refused(paymentProblems.provider_away, { message: paypalIsNotOffered });
  }
  const { effort, card } = await refuseForNow(services, provider, { payer, limited });
  const checked = checkPayment(payment, method, { catalogue, money: { fees: fees.current(), limits: config.limits } });
  if (!checked.ok) throw new AppError("invalid_input", { fields: checked.fields });
  const nonce = await solvePaymentCaptcha(services, payment.captcha, { action: "donate", payer, effort });

  const { lines, priced } = checked;
  const digest = repeatDigest(config.secretKey, sender, { lines, totalCents: priced.totalCents });

  const record = (recording: string, captcha: string) => {
    const { id } = submission.subject;
    const userId = payment.userId === 0 ? null : payment.userId;
    const donor = { ...payment, postcode: payment.postcode ?? null };
    const donation = describeDonation({ id, userId, donor, lines, priced, method, repeatDigest: digest }, now());
    return sql<Attempt>`
      select ${attemptRow} from record_donation(${recording}, ${captcha}, ${donation}, ${payment.repeat === true})`;
  };
  try {
    const submitted = await submitOnce(services, submission, { nonce, payer, card, record });
    return submitted === null ? refused(paymentProblems.key_reused) : await presentCounted(services, submitted, payer);
  } catch (error) {
    if (isAccountGone(error)) return noLongerLoggedIn();
    const given = readRepeat(error);
    if (given === undefined) throw error;
    return presentRepeatedDonation(subject, await findGiven(database, given, now()), payment.email);
  }
}

const noLongerLoggedIn = () => refused("not_allowed", { message: "You are no longer logged in. Please log in again." });

/** Two requests are the same submission if all but their captcha, PayPal's wrapper and `repeat` is the same. */
function submissionOf(
  { config }: DonationServices,
  { captcha: _, repeat: __, ...payment }: CardPayment | PayPalPayment,
  sender: PaymentSender,
): Submission {
  const [instrument, request] =
    payment.method === "PAYWAY"
      ? ([payment.token.toLowerCase(), payment] as const)
      : ([payment.nonce, { ...payment, payload: undefined }] as const);
  return makeSubmission(config, sender, {
    subject: { kind: "donation", id: randomUUID() },
    provider: providerMethods[payment.method].provider,
    instrument,
    request,
    amountCents: payment.totalCents,
    email: payment.email,
  });
}
