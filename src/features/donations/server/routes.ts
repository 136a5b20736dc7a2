import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import {
  checkoutCall,
  clientTokenCall,
  findPaymentCall,
  finishChallengeCall,
  type Payment,
} from "#shared/checkout/contract.ts";
import type { Config } from "#shared/config.ts";
import { accepted, type Reply, refused } from "#shared/contract/envelope.ts";
import { AppError } from "#shared/errors.ts";
import { guestSession } from "#shared/http/csrf.ts";
import { mount } from "#shared/http/mount.ts";
import { noteTrespass } from "#shared/http/security-log.ts";
import { findAttemptByIdOrKey } from "#shared/payments/attempts.ts";
import type { Braintree } from "#shared/payments/braintree/braintree.ts";
import {
  type CardPayment,
  listCategoriesCall,
  type PayPalPayment,
  payByCardCall,
  payByPayPalCall,
} from "../contract.ts";
import { describeCheckout, paypalIsNotOffered } from "./describe-checkout.ts";
import type { DocumentServices } from "./documents.ts";
import { type DonationServices, donate, finishChallenge, type Sender } from "./donate.ts";
import { historyRoutes } from "./history-routes.ts";
import { describePayment } from "./present-payment.ts";
import { listCategories } from "./store.ts";

type RouteServices = DonationServices &
  DocumentServices & { readonly config: Config; readonly providers: { readonly braintree: Braintree } };

/** The calls of the donation feature, mounted below /api. */
export function donationRoutes(app: FastifyInstance, services: RouteServices) {
  const { database, sessions } = services;
  const give = async (payment: CardPayment | PayPalPayment, request: FastifyRequest): Promise<Reply<Payment>> => {
    const sender = { ...senderOf(request), userId: (await sessions.find(request))?.user.id ?? null };
    const reply = await donate(services, payment, sender);
    if (!reply.ok && reply.problem === "not_allowed") noteTrespass(request, sender.userId);
    return reply;
  };
  mount(app, listCategoriesCall, async () => accepted({ categories: await listCategories(database) }));
  mount(app, checkoutCall, async () => accepted(await describeCheckout(services)));
  mount(app, payByCardCall, ({ body }, request) => give(body, request));
  mount(app, payByPayPalCall, ({ body }, request) => give(body, request));
  mount(app, finishChallengeCall, ({ body }, request) =>
    finishChallenge(services, body, { address: request.ip, session: guestSession(request) }),
  );
  mount(app, clientTokenCall, () => makeClientToken(services));
  mount(app, findPaymentCall, async ({ params }) => {
    const attempt = await findAttemptByIdOrKey(database, params.id.toLowerCase());
    if (attempt === undefined) throw new AppError("not_found");
    const payment = await describePayment(services, attempt);
    return accepted(payment, payment.message);
  });
  historyRoutes(app, services);
}

/** A client token is no secret and cannot charge. That none can be had is a trouble of the provider like any other. */
async function makeClientToken({ config, circuits, providers }: RouteServices): Promise<Reply<Record<string, never>>> {
  if (!config.braintree.isOffered) return refused("provider_away", { message: paypalIsNotOffered });
  if (await circuits.isOpen("braintree")) {
    throw new AppError("provider_away", { retryAfterSeconds: Math.ceil(config.circuit.probeMs / 1000) });
  }
  try {
    return accepted({}, "", { clientToken: await providers.braintree.createClientToken() });
  } catch (cause) {
    await circuits.note("braintree", { kind: "not_charged", reason: "no client token", mayRetry: true });
    throw new AppError("busy", { cause });
  }
}

function senderOf(request: FastifyRequest): Omit<Sender, "userId"> {
  const key = request.headers["idempotency-key"];
  const parsed = z.uuid().optional().safeParse(key);
  if (!parsed.success) {
    throw new AppError("invalid_input", { fields: { "Idempotency-Key": ["Send a UUID, one for each submission"] } });
  }
  return { address: request.ip, session: guestSession(request), idempotencyKey: parsed.data?.toLowerCase() };
}
