import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError, moneyAfter, type Problem, problems } from "#shared/errors.ts";

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
  const { takesPayment } = request.routeOptions.config as { takesPayment?: boolean };
  const money = takesPayment ? moneyAfter(problem) : undefined;
  // Fastify would close a line on which something is still coming, which tears the answer from it. The rest is read and
  // thrown away, as long as `cutSlowBodies` allows.
  response.removeHeader("connection");
  const message = status === 500 ? `${says} If it goes on, tell us the incident number ${request.id}.` : says;
  return response
    .code(status)
    .header("cache-control", "no-store")
    .type("application/json; charset=utf-8")
    .send({ code: String(status), status: "false", message, error: problem, data: fields, effort, money });
}

/** What of the table of problems an error stands for. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { statusCode = 500 } = error as Partial<FastifyError>;
  // First: a sender who breaks off in the middle of a body has the code of a broken line to the database.
  if (statusCode >= 400 && statusCode < 500) return new AppError(byStatus[statusCode] ?? "malformed", { cause: error });
  return new AppError(isDatabaseAway(error) ? "busy" : "unexpected", { cause: error });
}

/** Unknown paths below /api are 404 (API-11). */
export function answerUnknownCalls(app: FastifyInstance) {
  const answerUnknown = (request: FastifyRequest, response: FastifyReply) =>
    answerError(new AppError("not_found"), request, response);
  app.setNotFoundHandler(answerUnknown);
  // Before the body is read: what is wrong with it is of no interest here.
  app.addHook("onRequest", async (request, response) => (request.is404 ? answerUnknown(request, response) : undefined));
}
