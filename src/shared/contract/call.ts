import { z } from "zod";
import type { FieldErrors } from "#shared/errors.ts";
import { type Answer, Envelope } from "./envelope.ts";
import type { Route } from "./route.ts";

/** Carries one request: fetch in the page, `inject` in tests. Rejects only when no answer came. */
export type Send = (request: {
  method: string;
  url: string;
  body: string | undefined;
  headers: Record<string, string>;
}) => Promise<{ status: number; text: string }>;

/** `/payments/{id}` with {id: "x"} is `/api/payments/x`. */
export function apiUrl(
  path: string,
  params: Record<string, unknown> = {},
  query: Record<string, unknown> = {},
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = given.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join("&");
  return `/api${filled}${search === "" ? "" : `?${search}`}`;
}

/** Calls one declared route: our names in, our names out; only the wire sees the wire's names. Never throws for an answer. */
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
  const encoded = (schema: z.ZodType, value: unknown) =>
    value === undefined ? {} : (z.encode(schema, value as never) as Record<string, unknown>);
  const answer = await send({
    method,
    url: apiUrl(path, encoded(params, input.params), encoded(query, input.query)),
    body: method === "GET" ? undefined : JSON.stringify(input.body === undefined ? {} : z.encode(body, input.body)),
    headers: input.headers ?? {},
  }).catch(() => ({ status: 0, text: "" }));
  return readAnswer(answer, data);
}

/** Nothing came that could be read: what was asked may have been done, or not. */
export const noAnswer = { ok: false, status: 0, error: "no_answer", message: "" } as const;

function readAnswer<Data extends z.ZodType>(
  { status, text }: { status: number; text: string },
  data: Data,
): Answer<z.output<Data>> {
  const envelope = Envelope.safeParse(parseJson(text));
  if (!envelope.success) return noAnswer;
  const { message, error = "", data: wire, next, url, clientToken, effort } = envelope.data;
  if (envelope.data.status === "true") {
    return { ok: true, status, message, data: z.decode(data, wire as never), next, url, clientToken };
  }
  if (error === "invalid_input") return { ok: false, status, error, message, fields: (wire ?? {}) as FieldErrors };
  const decoded = data.safeDecode(wire as never);
  return decoded.success
    ? { ok: false, status, error, message, effort, data: decoded.data as z.output<Data> }
    : { ok: false, status, error, message, effort };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
