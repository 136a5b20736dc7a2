import { z } from "zod";
import type { FieldErrors } from "#shared/errors.ts";
import { type Answer, Envelope } from "./envelope.ts";
import type { Route } from "./route.ts";

/** Sends one request: fetch in the page, `inject` in tests. Rejects only if no answer arrived. */
export type Send = (request: {
  method: string;
  url: string;
  body: string | undefined;
  headers: Record<string, string>;
}) => Promise<{ status: number; text: string }>;

/** `/payments/{id}` with {id: "x"} is `/api/payments/x`. */
function apiUrl(path: string, params: Record<string, unknown> = {}, query: Record<string, unknown> = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = given.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join("&");
  return `/api${filled}${search === "" ? "" : `?${search}`}`;
}

/**
 * Calls a declared route with our field names; only the wire uses its own. Never throws: a request that cannot be
 * encoded is refused without being sent, and an unreadable answer counts as none.
 */
export async function call<
  Params extends z.ZodType,
  Body extends z.ZodType,
  Data extends z.ZodType,
  Query extends z.ZodType,
>(
  send: Send,
  { method, path, params, query, body, data }: Route<Params, Body, Data, Query>,
  input: {
    params?: z.output<Params>;
    query?: z.output<Query>;
    body?: z.output<Body>;
    headers?: Record<string, string>;
  } = {},
): Promise<Answer<z.output<Data>>> {
  const request = encodeRequest({ method, path, params, query, body }, input);
  if (request === undefined) return notSent;
  const answer = await send(request).catch(() => ({ status: 0, text: "" }));
  return readAnswer(answer, data);
}

type Input = { params?: unknown; query?: unknown; body?: unknown; headers?: Record<string, string> };

/** Undefined if the schemas cannot encode the input. */
function encodeRequest(
  { method, path, params, query, body }: Pick<Route, "method" | "path" | "params" | "query" | "body">,
  input: Input,
): Parameters<Send>[0] | undefined {
  const encoded = (schema: z.ZodType, value: unknown) =>
    value === undefined ? {} : (z.encode(schema, value) as Record<string, unknown>);
  try {
    return {
      method,
      url: apiUrl(path, encoded(params, input.params), encoded(query, input.query)),
      body: method === "GET" ? undefined : JSON.stringify(encoded(body, input.body)),
      headers: input.headers ?? {},
    };
  } catch {
    return undefined;
  }
}

/** The request could not be encoded, so nothing was sent. */
const notSent = {
  ok: false,
  status: 422,
  error: "invalid_input",
  message: "We couldn’t send some of your details. Please check them and try again.",
} as const;

/** No readable answer: the request may or may not have been carried out. */
export const noAnswer = { ok: false, status: 0, error: "no_answer", message: "" } as const;

/** The same, but something answered, so the person's connection is not at fault. */
const unreadable = {
  ...noAnswer,
  message: "Something went wrong on our side. Please try again in a few minutes.",
} as const;

function readAnswer<Data extends z.ZodType>(
  { status, text }: { status: number; text: string },
  data: Data,
): Answer<z.output<Data>> {
  const envelope = Envelope.safeParse(parseJson(text));
  if (!envelope.success) return status === 0 ? noAnswer : unreadable;
  const { message, error = "", data: wire, next, url, clientToken, effort, money } = envelope.data;
  if (envelope.data.status === "true") {
    const decoded = data.safeParse(wire);
    if (!decoded.success) return unreadable;
    return { ok: true, status, message, data: decoded.data as z.output<Data>, next, url, clientToken };
  }
  if (error === "invalid_input")
    return { ok: false, status, error, message, fields: (wire ?? {}) as FieldErrors, money };
  const decoded = data.safeParse(wire);
  return decoded.success
    ? { ok: false, status, error, message, effort, money, data: decoded.data as z.output<Data> }
    : { ok: false, status, error, message, effort, money };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
