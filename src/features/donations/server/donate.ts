import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Captcha, spendCaptcha } from "#shared/captcha/captcha.ts";
import type { Payment, PaymentMethod } from "#shared/checkout/contract.ts";
import type { Config } from "#shared/config.ts";
import { type Reply, refused } from "#shared/contract/envelope.ts";
import type { Database } from "#shared/database/connect.ts";
import type { ProviderName } from "#shared/database/tables.ts";
import { AppError } from "#shared/errors.ts";
import type { DeclineBreaker } from "#shared/limits/decline-breaker.ts";
import type { DeclineLimits, Payer } from "#shared/limits/decline-limits.ts";
import type { Circuits } from "#shared/payments/circuits.ts";
import type { Open, Payments, Submission, Submitted } from "#shared/payments/payments.ts";
import { type CardPayment, type PayPalPayment, wireField } from "../contract.ts";
import { checkPayment } from "./check-payment.ts";
import { paypalIsNotOffered } from "./describe-checkout.ts";
import { presentPayment, wasDeclined } from "./present-payment.ts";
import { insertDonation, listCategories } from "./store.ts";

export type DonationServices = {
  readonly config: Pick<Config, "fees" | "limits" | "secretKey" | "payway" | "braintree" | "circuit">;
  readonly database: Database;
  readonly payments: Payments;
  readonly circuits: Circuits;
  readonly captcha: Captcha;
  readonly limits: DeclineLimits;
  readonly breaker: DeclineBreaker;
  readonly now: () => Date;
};

/** Who sends a payment: the network address and the browser's own token; and the key that names this one submission. */
export type Sender = {
  readonly address: string;
  readonly session: string;
  /** Who is logged in; null for a guest. */
  readonly userId: number | null;
  readonly idempotencyKey: string | undefined;
};

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
  sender: Sender,
): Promise<Reply<Payment>> {
  const { database, payments, limits, config } = services;
  const { provider, method } = ways[payment.method];
  const submission = submissionOf(services, payment, sender);
  const earlier = await payments.findEarlier(submission);
  if (earlier === null) return refused("key_reused");
  if (earlier !== "none") return presentPayment(services, earlier.attempt);

  // 0 is a guest, also in a browser where somebody is logged in: another tab may give as one.
  if (payment.userId !== 0 && payment.userId !== sender.userId) {
    return refused("not_allowed", {
      message: "You are no longer logged in. Please log in again. Nothing was charged.",
    });
  }
  if (provider === "braintree" && !config.braintree.isOffered) {
    return refused("provider_away", { message: `${paypalIsNotOffered} Nothing was charged.` });
  }
  const payer = { address: sender.address, session: sender.session, email: payment.email };
  await refuseForNow(services, provider, payer);
  const checked = checkPayment(payment, method, { catalogue: await listCategories(database), money: config });
  if (!checked.ok) throw new AppError("invalid_input", { fields: checked.fields });
  const captchaNonce = await solveCaptcha(services, payment, payer);

  const submitted = await submitInTurn(services, submission, async (transaction, id, at) => {
    if (!(await spendCaptcha(transaction, captchaNonce, at))) throw new AppError("captcha_failed");
    const donor = { ...payment, postcode: payment.postcode ?? null };
    const { lines, priced } = checked;
    const userId = payment.userId === 0 ? null : payment.userId;
    await insertDonation(transaction, { id, userId, donor, lines, priced, method }, at);
  }).catch(async (error: unknown) => {
    if (error instanceof AppError && error.problem === "captcha_failed") await limits.countDecline(payer);
    throw error;
  });
  return submitted === null ? refused("key_reused") : presentCounted(services, submitted, payer);
}

/**
 * Goes on with a payment that the card's bank asked about (DON-18). Its id is random and the right to go on with it; what
 * the browser says of the bank's answer is not read.
 */
export async function finishChallenge(
  services: DonationServices,
  { id, isAbandoned }: { id: string; isAbandoned: boolean },
  { address, session }: Pick<Sender, "address" | "session">,
): Promise<Reply<Payment>> {
  const { payments, config, database } = services;
  const unavailableMaximumCents = config.payway.authentication?.unavailableMaximumCents ?? 0;
  const submitted = await payments.resume(id.toLowerCase(), { isAbandoned, unavailableMaximumCents });
  if (submitted === null) throw new AppError("not_found");
  const donation = await database
    .selectFrom("donations")
    .select("email")
    .where("id", "=", submitted.attempt.donation_id)
    .executeTakeFirst();
  return presentCounted(services, submitted, { address, session, email: donation?.email });
}

/** A decline counts before it is answered; one that comes after the payer's wait counts when it comes. */
async function presentCounted(
  services: DonationServices,
  { attempt, charged }: Submitted,
  payer: Payer,
): Promise<Reply<Payment>> {
  const { limits, breaker, now } = services;
  const counted = charged?.then(async (ended) => {
    if (!wasDeclined(ended)) return;
    await limits.countDecline(payer);
    if (ended.provider === "payway") await breaker.review(now());
  });
  if (wasDeclined(attempt)) await counted;
  else counted?.catch(() => undefined);
  return presentPayment(services, attempt);
}

/** Everything that stands against this payer, or this way to pay, for a while. Nothing is recorded. */
async function refuseForNow(
  { circuits, limits, breaker, config, now }: DonationServices,
  provider: ProviderName,
  payer: Payer,
) {
  if (await circuits.isOpen(provider)) {
    throw new AppError("provider_away", { retryAfterSeconds: Math.ceil(config.circuit.probeMs / 1000) });
  }
  const refusal = await limits.findRefusal(payer);
  if (refusal !== null) throw new AppError("too_many", refusal);
  if (provider === "payway" && (await breaker.findLevel(now())) === "paused") {
    throw new AppError("cards_paused", { retryAfterSeconds: 300 });
  }
}

/** How long a card payment waits, step by step, while too many others are under way. */
const TURNS_MS = [250, 500, 1000, 2000, 3000];

/** Submits; a card only where the breaker has room for it, after a while where others have to be answered first. */
async function submitInTurn(
  { payments, breaker, now }: DonationServices,
  submission: Submission,
  open: Open,
): Promise<Submitted | null> {
  if (submission.provider !== "payway") return payments.submit(submission, open);
  for (let turn = 0; ; turn += 1) {
    let isCrowded = false;
    try {
      return await payments.submit(submission, async (transaction, id, at) => {
        const admission = await breaker.admit(transaction, at);
        if (!admission.ok) {
          isCrowded = admission.isCrowded;
          throw new AppError("cards_paused", admission);
        }
        await open(transaction, id, at);
      });
    } catch (error) {
      if (!(error instanceof AppError && error.problem === "cards_paused")) throw error;
      const wait = isCrowded ? TURNS_MS[turn] : undefined;
      if (!isCrowded) await breaker.review(now());
      if (wait === undefined) throw error;
      await sleep(wait);
    }
  }
}

/** What makes two requests the same submission: everything in them but the captcha and PayPal's wrapping. */
function submissionOf(
  { config }: DonationServices,
  { captcha: _, ...payment }: CardPayment | PayPalPayment,
  { idempotencyKey, address }: Sender,
): Submission {
  const [name, instrument, named] =
    payment.method === "PAYWAY"
      ? (["token", payment.token.toLowerCase(), payment] as const)
      : (["nonce", payment.nonce, { ...payment, payload: undefined }] as const);
  const { authentication } = config.payway;
  return {
    provider: ways[payment.method].provider,
    clientKey: idempotencyKey ?? `${name}:${createHash("sha256").update(instrument).digest("base64url")}`,
    requestHash: createHash("sha256").update(JSON.stringify(named)).digest(),
    instrument,
    amountCents: payment.totalCents,
    customerAddress: address,
    authentication:
      payment.method === "PAYWAY" && authentication !== null
        ? { email: payment.email, unavailableMaximumCents: authentication.unavailableMaximumCents }
        : null,
  };
}

/** The captcha's nonce, to be spent with the recording. A failed one counts against the payer (DON-25). */
async function solveCaptcha(
  { captcha, limits, now }: DonationServices,
  payment: CardPayment | PayPalPayment,
  payer: Payer,
): Promise<string> {
  const verdict = await captcha.verify(payment.captcha, { action: "donate", address: payer.address, now: now() });
  if (verdict.ok) return verdict.nonce;
  if (verdict.reason === "missing") {
    throw new AppError("captcha_required", {
      fields: { [wireField.captcha]: ["Please complete the reCAPTCHA verification"] },
    });
  }
  if (verdict.reason === "unavailable") throw new AppError("captcha_unavailable");
  await limits.countDecline(payer);
  throw new AppError("captcha_failed");
}
