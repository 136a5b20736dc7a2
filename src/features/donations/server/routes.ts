import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Captcha } from "#shared/captcha/captcha.ts";
import type { Config } from "#shared/config.ts";
import { accepted } from "#shared/contract/envelope.ts";
import { AppError } from "#shared/errors.ts";
import { guestSession } from "#shared/http/csrf.ts";
import { mount } from "#shared/http/mount.ts";
import { noteTrespass } from "#shared/http/security-log.ts";
import { findAttemptByIdOrKey } from "#shared/payments/attempts.ts";
import { type Checkout, checkoutCall, findPaymentCall, listCategoriesCall, payByCardCall } from "../contract.ts";
import type { DocumentServices } from "./documents.ts";
import { type DonationServices, donate, type Sender } from "./donate.ts";
import { historyRoutes } from "./history-routes.ts";
import { describePayment } from "./present-payment.ts";
import { listCategories } from "./store.ts";

/** The calls of the donation feature, mounted below /api. */
export function donationRoutes(
  app: FastifyInstance,
  services: DonationServices & DocumentServices & { config: Config },
) {
  const { config, captcha, database, sessions } = services;
  mount(app, listCategoriesCall, async () => accepted({ categories: await listCategories(database) }));
  mount(app, checkoutCall, async () => accepted(describeCheckout(config, captcha)));
  mount(app, payByCardCall, async ({ body }, request) => {
    const sender = { ...senderOf(request), userId: (await sessions.find(request))?.user.id ?? null };
    const reply = await donate(services, body, sender);
    if (!reply.ok && reply.problem === "not_allowed") noteTrespass(request, sender.userId);
    return reply;
  });
  mount(app, findPaymentCall, async ({ params }) => {
    const attempt = await findAttemptByIdOrKey(database, params.id.toLowerCase());
    if (attempt === undefined) throw new AppError("not_found");
    const payment = await describePayment(services, attempt);
    return accepted(payment, payment.message);
  });
  historyRoutes(app, services);
}

function senderOf(request: FastifyRequest): Omit<Sender, "userId"> {
  const key = request.headers["idempotency-key"];
  const parsed = z.uuid().optional().safeParse(key);
  if (!parsed.success) {
    throw new AppError("invalid_input", { fields: { "Idempotency-Key": ["Send a UUID, one for each submission"] } });
  }
  return { address: request.ip, session: guestSession(request), idempotencyKey: parsed.data?.toLowerCase() };
}

function describeCheckout({ fees, limits, payway }: Config, captcha: Captcha): Checkout {
  return {
    currency: "AUD",
    fees: {
      adminPercent: fees.adminBasisPoints / 100,
      cardPercent: fees.merchantBasisPoints.cc / 100,
      paypalPercent: fees.merchantBasisPoints.pp / 100,
    },
    limits: { minimumCents: limits.minimumCents, maximumCents: limits.maximumCents },
    payway: { scriptUrl: `${payway.url}/payway.js`, publishableKey: payway.publishableKey },
    paypal: { isAvailable: false, message: "PayPal is not available yet. Please give by card or bank deposit." },
    captcha: captcha.publicConfig(),
  };
}
