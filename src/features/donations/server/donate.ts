import { createHash } from "node:crypto";
import { type Captcha, spendCaptcha } from "#shared/captcha/captcha.ts";
import type { Config } from "#shared/config.ts";
import { type Reply, refused } from "#shared/contract/envelope.ts";
import type { Database } from "#shared/database/connect.ts";
import { AppError } from "#shared/errors.ts";
import type { DeclineBreaker } from "#shared/limits/decline-breaker.ts";
import type { DeclineLimits, Payer } from "#shared/limits/decline-limits.ts";
import type { Payments, Submission } from "#shared/payments/payments.ts";
import { type CardPayment, type Payment, wireField } from "../contract.ts";
import { checkPayment } from "./check-payment.ts";
import { presentPayment, wasDeclined } from "./present-payment.ts";
import { insertDonation, listCategories } from "./store.ts";

export type DonationServices = {
  readonly config: Pick<Config, "fees" | "limits" | "secretKey">;
  readonly database: Database;
  readonly payments: Payments;
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

/**
 * Gives by card. A copy of an earlier submission is answered from the books before anything else is looked at; else the
 * payment is checked, priced again, recorded, committed and charged, in this order, each at most once.
 */
export async function donate(
  services: DonationServices,
  payment: CardPayment,
  sender: Sender,
): Promise<Reply<Payment>> {
  const { database, payments, limits, breaker, now } = services;
  const submission = submissionOf(payment, sender);
  const earlier = await payments.findEarlier(submission);
  if (earlier === null) return refused("key_reused");
  if (earlier !== "none") return presentPayment(services, earlier.attempt);

  // 0 is a guest, also in a browser where somebody is logged in: another tab may give as one.
  if (payment.userId !== 0 && payment.userId !== sender.userId) {
    return refused("not_allowed", {
      message: "You are no longer logged in. Please log in again. Nothing was charged.",
    });
  }
  const payer = { address: sender.address, session: sender.session, email: payment.email };
  const refusal = await limits.findRefusal(payer);
  if (refusal !== null) throw new AppError("too_many", refusal);
  if ((await breaker.findLevel(now())) === "paused") throw new AppError("cards_paused", { retryAfterSeconds: 300 });
  const checked = checkPayment(payment, await listCategories(database), services.config);
  if (!checked.ok) throw new AppError("invalid_input", { fields: checked.fields });
  const captchaNonce = await solveCaptcha(services, payment, payer);

  const submitted = await payments
    .submit(submission, async (transaction, id, at) => {
      if (!(await spendCaptcha(transaction, captchaNonce, at))) throw new AppError("captcha_failed");
      const donor = { ...payment, postcode: payment.postcode ?? null };
      const { lines, priced } = checked;
      const userId = payment.userId === 0 ? null : payment.userId;
      await insertDonation(transaction, { id, userId, donor, lines, priced, method: "cc" }, at);
    })
    .catch(async (error: unknown) => {
      if (error instanceof AppError && error.problem === "captcha_failed") await limits.countDecline(payer);
      throw error;
    });
  if (submitted === null) return refused("key_reused");
  const counted = submitted.charged?.then((attempt) => (wasDeclined(attempt) ? limits.countDecline(payer) : undefined));
  // A decline counts before it is answered; one that comes after the payer's wait counts when it comes.
  if (wasDeclined(submitted.attempt)) await counted;
  else counted?.catch(() => undefined);
  return presentPayment(services, submitted.attempt);
}

/** What makes two requests the same submission: everything in them but the captcha. */
function submissionOf({ captcha: _, ...payment }: CardPayment, { idempotencyKey, address }: Sender): Submission {
  const token = payment.token.toLowerCase();
  return {
    clientKey: idempotencyKey ?? `token:${createHash("sha256").update(token).digest("base64url")}`,
    requestHash: createHash("sha256").update(JSON.stringify(payment)).digest(),
    instrument: token,
    amountCents: payment.totalCents,
    customerAddress: address,
  };
}

/** The captcha's nonce, to be spent with the recording. A failed one counts against the payer (DON-25). */
async function solveCaptcha(
  { captcha, limits, now }: DonationServices,
  payment: CardPayment,
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
