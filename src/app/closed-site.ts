import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { StaffSessions } from "#admin/staff-sessions.ts";
import { AppError, nameProblems } from "#shared/errors.ts";
import { answerError } from "#shared/http/answer-errors.ts";

/** An hour: nobody opens a site twice a day. */
const RETRY_AFTER_S = 3600;

export const closedProblems = nameProblems({
  being_set_up: { status: 503, text: "This site is being set up. Please come back soon." },
});

/** What the page itself, the back office, previews with their pictures, monitors and the payment providers need. */
const openToAll = /^\/(admin|preview|images|assets|brand|identity|icons|fonts|api\/webhooks|csp-reports)(\/|$)/;
const openFiles = new Set(["/healthz", "/readyz", "/metrics", "/favicon.ico"]);

type ClosedOptions = {
  /** Whether visitors have to wait until an administrator opens the site. */
  readonly isClosed: () => boolean;
  readonly staffSessions: Pick<StaffSessions, "find">;
  /** Sends the page for visitors; null while there are no pages. */
  readonly sendPage: () => ((request: FastifyRequest, reply: FastifyReply) => FastifyReply) | null;
};

/** While a new site is set up, only staff who are logged in see it; everybody else gets one page, and no call works. */
export function closeToVisitors(app: FastifyInstance, { isClosed, staffSessions, sendPage }: ClosedOptions): void {
  app.addHook("onRequest", async (request, reply) => {
    if (!isClosed()) return;
    const path = request.url.split("?", 1)[0]!;
    if (openToAll.test(path) || openFiles.has(path)) return;
    // If sessions cannot be looked up, everybody waits.
    if ((await staffSessions.find(request).catch(() => null)) !== null) return;
    const send = path.startsWith("/api/") ? null : sendPage();
    if (send !== null) return send(request, reply.header("retry-after", String(RETRY_AFTER_S)));
    return answerError(new AppError(closedProblems.being_set_up, { retryAfterSeconds: RETRY_AFTER_S }), request, reply);
  });
}
