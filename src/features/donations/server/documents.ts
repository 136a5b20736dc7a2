import type { FastifyInstance } from "fastify";
import { readDocumentLook } from "#shared/brand/document-look.ts";
import { AppError } from "#shared/errors.ts";
import { sendPdf } from "#shared/http/send-pdf.ts";
import { readKey, signPath } from "#shared/http/signed-link.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { isDay } from "#shared/language.ts";
import { EndedLink, opensDocument } from "#shared/links/document-links.ts";
import { loginThen, paths, receiptPath } from "#shared/paths.ts";
import type { SessionUser } from "#shared/sessions/session-user.ts";
import type { Sessions } from "#shared/sessions/sessions.ts";
import { Reference, rangeField } from "../contract.ts";
import { type DayRange, MAX_IN_PDF, rangeFault, receiptRedirect, summaryRedirect, tooManyForPdf } from "../history.ts";
import { readReceiptNumber } from "../receipt-number.ts";
import { claimGuestDonations, findByReference, hasMorePaid, listSummaryDonations } from "./history.ts";
import { findReceipt } from "./receipt.ts";
import { renderReceipt, renderSummary } from "./render-pdfs.ts";

export type DocumentServices = CoreServices<"database" | "files" | "organisation" | "now", "secretKey"> & {
  readonly sessions: Sessions;
};

const LINK_MS = 10 * 60_000;
const timesFrom = (madeAt: Date) => ({ madeAt, until: new Date(madeAt.getTime() + LINK_MS) });

/**
 * A ten-minute link to the receipt of one of a person's own donations; null until the receipt is issued.
 * @throws AppError `not_found` for any other reference, whether it exists or not.
 */
export async function linkReceipt(
  { database, config, now }: DocumentServices,
  user: SessionUser,
  reference: string,
): Promise<string | null> {
  await claimGuestDonations(database, user);
  const found = await findByReference(database, user.id, reference);
  if (found === undefined) throw new AppError("not_found");
  if (found.receipt === undefined) return null;
  return signPath(config.secretKey, receiptPath(found.donationId), timesFrom(now()));
}

/**
 * A ten-minute link to a person's summary of a range of days.
 * @throws AppError `invalid_input` if the range ends before it starts or has too many donations for one PDF.
 */
export async function linkSummary(
  { database, config, now }: DocumentServices,
  user: SessionUser,
  range: DayRange,
): Promise<string> {
  const fault = rangeFault(range);
  if (fault !== null) throw new AppError("invalid_input", { fields: { [rangeField.to]: [fault] } });
  await claimGuestDonations(database, user);
  if (await hasMorePaid(database, { userId: user.id }, { range, limit: MAX_IN_PDF })) {
    throw new AppError("invalid_input", { fields: { [rangeField.to]: [tooManyForPdf] } });
  }
  const path = summaryPath(String(user.id), range.from, range.to);
  return signPath(config.secretKey, path, timesFrom(now()));
}

function summaryPath(userId: string, from: string, to: string): string {
  return `/donation-summaries/${userId}/${from}/${to}`;
}

type Signed = { readonly key?: unknown };

/**
 * Serves PDFs at signed links. A wrong signature is not found; an expired link says so. A donation's link opens its
 * current receipt or, if all was refunded, the void one; `number` selects an earlier receipt of the same donation.
 */
export function documentRoutes(app: FastifyInstance, services: DocumentServices): void {
  const { database, config, sessions, organisation, now } = services;
  type Receipt = Signed & { readonly number?: unknown };
  app.get<{ Params: { id: string }; Querystring: Receipt }>(receiptPath(":id"), async (request, response) => {
    const { id } = request.params;
    const { number, key } = request.query;
    const wanted = number === undefined ? undefined : readReceiptNumber(String(number));
    const isOpen = await opensDocument(services, { kind: "receipt", id }, key);
    const receipt = isOpen && wanted !== null ? await findReceipt(database, id, wanted) : undefined;
    if (receipt === undefined) return response.callNotFound();
    const look = await readDocumentLook(services);
    return sendPdf(
      response,
      `receipt-${receipt.data.number}`,
      await renderReceipt(receipt.data, receipt.voided, { look }),
    );
  });

  type Summary = { id: string; from: string; to: string };
  const address = summaryPath(":id", ":from", ":to");
  app.get<{ Params: Summary; Querystring: Signed }>(address, async (request, response) => {
    const { id, from, to } = request.params;
    const times = readKey(config.secretKey, summaryPath(id, from, to), request.query.key);
    if (times !== null && now() >= times.until) throw new EndedLink(null, { times, now: now() });
    const user = times === null ? null : await sessions.findUser(Number(id));
    if (user === null) return response.callNotFound();
    const range = { from, to };
    const donations = await listSummaryDonations(database, { userId: user.id }, { range, limit: MAX_IN_PDF });
    const look = await readDocumentLook(services);
    const donor = { name: `${user.firstName} ${user.lastName}`, email: user.email };
    const summary = { organisation: organisation.current(), donor, range, donations, madeAt: now(), look };
    return sendPdf(response, `donations-${from}-to-${to}`, await renderSummary(summary));
  });
  addRedirects(app, services);
}

/**
 * Redirects from the history page to the signed links. A plain link opens a tab on every device and without scripts;
 * browsers block tabs that a script opens after a response (PRO-8).
 */
function addRedirects(app: FastifyInstance, services: DocumentServices): void {
  const hide = { schema: { hide: true } as object };
  const { sessions } = services;

  app.get<{ Params: { id: string } }>(receiptRedirect(":id"), hide, async (request, response) => {
    response.header("cache-control", "private, no-store");
    const session = await sessions.find(request);
    if (session === null) return response.redirect(loginThen(paths.donationHistory), 302);
    const { success: isReference, data: reference = "" } = Reference.safeParse(request.params.id);
    const url = isReference ? await linkReceipt(services, session.user, reference).catch(nullIf("not_found")) : null;
    return url === null ? response.callNotFound() : response.redirect(url, 302);
  });

  app.get<{ Querystring: Record<string, unknown> }>(summaryRedirect, hide, async (request, response) => {
    response.header("cache-control", "private, no-store");
    const session = await sessions.find(request);
    if (session === null) return response.redirect(loginThen(paths.donationHistory), 302);
    const [from, to] = [String(request.query[rangeField.from] ?? ""), String(request.query[rangeField.to] ?? "")];
    const url =
      isDay(from) && isDay(to)
        ? await linkSummary(services, session.user, { from, to }).catch(nullIf("invalid_input"))
        : null;
    // The history page explains what is wrong with the dates.
    const back = new URLSearchParams({ [rangeField.from]: from, [rangeField.to]: to, pdf: "refused" });
    return response.redirect(url ?? `${paths.donationHistory}?${back}`, 302);
  });
}

const nullIf = (problem: AppError["problem"]) => (error: unknown) => {
  if (error instanceof AppError && error.problem === problem) return null;
  throw error;
};
