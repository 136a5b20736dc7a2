import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { moneyOf, type Reply, replyStatus } from "#shared/contract/envelope.ts";
import type { Route } from "#shared/contract/route.ts";
import { AppError, type FieldErrors } from "#shared/errors.ts";
import type { Sessions } from "#shared/sessions/sessions.ts";
import { answerError, toAppError } from "./answer-errors.ts";
import { describeRoute } from "./describe-route.ts";
import { sayIssue } from "./say-issue.ts";
import { noteForbiddenAccess } from "./security-log.ts";
import { refuseOtherBodies, type Upload, type UploadedFile, withUpload } from "./uploads.ts";

type Handler<Params, Body, Data, Query> = (
  input: {
    readonly params: Params;
    readonly query: Query;
    readonly body: Body;
    /** What came with a multipart form, by the names on the wire: each that the route names is there. */
    readonly files: Readonly<Record<string, UploadedFile>>;
  },
  request: FastifyRequest,
  response: FastifyReply,
) => Promise<Reply<Data>>;

const decorator = "sessionsForCalls";

/** Where the calls that need a session look for it. */
export function provideSessions(app: FastifyInstance, sessions: CallSessions): void {
  app.decorate(decorator, sessions);
}

type CallSessions = Pick<Sessions, "find" | "require">;

const sessionsOf = ({ server }: FastifyRequest) => server.getDecorator<CallSessions>(decorator);

const requireSession = async (request: FastifyRequest) => {
  await sessionsOf(request).require(request);
};

/** What an `isPrivate` route answers instead of 404 to somebody with a session: 403, and a line in the log. */
async function answerPrivately(error: unknown, request: FastifyRequest, response: FastifyReply) {
  const isMissing = toAppError(error).problem === "not_found";
  const session = isMissing ? await sessionsOf(request).find(request) : null;
  if (session === null) return answerError(error, request, response);
  noteForbiddenAccess(request, session.user.id);
  return answerError(new AppError("not_allowed", { cause: error }), request, response);
}

/** Serves one declared route: the wire is decoded before the handler and its answer encoded into the envelope after it. */
export function mount<
  Params extends z.ZodType,
  Body extends z.ZodType,
  Data extends z.ZodType,
  Query extends z.ZodType,
>(
  app: FastifyInstance,
  route: Route<Params, Body, Data, Query>,
  handler: Handler<z.output<Params>, z.output<Body>, z.output<Data>, z.output<Query>>,
): void {
  app.route({
    method: route.method,
    url: route.path.replace(/\{(\w+)\}/g, ":$1"),
    schema: describeRoute(route),
    config: { takesPayment: route.takesPayment } as object,
    ...(route.needsSession ? { onRequest: requireSession } : {}),
    ...(route.isPrivate ? { errorHandler: answerPrivately } : {}),
    ...(route.files === undefined ? {} : { preValidation: refuseOtherBodies }),
    handler: async (request, response) => {
      const params = route.params.safeDecode(request.params as never);
      if (!params.success) throw new AppError("not_found");
      const query = decode(route.query, request.query);
      const answer = (body: object, files: Readonly<Record<string, UploadedFile>>) =>
        handler({ params: params.data, query, body, files } as never, request, response);
      const reply =
        route.files === undefined
          ? await answer(decode(route.body, readBody(request)) as object, {})
          : await withUpload(request, Object.keys(route.files), (upload) =>
              answer(decodeUpload(route, upload), upload.files),
            );
      response.code(replyStatus(reply)).header("cache-control", "no-store");
      return toEnvelope(reply, route);
    },
  });
}

function readBody({ method, body = {} }: FastifyRequest): object {
  if (method === "GET" || body === null) return {};
  if (typeof body !== "object" || Array.isArray(body)) throw new AppError("malformed");
  return body;
}

/** The fields of a form with files. What is wrong with fields and files is said together. */
function decodeUpload({ body, files = {} }: Pick<Route, "body" | "files">, upload: Upload) {
  const decoded = body.safeDecode(upload.fields as never, { error: sayIssue });
  const missing = Object.entries(files).filter(([name]) => !(name in upload.files) && !(name in upload.faults));
  const fields = {
    ...(decoded.success ? {} : fieldErrors(decoded.error)),
    ...Object.fromEntries(missing.map(([name, says]) => [name, [says]])),
    ...upload.faults,
  };
  if (Object.keys(fields).length > 0 || !decoded.success) throw new AppError("invalid_input", { fields });
  return decoded.data as object;
}

function decode(schema: z.ZodType, value: unknown) {
  const decoded = schema.safeDecode(value as never, { error: sayIssue });
  if (decoded.success) return decoded.data;
  throw new AppError("invalid_input", { fields: fieldErrors(decoded.error) });
}

/** {field: [messages]} under the wire's names, nested ones joined by dots: `item_details.0.quantity`. */
export function fieldErrors({ issues }: z.ZodError): FieldErrors {
  const fields: Record<string, string[]> = {};
  for (const { path, message } of issues) {
    const field = path.join(".");
    fields[field] = [...(fields[field] ?? []), message];
  }
  return fields;
}

function toEnvelope<Data>(
  reply: Reply<Data>,
  { data: schema, successCode, takesPayment }: Pick<Route, "data" | "successCode" | "takesPayment">,
) {
  const status = replyStatus(reply);
  const data = reply.data === undefined ? undefined : z.encode(schema, reply.data as never);
  if (!reply.ok) {
    const money = takesPayment ? moneyOf(reply) : undefined;
    return { code: String(status), status: "false", message: reply.message, error: reply.problem, data, money };
  }
  const { message, next, url, clientToken } = reply;
  return {
    code: successCode === "number" ? status : String(status),
    status: "true",
    message,
    data,
    next,
    url,
    clientToken,
  };
}
