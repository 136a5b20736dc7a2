import type { FastifyInstance, FastifyRequest } from "fastify";
import { accepted, refused } from "#shared/contract/envelope.ts";
import { AppError } from "#shared/errors.ts";
import { mount } from "#shared/http/mount.ts";
import { refuseAccess } from "#shared/http/security-log.ts";
import type { SessionUser } from "#shared/sessions/session-user.ts";
import { donationPdfCall, donationSummaryCall, donationSummaryPdfCall, rangeField } from "../contract.ts";
import { rangeFault } from "../history.ts";
import { type DocumentServices, linkReceipt, linkSummary } from "./documents.ts";
import { listGivings, takeInGuestGifts } from "./history.ts";

type HistoryServices = DocumentServices & { readonly config: { readonly publicUrl: string } };

/** A person's own history and its papers (API-5). Whose it is says the session; the wire's email may only agree. */
export function historyRoutes(app: FastifyInstance, services: HistoryServices): void {
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
    await takeInGuestGifts(database, user);
    const most = limit === undefined ? undefined : Number(limit);
    const found = await listGivings(database, user.id, { range: { from, to }, type, limit: most, after });
    if (found === null)
      throw new AppError("invalid_input", { fields: { after: ["Go on from a row of your own list"] } });
    return accepted([...found.rows], "", { next: found.older ?? undefined });
  });

  mount(app, donationSummaryPdfCall, async ({ query: { email, from, to } }, request) => {
    const user = await requireOwner(request, email);
    return accepted({}, "", { url: config.publicUrl + (await linkSummary(services, user, { from, to })) });
  });

  mount(app, donationPdfCall, async ({ params }, request) => {
    const { user } = await sessions.require(request);
    const path = await linkReceipt(services, user, params.id);
    if (path === null) return refused("not_found", { message: "The receipt is not ready yet. We send it by email." });
    return accepted({}, "", { url: config.publicUrl + path });
  });
}
