import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError, type Problem, problems } from "#shared/errors.ts";

/** Which problem a status of Fastify's own parsing stands for. */
const byStatus: Readonly<Record<number, Problem>> = {
  400: "malformed",
  404: "not_found",
  405: "wrong_method",
  408: "malformed",
  413: "too_large",
  414: "too_large",
  415: "wrong_type",
  431: "too_large",
};

const databaseAway = /^(08|53|57P0)|^(ECONNREFUSED|ECONNRESET|ENOENT|EPIPE)$/;

/** True for what passes by itself: the database starting, stopping, out of connections or too slow to answer. */
function isDatabaseAway(error: unknown): boolean {
  const { code = "", message = "" } = error as { code?: string; message?: string };
  return (
    databaseAway.test(code) ||
    /Connection terminated|is not queryable|timeout exceeded when trying to connect/.test(message)
  );
}

/** The one place where an error becomes an answer: the envelope, a sentence for the visitor, the cause for the log alone. */
export function answerError(error: unknown, request: FastifyRequest, response: FastifyReply) {
  const appError = toAppError(error);
  const { problem, fields, effort } = appError;
  const { status, says } = problems[problem];
  if (status >= 500) request.log.error({ err: error, incident: request.id }, "request failed");
  if (appError.retryAfterSeconds !== undefined || status === 503) {
    response.header("retry-after", String(appError.retryAfterSeconds ?? 2));
  }
  // Fastify would close a line on which something is still coming, which tears the answer from it. The rest is read and
  // thrown away, as long as `cutSlowBodies` allows.
  response.removeHeader("connection");
  const message = status === 500 ? `${says} If it goes on, tell us the incident number ${request.id}.` : says;
  return response
    .code(status)
    .header("cache-control", "no-store")
    .type("application/json; charset=utf-8")
    .send({ code: String(status), status: "false", message, error: problem, data: fields, effort });
}

/** What of the table of problems an error stands for. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isDatabaseAway(error)) return new AppError("busy", { cause: error });
  const { statusCode } = error as Partial<FastifyError>;
  const problem = statusCode === undefined ? undefined : byStatus[statusCode];
  return new AppError(problem ?? (isClientFault(statusCode) ? "malformed" : "unexpected"), { cause: error });
}

const isClientFault = (status: number | undefined) => status !== undefined && status >= 400 && status < 500;

/** Unknown paths below /api are 404, known ones asked with another method are 405 with `Allow` (API-11). */
export function answerUnknownCalls(app: FastifyInstance) {
  const known: { method: string; pattern: RegExp }[] = [];
  app.addHook("onRoute", ({ method, url }) => {
    const pattern = new RegExp(`^${url.replace(/:\w+/g, "[^/]+")}/?$`);
    for (const one of [method].flat()) known.push({ method: one, pattern });
  });
  const answerUnknown = (request: FastifyRequest, response: FastifyReply) => {
    const path = request.url.split("?", 1)[0] ?? "";
    const allowed = known.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
    if (allowed.length > 0) response.header("allow", [...new Set(allowed)].join(", "));
    return answerError(new AppError(allowed.length > 0 ? "wrong_method" : "not_found"), request, response);
  };
  app.setNotFoundHandler(answerUnknown);
  // Before the body is read: what is wrong with it is of no interest here.
  app.addHook("onRequest", async (request, response) => (request.is404 ? answerUnknown(request, response) : undefined));
}
