import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "#shared/errors.ts";
import { toAppError } from "#shared/http/answer-errors.ts";
import { noteForbiddenAccess } from "#shared/http/security-log.ts";
import { direction, language } from "#shared/language.ts";
import type { LinkedDocument } from "#shared/links/contract.ts";
import { EndedLink } from "#shared/links/document-links.ts";
import type { Page, PageReads } from "#shared/pages/page.ts";
import type { SessionUser } from "#shared/sessions/session-user.ts";
import { securityHeaders } from "./content-security-policy.ts";
import { finishBytes, type PageBytes } from "./page-bytes.ts";
import type { createPageCache } from "./page-cache.ts";
import type { SiteFrame } from "./render.tsx";
import { sendBytes } from "./send-page.ts";

/** What is answered where there is no page to show. */
export type ProblemAnswers = {
  /** Answers an unknown address with the 404 page, or redirects to the address without its trailing slash (NAV-8). */
  sendNotFound(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
  /**
   * Answers an expired or revoked link with its page, a bad request with its status (API-16), and a failure on our side
   * with a page showing an incident number, which is logged too (NAV-8).
   */
  sendProblem(request: FastifyRequest, reply: FastifyReply, error: unknown): Promise<FastifyReply>;
  /** The page of a site that is not open to visitors yet. */
  sendClosed(request: FastifyRequest, reply: FastifyReply): FastifyReply;
};

type ProblemOptions = {
  readonly built: Pick<
    typeof import("./render.tsx"),
    "renderEndedLink" | "renderRefusal" | "renderFailure" | "renderClosed" | "renderNotFound"
  >;
  readonly site: () => SiteFrame;
  readonly pages: readonly Page[];
  readonly cache: ReturnType<typeof createPageCache<PageBytes>>;
  readonly reads: Pick<PageReads, "findRedirect">;
  readonly findUser: (request: FastifyRequest) => Promise<SessionUser | null>;
  readonly hasRecipient: (document: LinkedDocument) => Promise<boolean>;
};

export function createProblemAnswers(
  app: FastifyInstance,
  { built, site, pages, cache, reads, findUser, hasRecipient }: ProblemOptions,
): ProblemAnswers {
  const policy = securityHeaders();
  const sendUncached = (reply: FastifyReply, status: number, html: string, headers: Record<string, string> = {}) =>
    reply
      .code(status)
      .headers({ ...policy, "cache-control": "no-store", ...headers })
      .type("text/html; charset=utf-8")
      .send(html);

  const sendEndedLink = async (reply: FastifyReply, link: EndedLink) => {
    // Without the database, the button's own answer says what is wrong.
    const canRenew = link.document !== null && (await hasRecipient(link.document).catch(() => true));
    return sendUncached(reply, 410, built.renderEndedLink({ link, canRenew }, site()), {
      "cache-control": "private, no-store",
      "referrer-policy": "no-referrer",
      "x-robots-tag": "noindex",
    });
  };

  const sendProblem: ProblemAnswers["sendProblem"] = async (request, reply, error) => {
    if (error instanceof EndedLink) return sendEndedLink(reply, error);
    const { problem, status, text } = toAppError(error);
    const { statusCode = status } = error as { statusCode?: number };
    if (statusCode >= 500) return sendFailure(request, reply, error);
    // A path that the static file server forbids is treated as not found.
    const isForbiddenFile = statusCode === 403 && !(error instanceof AppError);
    if (statusCode === 404 || isForbiddenFile) return sendNotFound(request, reply);
    const bytes = await cache.get(`refused ${problem}`, async (last) =>
      finishBytes(built.renderRefusal(text, site()), last),
    );
    return sendBytes(request, reply.removeHeader("connection").code(statusCode), bytes!, { policy });
  };

  const sendFailure = (request: FastifyRequest, reply: FastifyReply, error: unknown) => {
    const incident = request.id;
    const { problem, text, retryAfterSeconds, status: ownStatus } = toAppError(error);
    if (problem === "files_away") {
      // A picture of a page: drawing a page of its own for each would be work for nothing.
      request.log.warn({ err: error, incident }, "a file could not be read");
      const headers = { ...policy, "cache-control": "no-store", "retry-after": String(retryAfterSeconds) };
      return reply.code(ownStatus).headers(headers).type("text/plain; charset=utf-8").send(text);
    }
    request.log.error({ err: error, incident }, "page failed");
    const status = Math.max(500, ownStatus);
    if (status === 503) reply.header("retry-after", "10");
    return sendUncached(
      reply,
      status,
      failureHtml(() => built.renderFailure(incident, site()), incident),
    );
  };

  const sendClosed: ProblemAnswers["sendClosed"] = (_, reply) =>
    sendUncached(reply, 503, built.renderClosed(site()), { "x-robots-tag": "noindex" });

  const findRedirect = async ({ method, url }: FastifyRequest) => {
    if (method !== "GET" && method !== "HEAD") return null;
    return reads.findRedirect(url).catch((error: unknown) => {
      app.log.warn({ err: error }, "could not find out whether an address is redirected");
      return null;
    });
  };

  const sendNotFound: ProblemAnswers["sendNotFound"] = async (request, reply) => {
    const path = pathOf(request.url);
    const trimmed = path.replace(/\/+$/, "");
    if (path !== trimmed && pages.some((page) => page.path === trimmed)) {
      return reply.redirect(trimmed + request.url.slice(path.length), 301);
    }
    const target = await findRedirect(request);
    // Asked again each time: the page may move back.
    if (target !== null) return reply.header("cache-control", "no-cache").redirect(target, 301);
    const bytes = await cache.get("404", async (last) => finishBytes(built.renderNotFound(site()), last));
    const status = (await isForbiddenAccess(request)) ? 403 : 404;
    return sendBytes(request, reply.code(status), bytes!, { policy });
  };

  // By the time a page turns out not to exist, its route is no longer known.
  const hasPrivateId = new WeakSet<FastifyRequest>();
  app.addHook("onRequest", async (request) => {
    if (/\/:id(\/|$)/.test(request.routeOptions.url ?? "")) hasPrivateId.add(request);
  });
  /** A member requests something that isn't theirs, whether or not it exists (API-9). */
  const isForbiddenAccess = async (request: FastifyRequest) => {
    const user = hasPrivateId.has(request) ? await findUser(request).catch(() => null) : null;
    if (user !== null) noteForbiddenAccess(request, user.id);
    return user !== null;
  };

  return { sendNotFound, sendProblem, sendClosed };
}

function pathOf(url: string): string {
  return url.split("?", 1)[0] ?? "/";
}

/** Falls back on a plain page if rendering fails too, so that the screen is never blank. */
function failureHtml(render: () => string, incident: string): string {
  try {
    return render();
  } catch {
    return `<!doctype html><html lang="${language}" dir="${direction}"><head><meta charset="utf-8"><title>Something went wrong</title></head><body><h1>This page could not be shown</h1><p>Something went wrong on our side. Please reload the page in a moment, or tell us the incident number ${incident}.</p></body></html>`;
  }
}
