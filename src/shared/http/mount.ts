import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { type Reply, replyStatus } from "#shared/contract/envelope.ts";
import type { Route } from "#shared/contract/route.ts";
import { AppError, type FieldErrors } from "#shared/errors.ts";
import { formatList, plural } from "#shared/language.ts";
import { answerError, toAppError } from "./answer-errors.ts";
import { describeRoute } from "./describe-route.ts";
import { noteForbiddenAccess } from "./security-log.ts";
import { MULTIPART, refuseOtherBodies, type Upload, type UploadedFile, withUpload } from "./uploads.ts";

type Handler<Params, Body, Data, Query> = (
  input: {
    readonly params: Params;
    readonly query: Query;
    readonly body: Body;
    /** The files of a multipart form, by their names on the wire; all that the route names are there. */
    readonly files: Readonly<Record<string, UploadedFile>>;
  },
  request: FastifyRequest,
  response: FastifyReply,
) => Promise<Reply<Data>>;

const decorator = "sessionsForCalls";

/** Makes sessions available to the calls that need them. */
export function provideSessions(app: FastifyInstance, sessions: CallSessions): void {
  app.decorate(decorator, sessions);
}

type CallSessions = {
  find(request: FastifyRequest): Promise<{ readonly user: { readonly id: number } } | null>;
  require(request: FastifyRequest): Promise<unknown>;
};

const sessionsOf = ({ server }: FastifyRequest) => server.getDecorator<CallSessions>(decorator);

const requireSession = async (request: FastifyRequest) => {
  await sessionsOf(request).require(request);
};

/** Turns 404 of an `isPrivate` route into 403 and a log entry for somebody with a session. */
async function answerPrivately(error: unknown, request: FastifyRequest, response: FastifyReply) {
  const isMissing = toAppError(error).problem === "not_found";
  const session = isMissing ? await sessionsOf(request).find(request) : null;
  if (session === null) return answerError(error, request, response);
  noteForbiddenAccess(request, session.user.id);
  return answerError(new AppError("not_allowed", { cause: error }), request, response);
}

/** Serves a declared route: decodes the request before the handler, and encodes its reply into the envelope. */
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
    schema: route.files === undefined ? {} : ({ consumes: [MULTIPART] } as object),
    config: { takesPayment: route.takesPayment, describe: () => describeRoute(route) } as object,
    ...(route.needsSession ? { onRequest: requireSession } : {}),
    ...(route.isPrivate ? { errorHandler: answerPrivately } : {}),
    ...(route.files === undefined ? {} : { preValidation: refuseOtherBodies }),
    handler: async (request, response) => {
      const params = route.params.safeParse(request.params);
      if (!params.success) throw new AppError("not_found");
      const query = decode(route.query, request.query);
      const answer = (body: z.output<Body>, files: Readonly<Record<string, UploadedFile>>) =>
        handler({ params: params.data, query, body, files }, request, response);
      const reply =
        route.files === undefined
          ? await answer(decode(route.body, readBody(request)), {})
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

/** Decodes the fields of a form with files, and reports errors in fields and files together. */
function decodeUpload<Body extends z.ZodType>(
  { body, files = {} }: { readonly body: Body } & Pick<Route, "files">,
  upload: Upload,
): z.output<Body> {
  const decoded = body.safeParse(upload.fields, { error: describeIssue });
  const missing = Object.entries(files).filter(([name]) => !(name in upload.files) && !(name in upload.faults));
  const fields = {
    ...(decoded.success ? {} : fieldErrors(decoded.error)),
    ...Object.fromEntries(missing.map(([name, text]) => [name, [text]])),
    ...upload.faults,
  };
  if (Object.keys(fields).length > 0 || !decoded.success) throw new AppError("invalid_input", { fields });
  return decoded.data;
}

function decode<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const decoded = schema.safeParse(value, { error: describeIssue });
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

function toEnvelope<Data extends z.ZodType>(
  reply: Reply<z.output<Data>>,
  {
    data: schema,
    beside,
    successCode,
    takesPayment,
  }: Pick<Route<z.ZodType, z.ZodType, Data>, "data" | "beside" | "successCode" | "takesPayment">,
) {
  const status = replyStatus(reply);
  const data = reply.data === undefined ? undefined : z.encode(schema, reply.data);
  if (!reply.ok) {
    const money = takesPayment ? reply.money : undefined;
    return { code: String(status), status: "false", message: reply.message, error: reply.problem, data, money };
  }
  return {
    code: successCode === "number" ? status : String(status),
    status: "true",
    message: reply.message,
    data,
    ...(beside !== undefined && { [beside]: reply[beside] }),
  };
}

type RawIssue = z.core.$ZodRawIssue;

const kinds: Readonly<Record<string, string>> = {
  string: "Please send this as text.",
  number: "Please send a number.",
  int: "Please send a whole number.",
  boolean: "Please send true or false.",
  array: "Please send a list.",
  object: "Please send an object with named fields.",
};

const formats: Readonly<Record<string, string>> = {
  email: "Please enter an email address, such as name@example.com.",
  uuid: "Please send the id as this site gave it.",
};

/** The message for a field whose contract has none: zod's own is never shown (API-14). */
function describeIssue(issue: RawIssue): string {
  if (issue.input === undefined) return "Please fill this in.";
  switch (issue.code) {
    case "invalid_type":
      return kinds[issue.expected] ?? "Please check this and send it again.";
    case "invalid_format":
      return formats[issue.format] ?? "Please check how this is written.";
    case "invalid_value":
      return `Please send ${formatList(issue.values.map(String), "or")}.`;
    case "too_small":
      return describeMinimum(Number(issue.minimum), issue.origin);
    case "too_big":
      return describeMaximum(Number(issue.maximum), issue.origin);
    default:
      return "Please check this and send it again.";
  }
}

function describeMinimum(size: number, origin: string): string {
  if (origin === "string") {
    return plural(size, {
      one: "Please send at least 1 character.",
      other: `Please send at least ${size} characters.`,
    });
  }
  if (origin !== "array") return `Please send at least ${size}.`;
  return plural(size, { one: "Please send at least 1 entry.", other: `Please send at least ${size} entries.` });
}

function describeMaximum(size: number, origin: string): string {
  if (origin === "string") {
    return plural(size, { one: "Please send at most 1 character.", other: `Please send at most ${size} characters.` });
  }
  if (origin !== "array") return `Please send at most ${size}.`;
  return plural(size, { one: "Please send at most 1 entry.", other: `Please send at most ${size} entries.` });
}
