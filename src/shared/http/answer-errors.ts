import { randomBytes } from "node:crypto";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError, type problems } from "#shared/errors.ts";

/** The problem for each status of Fastify's own parsing. */
const byStatus: Readonly<Record<number, keyof typeof problems>> = {
  400: "malformed",
  404: "not_found",
  405: "wrong_method",
  408: "malformed",
  413: "too_large",
  414: "too_large",
  415: "wrong_type",
  431: "too_large",
};

/**
 * SQLSTATE of a connection failure, an exhausted server, one that stops or starts or only reads, and of a statement that
 * took or waited too long or met a deadlock.
 */
const databaseAway = /^(08|53|57P0|25006|57014|55P03|40P01)|^(ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT)$/;

/** SQLSTATE of a text or JSON with a zero byte, which the database cannot store: only a request brings one. */
const ZERO_BYTE = new Set(["22021", "22P05"]);

/** True if the database is starting, stopping, out of connections or too slow, all of which are temporary. */
function isDatabaseAway(error: unknown): boolean {
  const { code = "", message = "" } = error as { code?: string; message?: string };
  return (
    databaseAway.test(code) ||
    /Connection terminated|is not queryable|timeout exceeded when trying to connect|timeout expired|Query read timeout/.test(
      message,
    )
  );
}

/** The only place where an error becomes an answer: envelope and message for the visitor, the cause for the log. */
export function answerError(error: unknown, request: FastifyRequest, response: FastifyReply) {
  const appError = toAppError(error);
  const { problem, status, text, fields, effort } = appError;
  if (status >= 500) request.log.error({ err: error, incident: request.id }, "request failed");
  if (appError.retryAfterSeconds !== undefined || status === 503) {
    response.header("retry-after", String(appError.retryAfterSeconds ?? 2));
  }
  const { takesPayment } = request.routeOptions.config as { takesPayment?: boolean };
  const money = takesPayment ? appError.money : undefined;
  // Fastify would close a connection that is still receiving, which would destroy the answer. The rest is read and
  // discarded, as long as `cutSlowBodies` allows.
  response.removeHeader("connection");
  const message = status === 500 ? `${text} If it keeps happening, tell us the incident number ${request.id}.` : text;
  return response
    .code(status)
    .header("cache-control", "no-store")
    .type("application/json; charset=utf-8")
    .send({ code: String(status), status: "false", message, error: problem, data: fields, effort, money });
}

/** A lost database is `busy`; Fastify's refusals keep their status; anything else is `unexpected`. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { statusCode = 500, code = "" } = error as Partial<FastifyError>;
  if (ZERO_BYTE.has(code)) return new AppError("malformed", { cause: error });
  // First, because a sender who breaks off within a body has the same code as a lost connection to the database.
  if (statusCode >= 400 && statusCode < 500) return new AppError(byStatus[statusCode] ?? "malformed", { cause: error });
  return new AppError(isDatabaseAway(error) ? "busy" : "unexpected", { cause: error });
}

/** Unknown paths below /api are 404 (API-11). */
export function answerUnknownCalls(app: FastifyInstance) {
  const answerUnknown = (request: FastifyRequest, response: FastifyReply) =>
    answerError(new AppError("not_found"), request, response);
  app.setNotFoundHandler(answerUnknown);
  // Before the body is read: its errors do not matter here.
  app.addHook("onRequest", async (request, response) => (request.is404 ? answerUnknown(request, response) : undefined));
}

const processName = randomBytes(2).toString("hex").toUpperCase();
let requests = 0;

/**
 * A number that visitors can quote and that finds the request in the log, such as 7F3A-1K. The first part identifies
 * the process; a random number for each request would cost more than serving a cached page.
 */
export function newIncidentNumber(): string {
  requests += 1;
  return `${processName}-${requests.toString(36).toUpperCase()}`;
}
