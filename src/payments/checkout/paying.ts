import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Captcha, type CaptchaAction, spendCaptcha } from "#shared/captcha/captcha.ts";
import type { Config } from "#shared/config.ts";
import type { Reply } from "#shared/contract/envelope.ts";
import type { Connection, Database } from "#shared/database/connect.ts";
import { AppError } from "#shared/errors.ts";
import { findAttempt } from "../attempts.ts";
import type { Circuits } from "../circuits.ts";
import type { Open, Submission, Submitted } from "../context.ts";
import type { Payments } from "../payments.ts";
import type { Subject } from "../subject.ts";
import type { ProviderName } from "../tables.ts";
import { findCardStanding } from "./card-standing.ts";
import type { Payment } from "./contract.ts";
import { CARDS_RETRY_SECONDS, type CardSender, captchaEfforts, type DeclineBreaker } from "./decline-breaker.ts";
import type { DeclineLimits, Payer } from "./decline-limits.ts";
import { isPayer, presentPayment, type Viewer, wasDeclined } from "./present-payment.ts";

// What stands between a form that pays and the payment, whatever is paid for.

export type PayingServices = {
  readonly config: Pick<Config, "payway" | "circuit">;
  readonly database: Database;
  readonly payments: Payments;
  readonly subject: Subject;
  readonly circuits: Circuits;
  readonly captcha: Captcha;
  readonly limits: DeclineLimits;
  readonly breaker: DeclineBreaker;
  readonly now: () => Date;
};

/** Who sends a payment: the network address and the browser; and the key that names this one submission. */
export type Sender = {
  readonly address: string;
  readonly browser: string | undefined;
  readonly idempotencyKey: string | undefined;
};

type Request = Pick<Submission, "subject" | "provider" | "instrument" | "amountCents"> & {
  /** Everything that makes two requests the same submission. */
  readonly request: object;
  readonly email: string;
};

/** A submission under the sender's key or, where there is none, under a digest of the card token or nonce. */
export function makeSubmission(
  { payway: { authentication } }: PayingServices["config"],
  { idempotencyKey, address, browser }: Sender,
  { request, email, ...submission }: Request,
): Submission {
  const { provider, instrument } = submission;
  const digest = () => createHash("sha256").update(instrument).digest("base64url");
  return {
    ...submission,
    clientKey: idempotencyKey ?? `${provider === "payway" ? "token" : "nonce"}:${digest()}`,
    requestHash: createHash("sha256").update(JSON.stringify(request)).digest(),
    customerAddress: address,
    browser,
    authentication:
      provider === "payway" && authentication !== null
        ? { email, unavailableMaximumCents: authentication.unavailableMaximumCents }
        : null,
  };
}

/**
 * Goes on with a payment that the card's bank asked about (DON-18), for the browser that began it; anybody else sees how it
 * stands. What the browser says of the bank's answer is not read.
 */
export async function finishChallenge(
  services: PayingServices,
  { id, isAbandoned }: { id: string; isAbandoned: boolean },
  { address, ...viewer }: Viewer & Pick<Sender, "address">,
): Promise<Reply<Payment>> {
  const { database, payments, config, subject } = services;
  const attempt = await findAttempt(database, id.toLowerCase());
  if (attempt === undefined) throw new AppError("not_found");
  const isTheirs = await isPayer(subject, attempt, viewer);
  // A client that keeps no cookies cannot show that it is the same.
  if (!isTheirs && attempt.browser !== null) return presentPayment(subject, attempt, false);
  const unavailableMaximumCents = config.payway.authentication?.unavailableMaximumCents ?? 0;
  const submitted = await payments.resume(attempt.id, { isAbandoned, unavailableMaximumCents });
  const email = await subject.findEmail(attempt);
  return presentCounted(services, submitted!, { address, ...viewer, email });
}

/** A decline counts before it is answered; one that comes after the payer's wait counts when it comes. */
export async function presentCounted(
  services: PayingServices,
  { attempt, charged }: Submitted,
  payer: Payer & Viewer,
): Promise<Reply<Payment>> {
  const { limits, breaker, subject, now } = services;
  const counted = charged?.then(async (ended) => {
    if (!wasDeclined(ended)) return;
    await limits.countDecline(payer);
    if (ended.provider === "payway") await breaker.review(now());
  });
  if (wasDeclined(attempt)) await counted;
  else counted?.catch(() => undefined);
  return presentPayment(subject, attempt, charged !== undefined || (await isPayer(subject, attempt, payer)));
}

/** What a payment needs that is not refused: what its captcha must be worth, and how its sender stands. */
export type Terms = { readonly effort: number; readonly card: CardSender };

/**
 * Refuses what stands against this payer, or this way to pay, for a while; else says on which terms they may pay. Nothing
 * is recorded.
 */
export async function refuseForNow(services: PayingServices, provider: ProviderName, payer: Payer): Promise<Terms> {
  const { circuits, limits, config } = services;
  if (await circuits.isOpen(provider)) {
    throw new AppError("provider_away", { retryAfterSeconds: Math.ceil(config.circuit.probeMs / 1000) });
  }
  const refusal = await limits.findRefusal(payer);
  if (refusal !== null) throw new AppError("too_many", refusal);
  const effort = await limits.findEffort(payer);
  if (provider !== "payway") return { effort, card: "unchecked" };
  const standing = await findStandingNow(services, payer);
  if (standing === "refused") throw new AppError("cards_paused", { retryAfterSeconds: CARDS_RETRY_SECONDS });
  return { effort: standing === "new" ? Math.max(effort, captchaEfforts.guarded) : effort, card: standing };
}

type Place = { readonly address: string; readonly browser?: string | undefined };

/** How the sender of a card payment stands now. */
async function findStandingNow(
  { database, breaker, now }: Pick<PayingServices, "database" | "breaker" | "now">,
  { address, browser }: Place,
): Promise<CardSender | "refused"> {
  if ((await breaker.findLevel(now())) !== "guarded") return "unchecked";
  const standing = await findCardStanding(database, { address, browser }, now());
  if (standing === "known") return standing;
  return standing === "new" && (await breaker.hasRoom(now())) ? standing : "refused";
}

/** Whether the breaker lets this sender pay by card, and what a captcha for a payment must be worth. */
export async function describeGuard(
  services: Pick<PayingServices, "database" | "breaker" | "now">,
  sender: Place,
): Promise<{ readonly takesCards: boolean; readonly effort: number }> {
  const standing = await findStandingNow(services, sender);
  const level = standing === "new" ? "guarded" : await services.breaker.findLevel(services.now());
  const effort = standing === "new" || level !== "guarded" ? captchaEfforts[level] : captchaEfforts.raised;
  return { takesCards: standing !== "refused", effort };
}

/** How long a card payment waits, step by step, while too many others are under way. */
const TURNS_MS = [250, 500, 1000, 2000, 3000];

/** Submits; a card only where the breaker has room for it, after a while where others have to be answered first. */
async function submitInTurn(
  { payments, breaker, now }: PayingServices,
  submission: Submission,
  { card, open }: { card: CardSender; open: Open },
): Promise<Submitted | null> {
  if (submission.provider !== "payway") return payments.submit(submission, open);
  for (let turn = 0; ; turn += 1) {
    let isCrowded = false;
    try {
      return await payments.submit(submission, async (transaction, at) => {
        const admission = await breaker.admit(transaction, at, card);
        if (!admission.ok) {
          isCrowded = admission.isCrowded;
          throw new AppError("cards_paused", admission);
        }
        await open(transaction, at);
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

/**
 * The captcha's nonce, to be spent with the recording. A failed one counts against the payer (DON-25); one that is worth
 * less than is asked for does not.
 */
export async function solvePaymentCaptcha(
  { captcha, limits, now }: PayingServices,
  solved: string | undefined,
  { action, payer, effort }: { action: CaptchaAction; payer: Payer; effort: number },
): Promise<string> {
  const verdict = await captcha.verify(solved, { action, address: payer.address, now: now() });
  if (verdict.ok && verdict.effort < effort) throw new AppError("captcha_dearer", { effort });
  if (verdict.ok) return verdict.nonce;
  if (verdict.reason === "missing") {
    throw new AppError("captcha_required", { fields: { captcha: ["Please complete the reCAPTCHA verification"] } });
  }
  if (verdict.reason === "unavailable") throw new AppError("captcha_unavailable");
  await limits.countFailedCaptcha(payer);
  throw new AppError("captcha_failed");
}

/**
 * Submits in turn, spending the captcha in the transaction that records the attempt; one that was spent already counts
 * against the payer. Null as in `Payments.submit`.
 */
export async function submitOnce(
  services: PayingServices,
  submission: Submission,
  { nonce, payer, card, open }: { nonce: string; payer: Payer; card: CardSender; open: Open },
): Promise<Submitted | null> {
  const spendAndOpen = async (transaction: Connection, at: Date) => {
    if (!(await spendCaptcha(transaction, nonce, at))) throw new AppError("captcha_failed");
    await open(transaction, at);
  };
  return submitInTurn(services, submission, { card, open: spendAndOpen }).catch(async (error: unknown) => {
    if (error instanceof AppError && error.problem === "captcha_failed")
      await services.limits.countFailedCaptcha(payer);
    throw error;
  });
}
