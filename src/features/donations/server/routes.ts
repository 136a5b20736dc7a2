import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Captcha } from "#shared/captcha/captcha.ts";
import type { Config } from "#shared/config.ts";
import { accepted } from "#shared/contract/envelope.ts";
import { AppError } from "#shared/errors.ts";
import { guestSession } from "#shared/http/csrf.ts";
import { mount } from "#shared/http/mount.ts";
import { isSigned } from "#shared/http/signed-link.ts";
import { findAttemptByIdOrKey } from "#shared/payments/attempts.ts";
import { type Checkout, checkoutCall, findPaymentCall, listCategoriesCall, payByCardCall } from "../contract.ts";
import { type DonationServices, donate, type Sender } from "./donate.ts";
import { describePayment, receiptPath } from "./present-payment.ts";
import { findReceipt } from "./receipt.ts";
import { renderReceipt } from "./receipt-pdf.ts";
import { listCategories } from "./store.ts";

/** The calls of the donation feature, mounted below /api. */
export function donationRoutes(app: FastifyInstance, services: DonationServices & { config: Config }) {
  const { config, captcha, database } = services;
  mount(app, listCategoriesCall, async () => accepted({ categories: await listCategories(database) }));
  mount(app, checkoutCall, async () => accepted(describeCheckout(config, captcha)));
  mount(app, payByCardCall, async ({ body }, request) => donate(services, body, senderOf(request)));
  mount(app, findPaymentCall, async ({ params }) => {
    const attempt = await findAttemptByIdOrKey(database, params.id.toLowerCase());
    if (attempt === undefined) throw new AppError("not_found");
    const payment = await describePayment(services, attempt);
    return accepted(payment, payment.message);
  });
}

/** Receipts behind their signed links; an unsigned or unknown one is simply not there. */
export function receiptRoutes(
  app: FastifyInstance,
  { database, config }: Pick<DonationServices, "database" | "config">,
) {
  app.get<{ Params: { id: string }; Querystring: { key?: string } }>(receiptPath(":id"), async (request, response) => {
    const { id } = request.params;
    const key = String(request.query.key ?? "");
    const isOpen = z.uuid().safeParse(id).success && isSigned(config.secretKey, receiptPath(id), key);
    const receipt = isOpen ? await findReceipt(database, id) : undefined;
    if (receipt === undefined) return response.callNotFound();
    return response
      .type("application/pdf")
      .header("cache-control", "private, no-store")
      .header("x-robots-tag", "noindex")
      .header("content-disposition", `inline; filename="receipt-${receipt.number}.pdf"`)
      .send(await renderReceipt(receipt));
  });
}

function senderOf(request: FastifyRequest): Sender {
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
