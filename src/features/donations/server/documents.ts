import type { FastifyInstance, FastifyReply } from "fastify";
import type { Config } from "#shared/config.ts";
import type { Database } from "#shared/database/connect.ts";
import { AppError } from "#shared/errors.ts";
import { readKey, signPath } from "#shared/http/signed-link.ts";
import { EndedLink, opensDocument } from "#shared/links/document-links.ts";
import type { Organisation } from "#shared/organisation.ts";
import { loginThen, paths, receiptPath } from "#shared/paths.ts";
import type { SessionUser } from "#shared/sessions/session-user.ts";
import type { Sessions } from "#shared/sessions/sessions.ts";
import { Reference, rangeField } from "../contract.ts";
import {
  type DayRange,
  isDay,
  MOST_ON_PAPER,
  rangeFault,
  receiptDoor,
  summaryDoor,
  tooManyForPaper,
} from "../history.ts";
import { findByReference, hasMorePaid, listPaidGivings, takeInGuestGifts } from "./history.ts";
import { findReceipt, readReceiptNumber } from "./receipt.ts";
import { renderReceipt } from "./receipt-pdf.ts";
import { renderSummary } from "./summary-pdf.ts";

export type DocumentServices = {
  readonly config: Pick<Config, "secretKey">;
  readonly database: Database;
  readonly sessions: Sessions;
  readonly organisation: { current(): Organisation };
  readonly now: () => Date;
};

const LINK_MS = 10 * 60_000;
const timesFrom = (madeAt: Date) => ({ madeAt, until: new Date(madeAt.getTime() + LINK_MS) });

/**
 * The receipt of one of a person's own donations behind a link for ten minutes; null while it is not issued.
 * @throws AppError `not_found` for any other reference, whether it exists or not.
 */
export async function linkReceipt(
  { database, config, now }: DocumentServices,
  user: SessionUser,
  reference: string,
): Promise<string | null> {
  await takeInGuestGifts(database, user);
  const found = await findByReference(database, user.id, reference);
  if (found === undefined) throw new AppError("not_found");
  if (found.receipt === undefined) return null;
  return signPath(config.secretKey, receiptPath(found.donationId), timesFrom(now()));
}

/**
 * A person's summary of a range of days behind a link for ten minutes.
 * @throws AppError `invalid_input` for a range that is the wrong way round or holds too much for one paper.
 */
export async function linkSummary(
  { database, config, now }: DocumentServices,
  user: SessionUser,
  range: DayRange,
): Promise<string> {
  const fault = rangeFault(range);
  if (fault !== null) throw new AppError("invalid_input", { fields: { [rangeField.to]: [fault] } });
  await takeInGuestGifts(database, user);
  if (await hasMorePaid(database, user.id, { range, most: MOST_ON_PAPER })) {
    throw new AppError("invalid_input", { fields: { [rangeField.to]: [tooManyForPaper] } });
  }
  const path = summaryPath(String(user.id), range.from, range.to);
  return signPath(config.secretKey, path, timesFrom(now()));
}

function summaryPath(userId: string, from: string, to: string): string {
  return `/donation-summaries/${userId}/${from}/${to}`;
}

type Signed = { readonly key?: unknown };

/**
 * PDFs behind their signed links; one that is unsigned or unknown is simply not there, an old one says so. A donation's
 * link shows the receipt that counts or, where all was refunded, the void one; `number` asks for an earlier one of the same donation.
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
    return sendPaper(response, `receipt-${receipt.data.number}`, await renderReceipt(receipt.data, receipt.voided));
  });

  type Summary = { id: string; from: string; to: string };
  const address = summaryPath(":id", ":from", ":to");
  app.get<{ Params: Summary; Querystring: Signed }>(address, async (request, response) => {
    const { id, from, to } = request.params;
    const times = readKey(config.secretKey, summaryPath(id, from, to), request.query.key);
    if (times !== null && now() >= times.until) throw new EndedLink(null, times);
    const user = times === null ? null : await sessions.findUser(Number(id));
    if (user === null) return response.callNotFound();
    const range = { from, to };
    const givings = await listPaidGivings(database, user.id, { range, limit: MOST_ON_PAPER });
    const summary = { organisation: organisation.current(), donor: user, range, givings, madeAt: now() };
    return sendPaper(response, `donations-${from}-to-${to}`, await renderSummary(summary));
  });
  addDoors(app, services);
}

function sendPaper(response: FastifyReply, name: string, bytes: Buffer): FastifyReply {
  return response
    .type("application/pdf")
    .header("cache-control", "private, no-store")
    .header("x-robots-tag", "noindex")
    .header("content-disposition", `inline; filename="${name}.pdf"`)
    .send(bytes);
}

/**
 * What the history page links to: each leads on to the link that the call of the same purpose answers. A plain link opens
 * its tab on every device and without a script; a tab that a script opens after an answer is what browsers block (PRO-8).
 */
function addDoors(app: FastifyInstance, services: DocumentServices): void {
  const hide = { schema: { hide: true } as object };
  const { sessions } = services;

  app.get<{ Params: { id: string } }>(receiptDoor(":id"), hide, async (request, response) => {
    response.header("cache-control", "private, no-store");
    const session = await sessions.find(request);
    if (session === null) return response.redirect(loginThen(paths.donationHistory), 302);
    const { success: isReference, data: reference = "" } = Reference.safeParse(request.params.id);
    const url = isReference ? await linkReceipt(services, session.user, reference).catch(absent) : null;
    return url === null ? response.callNotFound() : response.redirect(url, 302);
  });

  app.get<{ Querystring: Record<string, unknown> }>(summaryDoor, hide, async (request, response) => {
    response.header("cache-control", "private, no-store");
    const session = await sessions.find(request);
    if (session === null) return response.redirect(loginThen(paths.donationHistory), 302);
    const [from, to] = [String(request.query[rangeField.from] ?? ""), String(request.query[rangeField.to] ?? "")];
    const url =
      isDay(from) && isDay(to) ? await linkSummary(services, session.user, { from, to }).catch(refusal) : null;
    // The page says what is wrong with the days.
    const back = new URLSearchParams({ [rangeField.from]: from, [rangeField.to]: to, paper: "refused" });
    return response.redirect(url ?? `${paths.donationHistory}?${back}`, 302);
  });
}

const absent = (error: unknown) => {
  if (error instanceof AppError && error.problem === "not_found") return null;
  throw error;
};
const refusal = (error: unknown) => {
  if (error instanceof AppError && error.problem === "invalid_input") return null;
  throw error;
};
