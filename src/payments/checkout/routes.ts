import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Config } from "#shared/config/config.ts";
import { accepted, type Reply, refused } from "#shared/contract/envelope.ts";
import type { Database } from "#shared/database/connect.ts";
import { AppError, problems } from "#shared/errors.ts";
import { mount } from "#shared/http/mount.ts";
import { browserOf } from "#shared/sessions/browser.ts";
import type { Sessions } from "#shared/sessions/sessions.ts";
import { findAttemptByIdOrKey } from "../attempts.ts";
import type { Braintree } from "../braintree/braintree.ts";
import type { Fees } from "../fees.ts";
import { paymentProblems } from "../problems.ts";
import { checkoutCall, clientTokenCall, findPaymentCall, finishChallengeCall } from "./contract.ts";
import { describeCheckout, paypalIsNotOffered } from "./describe-checkout.ts";
import { finishChallenge, type PayingServices, type PaymentSender } from "./paying.ts";
import { describePayment, isPayer } from "./present-payment.ts";

type CheckoutServices = PayingServices & {
  readonly config: Config;
  readonly fees: { current(): Fees };
  readonly database: Database;
  readonly providers: { readonly braintree: Braintree };
  readonly sessions: Sessions;
};

/** The calls of every page that takes payments, mounted below /api. */
export function checkoutRoutes(app: FastifyInstance, services: CheckoutServices) {
  const { database, subject, sessions } = services;
  const viewerOf = async (request: FastifyRequest) => ({
    browser: browserOf(request),
    userId: await sessions.findUserId(request),
  });
  mount(app, checkoutCall, async (_, request) => accepted(await describeCheckout(services, senderOf(request))));
  mount(app, finishChallengeCall, async ({ body }, request) =>
    finishChallenge(services, body, { address: request.ip, ...(await viewerOf(request)) }),
  );
  mount(app, clientTokenCall, () => makeClientToken(services));
  mount(app, findPaymentCall, async ({ params }, request) => {
    const attempt = await findAttemptByIdOrKey(database, params.id.toLowerCase());
    if (attempt === undefined) throw new AppError("not_found");
    const isTheirs = await isPayer(subject, attempt, await viewerOf(request));
    const payment = await describePayment(subject, attempt, isTheirs);
    return accepted(payment, payment.message);
  });
}

const paypalIsAway = "PayPal doesn’t answer at the moment. Please try again in a few minutes, or pay another way.";

/** A client token is not secret and can't charge. Failing to get one counts as a failure of the provider. */
async function makeClientToken({
  config,
  circuits,
  providers,
}: CheckoutServices): Promise<Reply<Record<string, never>>> {
  if (!config.braintree.isOffered) return refused(paymentProblems.provider_away, { message: paypalIsNotOffered });
  if (await circuits.isOpen("braintree")) {
    throw new AppError(paymentProblems.provider_away, { retryAfterSeconds: Math.ceil(config.circuit.probeMs / 1000) });
  }
  try {
    return accepted({}, "", { clientToken: await providers.braintree.createClientToken() });
  } catch (cause) {
    await circuits.note("braintree", { kind: "not_charged", reason: "no client token", mayRetry: true });
    throw new AppError({ ...problems.busy, text: paypalIsAway }, { cause });
  }
}

/** The sender of a request that pays or holds something. @throws AppError `invalid_input` if the key is not a UUID. */
export function senderOf(request: FastifyRequest): PaymentSender {
  const key = request.headers["idempotency-key"];
  const parsed = z.uuid().optional().safeParse(key);
  if (!parsed.success) {
    throw new AppError("invalid_input", { fields: { "Idempotency-Key": ["Send a UUID, one for each submission"] } });
  }
  return { address: request.ip, browser: browserOf(request), idempotencyKey: parsed.data?.toLowerCase() };
}
