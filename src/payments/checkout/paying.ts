import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { RawBuilder } from "kysely";
import type { Captcha, CaptchaAction } from "#shared/captcha/captcha.ts";
import type { Reply } from "#shared/contract/envelope.ts";
import type { Connection } from "#shared/database/connect.ts";
import { isRaised, raised } from "#shared/database/raised.ts";
import { readOnOneConnection, together } from "#shared/database/transact.ts";
import { AppError, problems } from "#shared/errors.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { plural } from "#shared/language.ts";
import { type Attempt, findAttempt } from "../attempts.ts";
import type { Circuits } from "../circuits.ts";
import type { Submission, Submitted } from "../context.ts";
import { findCopy, type Payments } from "../payments.ts";
import { paymentProblems } from "../problems.ts";
import { isPaid } from "../states.ts";
import type { Subject } from "../subject.ts";
import type { ProviderName } from "../tables.ts";
import { findCardRisk } from "./card-risk.ts";
import type { Payment } from "./contract.ts";
import {
  CARDS_RETRY_SECONDS,
  type CardPlace,
  type CardSender,
  captchaEfforts,
  type DeclineBreaker,
} from "./decline-breaker.ts";
import type { DeclineLimits, Payer, PayerLimits } from "./decline-limits.ts";
import { isPayer, presentPayment, type Viewer, wasDeclined } from "./present-payment.ts";

// What every paying form goes through before its payment, whatever is paid for.

export type PayingServices = CoreServices<"database" | "now", "payway" | "circuit"> & {
  readonly payments: Payments;
  readonly subject: Subject;
  readonly circuits: Circuits;
  readonly captcha: Captcha;
  readonly limits: DeclineLimits;
  readonly breaker: DeclineBreaker;
};

/** Who sends a payment, and the key of this one submission. */
export type PaymentSender = {
  readonly address: string;
  readonly browser: string | undefined;
  readonly idempotencyKey: string | undefined;
};

type Request = Pick<Submission, "subject" | "provider" | "instrument" | "amountCents"> & {
  /** Everything that makes two requests the same submission. */
  readonly request: object;
  readonly email: string;
};

/** A submission under the sender's key or, without one, under a digest of the card token or nonce. */
export function makeSubmission(
  { payway: { authentication } }: PayingServices["config"],
  { idempotencyKey, address, browser }: PaymentSender,
  { request, email, ...submission }: Request,
): Submission {
  const { provider, instrument } = submission;
  const digest = () => createHash("sha256").update(instrument).digest("base64url");
  return {
    ...submission,
    clientKey: idempotencyKey ?? `${provider === "payway" ? "token" : "nonce"}:${digest()}`,
    requestHash: createHash("sha256").update(JSON.stringify(request)).digest(),
    customerIpAddress: address,
    browser,
    authentication:
      provider === "payway" && authentication !== null
        ? { email, unavailableMaximumCents: authentication.unavailableMaximumCents }
        : null,
  };
}

/**
 * Continues a payment after the bank's challenge (DON-18), for the browser that began it; anyone else only sees its
 * state. What the browser says about the bank's answer is not read. @throws AppError `not_found`.
 */
export async function finishChallenge(
  services: PayingServices,
  { id, isAbandoned }: { id: string; isAbandoned: boolean },
  { address, ...viewer }: Viewer & Pick<PaymentSender, "address">,
): Promise<Reply<Payment>> {
  const { database, payments, config, subject } = services;
  const attempt = await findAttempt(database, id.toLowerCase());
  if (attempt === undefined) throw new AppError("not_found");
  const isTheirs = await isPayer(subject, attempt, viewer);
  // A client without cookies can't show that it is the same one.
  if (!isTheirs && attempt.browser_id !== null) return presentPayment(subject, attempt, false);
  const unavailableMaximumCents = config.payway.authentication?.unavailableMaximumCents ?? 0;
  const submitted = await payments.resume(attempt.id, { isAbandoned, unavailableMaximumCents });
  const email = await subject.findEmail(attempt);
  return presentCounted(services, submitted!, { address, ...viewer, email });
}

/** Counts a decline before answering; a decline that comes after the payer's wait counts when it comes. */
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

/** The terms of a payment that is not refused: the captcha's work and the sender's risk. */
type PaymentTerms = { readonly effort: number; readonly card: CardSender };

/**
 * What is read before a payment is checked, in one message: an earlier copy of the submission, what limits the payer,
 * and what the purchase is checked against.
 */
export async function lookUp<Purchase>(
  { database, payments, limits }: PayingServices,
  submission: Submission,
  { payer, findPurchase }: { payer: Payer; findPurchase: (connection: Connection) => Promise<Purchase> },
) {
  const [copy, limited, purchase] = await readOnOneConnection(database, (connection) =>
    together(findCopy(connection, submission), limits.read(payer, connection), findPurchase(connection)),
  );
  return { earlier: await payments.answerCopy(submission, copy), limited, purchase };
}

/**
 * Refuses this payer or payment method for a while, or returns the terms on which they may pay. Records nothing.
 * @throws AppError `provider_away`, `too_many` or `cards_paused`, each with the seconds to wait.
 */
export async function refuseForNow(
  services: PayingServices,
  provider: ProviderName,
  { payer, limited }: { readonly payer: Payer; readonly limited: PayerLimits },
): Promise<PaymentTerms> {
  const { circuits, config } = services;
  if (await circuits.isOpen(provider)) {
    throw new AppError(paymentProblems.provider_away, { retryAfterSeconds: Math.ceil(config.circuit.probeMs / 1000) });
  }
  const { refusal, effort } = limited;
  if (refusal !== null) throw tooMany(refusal.retryAfterSeconds);
  if (provider !== "payway") return { effort, card: "unchecked" };
  const risk = await findRiskNow(services, payer);
  if (risk === "refused") throw new AppError(paymentProblems.cards_paused, { retryAfterSeconds: CARDS_RETRY_SECONDS });
  return { effort: risk === "new" ? Math.max(effort, captchaEfforts.guarded) : effort, card: risk };
}

function tooMany(retryAfterSeconds: number): AppError {
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const text = plural(minutes, {
    one: "Too many attempts. Please wait a minute and try again.",
    other: `Too many attempts. Please wait ${minutes} minutes and try again.`,
  });
  return new AppError({ ...problems.too_many, text }, { retryAfterSeconds });
}

type Place = { readonly address: string; readonly browser?: string | undefined };

async function findRiskNow(
  { database, breaker, now }: Pick<PayingServices, "database" | "breaker" | "now">,
  { address, browser }: Place,
): Promise<CardSender | "refused"> {
  if ((await breaker.findLevel(now())) !== "guarded") return "unchecked";
  const risk = await findCardRisk(database, { address, browser }, now());
  if (risk === "known") return risk;
  return risk === "new" && (await breaker.hasRoom(now())) ? risk : "refused";
}

/** Whether this sender may pay by card, and the work that a payment's captcha needs. */
export async function describeGuard(
  services: Pick<PayingServices, "database" | "breaker" | "now">,
  sender: Place,
): Promise<{ readonly takesCards: boolean; readonly effort: number }> {
  const risk = await findRiskNow(services, sender);
  const level = risk === "new" ? "guarded" : await services.breaker.findLevel(services.now());
  const effort = risk === "new" || level !== "guarded" ? captchaEfforts[level] : captchaEfforts.raised;
  return { takesCards: risk !== "refused", effort };
}

/** The waits between a card payment's tries while too many others are in progress. */
const TURNS_MS = [250, 500, 1000, 2000, 3000];

/** The breaker has no room for this card; if only crowded, there may be room soon. */
class CardsPaused extends AppError {
  readonly isCrowded: boolean;

  constructor(admission: { readonly isCrowded: boolean; readonly retryAfterSeconds: number }) {
    super(paymentProblems.cards_paused, admission);
    this.isCrowded = admission.isCrowded;
  }
}

/**
 * Returns the captcha's nonce, which the recording transaction spends. A failed one counts as a try (DON-25). @throws
 * AppError `captcha_required`, `captcha_failed`, `captcha_dearer` or `captcha_unavailable`.
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

/** Only cards are tested. */
const unlimited: CardPlace = { free: () => undefined };

type Recorder = (payment: string, captcha: string) => RawBuilder<Attempt>;

/**
 * Submits a payment. `record` is the statement that records it, spends the captcha and writes what is paid for. If
 * nearly too many cards are declined or in progress, its transaction also admits the card; if there are too many, it
 * waits and tries again. A captcha that was already spent counts against the payer. Null as in `Payments.submit`.
 * @throws AppError `captcha_failed` or `cards_paused`.
 */
export async function submitOnce(
  { payments, breaker, limits, now }: PayingServices,
  submission: Submission,
  { nonce, payer, card, record }: { nonce: string; payer: Payer; card: CardSender; record: Recorder },
): Promise<Submitted | null> {
  const admit = async (transaction: Connection, at: Date) => {
    const admission = await breaker.admit(transaction, at, card);
    if (!admission.ok) throw new CardsPaused(admission);
  };
  const statement = (payment: string) => record(payment, nonce);
  for (let turn = 0; ; turn += 1) {
    try {
      const place = submission.provider === "payway" ? breaker.takePlace(now()) : unlimited;
      const submitted = await payments.submit(submission, { statement, admit: place === null ? admit : undefined });
      submitted?.charged?.then(({ state }) => isPaid(state) && place?.free()).catch(() => undefined);
      return submitted;
    } catch (error) {
      if (isRaised(error, raised.captchaUsed)) {
        await limits.countFailedCaptcha(payer);
        throw new AppError("captcha_failed", { cause: error });
      }
      if (error instanceof CardsPaused && !error.isCrowded) await breaker.review(now());
      const wait = error instanceof CardsPaused && error.isCrowded ? TURNS_MS[turn] : undefined;
      if (wait === undefined) throw error;
      await sleep(wait);
    }
  }
}
