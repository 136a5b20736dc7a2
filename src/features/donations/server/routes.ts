import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Payment } from "#payments/checkout/contract.ts";
import { senderOf } from "#payments/checkout/routes.ts";
import type { Config } from "#shared/config/config.ts";
import { accepted, type Reply, refused } from "#shared/contract/envelope.ts";
import { AppError } from "#shared/errors.ts";
import { mount } from "#shared/http/mount.ts";
import { noteForbiddenAccess, refuseAccess } from "#shared/http/security-log.ts";
import { dayInSydney } from "#shared/language.ts";
import type { SessionUser } from "#shared/sessions/session-user.ts";
import {
  type CardPayment,
  donationPdfCall,
  donationSummaryCall,
  donationSummaryPdfCall,
  listCategoriesCall,
  type PayPalPayment,
  payByCardCall,
  payByPayPalCall,
  rangeField,
} from "../contract.ts";
import { rangeFault } from "../history.ts";
import { createCatalogue } from "./catalogue.ts";
import { type DocumentServices, linkReceipt, linkSummary } from "./documents.ts";
import { type DonationServices, donate } from "./donate.ts";
import { claimGuestDonations, listHistory } from "./history.ts";
import { listCategories } from "./store.ts";

type RouteServices = Omit<DonationServices, "findCatalogue"> & DocumentServices & { readonly config: Config };

/** The calls of the donation feature, mounted below /api. */
export function donationRoutes(app: FastifyInstance, services: RouteServices) {
  const { database, sessions, organisation, now } = services;
  const donating = { ...services, findCatalogue: createCatalogue(services.now) };
  const give = async (payment: CardPayment | PayPalPayment, request: FastifyRequest): Promise<Reply<Payment>> => {
    const sender = { ...senderOf(request), userId: await sessions.findUserId(request) };
    const reply = await donate(donating, payment, sender);
    if (!reply.ok && reply.problem === "not_allowed") noteForbiddenAccess(request, sender.userId);
    return reply;
  };
  mount(app, listCategoriesCall, async () => {
    const { isDeductibleGiftRecipient } = organisation.current().receipt;
    const categories = (await listCategories(database, dayInSydney(now()))).map((category) => ({
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

type HistoryServices = DocumentServices & { readonly config: { readonly publicUrl: string } };

/** A person's own history and its PDFs (API-5). The session decides whose; the email on the wire must match it. */
function historyRoutes(app: FastifyInstance, services: HistoryServices): void {
  const { config, database, sessions } = services;
  const requireOwner = async (request: FastifyRequest, email: string): Promise<SessionUser> => {
    const { user } = await sessions.require(request);
    if (email === "" || email.toLowerCase() === user.email.toLowerCase()) return user;
    throw refuseAccess(request, user.id);
  };

  mount(app, donationSummaryCall, async ({ query: { email, from, to, type, limit, after } }, request) => {
    const user = await requireOwner(request, email);
    const fault = rangeFault({ from, to });
    if (fault !== null) throw new AppError("invalid_input", { fields: { [rangeField.to]: [fault] } });
    await claimGuestDonations(database, user);
    const found = await listHistory(database, user.id, {
      range: { from, to },
      type,
      after,
      limit: limit === undefined ? undefined : Number(limit),
    });
    if (found === null)
      throw new AppError("invalid_input", { fields: { after: ["Continue from one of your own rows"] } });
    return accepted([...found.rows], "", { next: found.older ?? undefined });
  });

  mount(app, donationSummaryPdfCall, async ({ query: { email, from, to } }, request) => {
    const user = await requireOwner(request, email);
    return accepted({}, "", { url: config.publicUrl + (await linkSummary(services, user, { from, to })) });
  });

  mount(app, donationPdfCall, async ({ params }, request) => {
    const { user } = await sessions.require(request);
    const path = await linkReceipt(services, user, params.id);
    if (path === null) return refused("not_found", { message: "Your receipt isn’t ready yet. We’ll email it to you." });
    return accepted({}, "", { url: config.publicUrl + path });
  });
}
