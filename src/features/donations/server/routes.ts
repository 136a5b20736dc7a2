import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Payment } from "#payments/checkout/contract.ts";
import { senderOf } from "#payments/checkout/routes.ts";
import type { Config } from "#shared/config.ts";
import { accepted, type Reply } from "#shared/contract/envelope.ts";
import { mount } from "#shared/http/mount.ts";
import { noteForbiddenAccess } from "#shared/http/security-log.ts";
import {
  type CardPayment,
  listCategoriesCall,
  type PayPalPayment,
  payByCardCall,
  payByPayPalCall,
} from "../contract.ts";
import type { DocumentServices } from "./documents.ts";
import { type DonationServices, donate } from "./donate.ts";
import { historyRoutes } from "./history-routes.ts";
import { listCategories } from "./store.ts";

type RouteServices = DonationServices & DocumentServices & { readonly config: Config };

/** The calls of the donation feature, mounted below /api. */
export function donationRoutes(app: FastifyInstance, services: RouteServices) {
  const { database, sessions, organisation } = services;
  const give = async (payment: CardPayment | PayPalPayment, request: FastifyRequest): Promise<Reply<Payment>> => {
    const sender = { ...senderOf(request), userId: await sessions.findUserId(request) };
    const reply = await donate(services, payment, sender);
    if (!reply.ok && reply.problem === "not_allowed") noteForbiddenAccess(request, sender.userId);
    return reply;
  };
  mount(app, listCategoriesCall, async () => {
    const { isDeductibleGiftRecipient } = organisation.current().receipt;
    const categories = (await listCategories(database)).map((category) => ({
      ...category,
      key: category.fund,
      isDeductible: isDeductibleGiftRecipient && category.receiptKind === "gift",
    }));
    return accepted({ categories });
  });
  mount(app, payByCardCall, ({ body }, request) => give(body, request));
  mount(app, payByPayPalCall, ({ body }, request) => give(body, request));
  historyRoutes(app, services);
}
